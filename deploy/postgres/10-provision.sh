#!/bin/sh
# Runs provision.sql when the official PostgreSQL image starts on an empty volume: mount this file
# into /docker-entrypoint-initdb.d/ and provision.sql into /provision/. Passwords come from
# KEY_SERVICE_DATABASE_PASSWORD, DSYNC_DATABASE_PASSWORD, IDENTITY_FORMS_DATABASE_PASSWORD and
# DELIVERY_WORKER_DATABASE_PASSWORD, each also as …_FILE.
set -eu

for name in KEY_SERVICE DSYNC IDENTITY_FORMS DELIVERY_WORKER; do
  variable="${name}_DATABASE_PASSWORD"
  eval "value=\${$variable:-} file=\${${variable}_FILE:-}"
  if [ -z "$value" ] && [ -n "$file" ]; then
    value=$(cat "$file")
  fi
  if [ -z "$value" ]; then
    echo "$variable (or ${variable}_FILE) is not set" >&2
    exit 1
  fi
  export "$variable=$value"
done

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 \
  --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-gatehouse}" <<'SQL'
\getenv key_service KEY_SERVICE_DATABASE_PASSWORD
\getenv dsync DSYNC_DATABASE_PASSWORD
\getenv identity_forms IDENTITY_FORMS_DATABASE_PASSWORD
\getenv delivery_worker DELIVERY_WORKER_DATABASE_PASSWORD
\o /dev/null
SELECT set_config('gatehouse.key_service_password', :'key_service', false),
       set_config('gatehouse.dsync_password', :'dsync', false),
       set_config('gatehouse.identity_forms_password', :'identity_forms', false),
       set_config('gatehouse.delivery_worker_password', :'delivery_worker', false);
\o
\i /provision/provision.sql
SQL
