#!/bin/sh
# Starts Redis with the users of users.acl.template, their passwords from the files in SECRETS, and becomes
# redis-server. Passwords are in a file, because other users can read a command line.
#
#   SECRETS    the folder of redis-password (of the operator) and of <service>-redis-password
#   RUN_DIR    a folder that only Redis can read, for the file of users
set -euf
umask 077
settings=$(dirname "$0")

script='/^#/d'
while read -r placeholder file; do
  password=$(cat "$SECRETS/$file")
  case $password in
    '' | *[!A-Za-z0-9_-]*)
      echo "$SECRETS/$file: a password must consist of letters, digits, - and _" >&2
      exit 78
      ;;
  esac
  script="$script
s/>$placeholder />$password /"
done <<END
OPERATOR_PASSWORD redis-password
KEY_SERVICE_PASSWORD key-service-redis-password
DSYNC_API_PASSWORD dsync-api-redis-password
DSYNC_WORKER_PASSWORD dsync-worker-redis-password
IDENTITY_FORMS_PASSWORD identity-forms-redis-password
CONSOLE_PASSWORD console-redis-password
END

mkdir -p "$RUN_DIR"
printf '%s\n' "$script" >"$RUN_DIR/users.sed"
sed -f "$RUN_DIR/users.sed" "$settings/users.acl.template" >"$RUN_DIR/users.acl"
rm "$RUN_DIR/users.sed"
exec redis-server "$settings/redis.conf" --aclfile "$RUN_DIR/users.acl"
