#!/bin/sh
# Creates the secrets of docker-compose.yml in .local/compose-secrets/, or in GATEHOUSE_SECRETS; with `small`,
# those of compose.small.yml. Existing secrets are kept, so data encrypted with them stays readable: where those of
# compose.small.yml exist, the keys of docker-compose.yml are derived from its secret (docs/operations.md, "One secret").
#
#   sh deploy/docker/make-secrets.sh [small]
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

if [ "${1-}" = small ]; then
  secret postgres-password "$(random 24)"
  secret gatehouse-secret "$(random 32)"
  password=$(cat "$folder/postgres-password")
  secret gatehouse-database-url "postgres://postgres:$password@postgres:5432/gatehouse"
  exit
fi

derived_bytes() {
  openssl kdf -binary -keylen 32 -kdfopt digest:SHA256 -kdfopt "key:$(cat "$folder/gatehouse-secret")" \
    -kdfopt salt:gatehouse -kdfopt "info:key:setting:$1" HKDF
}

# The ring with a label of its own.
ring() {
  if [ ! -s "$folder/gatehouse-secret" ]; then
    random 32
  else
    derived_bytes "$1" | base64 | tr -d '=\n' | tr '+/' '-_'
  fi
}

verdict_key() {
  if [ ! -s "$folder/gatehouse-secret" ]; then
    openssl genpkey -algorithm ed25519
  else
    # The bytes of a key in PKCS #8.
    { printf '\060\056\002\001\000\060\005\006\003\053\145\160\004\042\004\040' &&
      derived_bytes VERDICT_SIGNING_KEY; } | openssl pkey -inform DER
  fi
}

for name in postgres redis key-service-database dsync-database identity-forms-database \
  delivery-worker-database console-database key-service-redis dsync-api-redis dsync-worker-redis \
  identity-forms-redis console-redis; do
  secret "$name-password" "$(random 24)"
done
secret key-service-encryption-keys "$(ring 'key-service ENCRYPTION_KEYS')"
secret key-service-hmac-secrets "$(ring 'key-service HMAC_SECRETS')"
secret dsync-encryption-keys "$(ring 'dsync ENCRYPTION_KEYS')"
secret identity-forms-encryption-keys "$(ring 'identity-forms ENCRYPTION_KEYS')"
secret console-encryption-keys "$(ring 'console CONSOLE_ENCRYPTION_KEYS')"
secret console-admin-key "$(ring 'console CONSOLE_ADMIN_KEY')"
secret keys-admin-api-keys "$(random 24)"
secret forms-admin-api-keys "$(random 24)"
secret dsync-api-keys "$(random 24)"
secret message-keys "$(ring MESSAGE_KEYS)"
secret verdict-signing-key "$(verdict_key)"
secret verdict-public-keys "$(openssl pkey -in "$folder/verdict-signing-key" -pubout)"

database_url() {
  printf 'postgres://%s:%s@postgres:5432/gatehouse' "$1" "$(cat "$folder/$2-database-password")"
}
secret key-service-database-url "$(database_url key_service key-service)"
secret dsync-database-url "$(database_url dsync dsync)"
secret identity-forms-database-url "$(database_url identity_forms identity-forms)"
secret delivery-worker-database-url "$(database_url delivery_worker delivery-worker)"
secret console-database-url "$(database_url console console)"

for user in key-service dsync-api dsync-worker identity-forms console; do
  secret "$user-redis-url" "redis://$user:$(cat "$folder/$user-redis-password")@redis:6379"
done
