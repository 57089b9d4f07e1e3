#!/bin/sh
# Creates the secrets of docker-compose.yml in .local/compose-secrets/, or in GATEHOUSE_SECRETS.
# Existing secrets are kept, so data encrypted with them stays readable.
#
#   sh deploy/docker/make-secrets.sh
set -eu

cd "$(dirname "$0")/../.."
folder=${GATEHOUSE_SECRETS:-.local/compose-secrets}
mkdir -p "$folder"
# Only you can open the folder. The files are readable by all, because Compose mounts them with
# their permissions and the containers run as other users.
chmod 700 "$folder"
umask 022

random() {
  head -c "$1" /dev/urandom | base64 | tr -d '\n' | tr '+/' '-_'
}

secret() {
  if [ ! -s "$folder/$1" ]; then
    printf '%s' "$2" >"$folder/$1"
    echo "made $folder/$1"
  fi
}

for name in postgres redis key-service-database dsync-database identity-forms-database \
  delivery-worker-database key-service-redis dsync-api-redis dsync-worker-redis \
  identity-forms-redis; do
  secret "$name-password" "$(random 24)"
done
secret key-service-encryption-keys "$(random 32)"
secret key-service-hmac-secrets "$(random 32)"
secret dsync-encryption-keys "$(random 32)"
secret identity-forms-encryption-keys "$(random 32)"
secret keys-admin-api-keys "$(random 24)"
secret forms-admin-api-keys "$(random 24)"
secret dsync-api-keys "$(random 24)"
secret message-keys "$(random 32)"
secret verdict-signing-key "$(openssl genpkey -algorithm ed25519)"
secret verdict-public-keys "$(openssl pkey -in "$folder/verdict-signing-key" -pubout)"

database_url() {
  printf 'postgres://%s:%s@postgres:5432/gatehouse' "$1" "$(cat "$folder/$2-database-password")"
}
secret key-service-database-url "$(database_url key_service key-service)"
secret dsync-database-url "$(database_url dsync dsync)"
secret identity-forms-database-url "$(database_url identity_forms identity-forms)"
secret delivery-worker-database-url "$(database_url delivery_worker delivery-worker)"

for user in key-service dsync-api dsync-worker identity-forms; do
  secret "$user-redis-url" "redis://$user:$(cat "$folder/$user-redis-password")@redis:6379"
done
