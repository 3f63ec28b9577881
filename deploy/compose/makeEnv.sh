#!/bin/sh
# Writes .env for compose.yaml, with fresh secrets, and refuses to write over one: its secrets are needed
# for as long as the data lives.
#   sh deploy/compose/makeEnv.sh <host of API and site> <host of files> <smtp URL>
set -eu
if [ $# -ne 3 ]; then
  echo "usage: $0 <host of API and site> <host of files> <smtp URL>" >&2
  exit 2
fi
cd "$(dirname "$0")/../.."
if [ -e .env ]; then
  echo ".env is there already, and its secrets belong to the data: nothing was written." >&2
  exit 1
fi
umask 077
secret() { echo "1:$(openssl rand -base64 48)"; }
cat > .env <<EOF
SITE_HOST=$1
MEDIA_HOST=$2
SMTP_URL='$3'
MONGO_ROOT_PASSWORD=$(openssl rand -hex 32)
MONGO_PASSWORD=$(openssl rand -hex 32)
MONGO_MIGRATION_PASSWORD=$(openssl rand -hex 32)
MONGO_KEY=$(openssl rand -base64 512 | tr -d '\n')
S3_SECRET_ACCESS_KEY=$(openssl rand -hex 32)
KEY_PEPPERS=$(secret)
MEDIA_SIGNING_KEYS=$(secret)
SESSION_KEYS=$(secret)
EOF
echo ".env is written: keep a copy of it where your backups are not."
