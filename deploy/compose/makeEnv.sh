#!/bin/sh
# Writes what compose.yaml reads: .env with the names of the hosts, and a file for each secret in
# deploy/compose/secrets. It refuses to write over secrets: they are needed for as long as the data lives.
#   sh deploy/compose/makeEnv.sh <host of API and site> <host of files> <smtp URL>
#   sh deploy/compose/makeEnv.sh --move     the secrets of a .env from before become files
set -eu
cd "$(dirname "$0")/../.."
folder=deploy/compose/secrets
if [ -e "$folder" ]; then
  echo "$folder is there already, and its secrets belong to the data: nothing was written." >&2
  exit 1
fi
if [ "${1:-}" = --move ] && [ $# -eq 1 ]; then
  # shellcheck source=/dev/null
  . ./.env
  : "${S3_SECRET_ACCESS_KEY:?.env has no secrets of a release before}" "${KEY_PEPPERS:?}" "${SMTP_URL:?}"
elif [ $# -eq 3 ]; then
  if [ -e .env ]; then
    echo ".env is there already, and what it has belongs to the data: nothing was written." >&2
    exit 1
  fi
  SITE_HOST=$1 MEDIA_HOST=$2 SMTP_URL=$3
else
  echo "usage: $0 <host of API and site> <host of files> <smtp URL>, or $0 --move" >&2
  exit 2
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
keep mongo-key "${MONGO_KEY:-$(openssl rand -base64 512 | tr -d '\n')}"
keep mongo-root-password "${MONGO_ROOT_PASSWORD:-$(password)}"
keep mongodb-uri "$(uri framegate "${MONGO_PASSWORD:-$(password)}")"
keep mongodb-migration-uri "$(uri framegate-migration "${MONGO_MIGRATION_PASSWORD:-$(password)}")"
# What was the gateway's key is the server's own from now on.
keep s3-root-secret "${S3_SECRET_ACCESS_KEY:-$(password)}"
keep s3-secret "$(password)"
keep key-peppers "${KEY_PEPPERS:-$(secret)}"
keep media-signing-keys "${MEDIA_SIGNING_KEYS:-$(secret)}"
keep session-keys "${SESSION_KEYS:-$(secret)}"
keep smtp-url "$SMTP_URL"
# Keys of providers; this folder is mounted as a whole.
mkdir -m 0755 "$new/providers"
if [ "$1" = --move ]; then
  grep -vE '^(MONGO_|S3_SECRET_ACCESS_KEY|KEY_PEPPERS|MEDIA_SIGNING_KEYS|SESSION_KEYS|SMTP_URL)' .env > .env.new
else
  printf 'SITE_HOST=%s\nMEDIA_HOST=%s\n' "$SITE_HOST" "$MEDIA_HOST" > .env.new
fi
mv "$new" "$folder"
mv .env.new .env
echo "$folder is written: keep a copy of it where your backups are not."
