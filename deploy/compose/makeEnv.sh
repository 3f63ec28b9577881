#!/bin/sh
# Writes what compose.yaml reads: .env with the names of the hosts, and a file for each secret in
# deploy/compose/secrets. It refuses to write over secrets: they are needed for as long as the data lives.
#   sh deploy/compose/makeEnv.sh <host of API and site> <host of files> <smtp URL>
set -eu
cd "$(dirname "$0")/../.."
folder=deploy/compose/secrets
if [ -e "$folder" ]; then
  echo "$folder is there already, and its secrets belong to the data: nothing was written." >&2
  exit 1
fi
if [ $# -ne 3 ]; then
  echo "usage: $0 <host of API and site> <host of files> <smtp URL>" >&2
  exit 2
fi
if [ -e .env ]; then
  echo ".env is there already, and what it has belongs to the data: nothing was written." >&2
  exit 1
fi
password() { openssl rand -hex 32; }
secret() { echo "1:$(openssl rand -base64 48)"; }

# Nobody but their owner comes into the folder. The files in it are mounted one by one, and each
# container has a user of its own, who has to be able to read them.
umask 077
new=$folder.new
rm -rf "$new"
mkdir "$new"
keep() { printf '%s\n' "$2" > "$new/$1" && chmod 0444 "$new/$1"; }
members=mongo1:27017,mongo2:27017,mongo3:27017
uri() { echo "mongodb://$1:$2@$members/framegate?replicaSet=rs0&authSource=admin"; }
keep mongo-key "$(openssl rand -base64 512 | tr -d '\n')"
keep mongo-root-password "$(password)"
keep mongodb-uri "$(uri framegate "$(password)")"
keep mongodb-migration-uri "$(uri framegate-migration "$(password)")"
keep s3-root-secret "$(password)"
keep s3-secret "$(password)"
keep key-peppers "$(secret)"
keep media-signing-keys "$(secret)"
keep session-keys "$(secret)"
keep smtp-url "$3"
# Keys of providers; this folder is mounted as a whole.
mkdir -m 0755 "$new/providers"
printf 'SITE_HOST=%s\nMEDIA_HOST=%s\n' "$1" "$2" > .env.new
mv "$new" "$folder"
mv .env.new .env
echo "$folder is written: keep a copy of it where your backups are not."
