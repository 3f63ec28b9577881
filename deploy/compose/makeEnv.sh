#!/bin/sh
# Writes the files that compose.yaml reads: .env with the host names, and a file for each secret in
# deploy/compose/secrets. It refuses to overwrite secrets: they are needed as long as the data exists.
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
SITE_HOST=$1 MEDIA_HOST=$2 SMTP_URL=$3
password() { openssl rand -hex 32; }
secret() { echo "1:$(openssl rand -base64 48)"; }

# Only the owner can enter the folder. The files in it are mounted one by one, and each
# container has its own user, who must be able to read them.
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
keep smtp-url "$SMTP_URL"
# Keys of providers; this folder is mounted as a whole.
mkdir -m 0755 "$new/providers"
printf 'SITE_HOST=%s\nMEDIA_HOST=%s\n' "$SITE_HOST" "$MEDIA_HOST" > .env.new
mv "$new" "$folder"
mv .env.new .env
echo "$folder is written: keep a copy of it where your backups are not."
