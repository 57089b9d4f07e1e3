#!/bin/sh
# Runs provision.sql, which lies beside this file, on the server of PGHOST and the other variables of
# psql. The password of PGUSER is in PGPASSWORD; those that the roles of the services get are in
# KEY_SERVICE_DATABASE_PASSWORD, DSYNC_DATABASE_PASSWORD, IDENTITY_FORMS_DATABASE_PASSWORD,
# DELIVERY_WORKER_DATABASE_PASSWORD and CONSOLE_DATABASE_PASSWORD. Each can also be given as …_FILE.
#
# Run it before the migrations, as often as you like: it adds what is missing and sets the passwords.
set -eu

for variable in PGPASSWORD KEY_SERVICE_DATABASE_PASSWORD DSYNC_DATABASE_PASSWORD \
  IDENTITY_FORMS_DATABASE_PASSWORD DELIVERY_WORKER_DATABASE_PASSWORD CONSOLE_DATABASE_PASSWORD; do
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

cd "$(dirname "$0")"
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 <<'SQL'
\getenv key_service KEY_SERVICE_DATABASE_PASSWORD
\getenv dsync DSYNC_DATABASE_PASSWORD
\getenv identity_forms IDENTITY_FORMS_DATABASE_PASSWORD
\getenv delivery_worker DELIVERY_WORKER_DATABASE_PASSWORD
\getenv console CONSOLE_DATABASE_PASSWORD
\o /dev/null
SELECT set_config('gatehouse.key_service_password', :'key_service', false),
       set_config('gatehouse.dsync_password', :'dsync', false),
       set_config('gatehouse.identity_forms_password', :'identity_forms', false),
       set_config('gatehouse.delivery_worker_password', :'delivery_worker', false),
       set_config('gatehouse.console_password', :'console', false);
\o
\i provision.sql
SQL
