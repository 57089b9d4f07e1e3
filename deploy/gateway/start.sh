#!/bin/sh
# Starts the gateway: checks the settings, writes them as directives of nginx into RUN_DIR, and becomes
# nginx. Arguments are passed on to nginx. Exits with 78 if a setting is not valid. Needs no root.
#
#   KEY_SERVICE, DSYNC_API, IDENTITY_FORMS  host:port of each service, several separated by blanks
#   CONSOLE             the same of the console; without it, /console is 404
#   CELLS               the numbers of the cells behind this gateway, such as `1 2` (docs/cells.md). The settings
#                       above then end with the number: KEY_SERVICE_1, DSYNC_API_1 and so on
#   CELLS_MAP           a file of tenants, host names and ids with their cells, like cells.map.example
#   DEFAULT_CELL        the cell of requests that name none (none: they get 421)
#   NJS_MODULE          the module of nginx that reads ids in bodies, for CELLS
#                       (/usr/lib/nginx/modules/ngx_http_js_module.so)
#   RUN_DIR             a folder that nginx may write to (pid, temporary files); made if it is missing
#   PUBLIC_LISTEN       where the public surface listens: a port, or address:port (default 8080)
#   ADMIN_LISTEN        where the admin surface listens; keep it off the internet (127.0.0.1:8089)
#   METRICS_LISTEN      where /stub_status is served (127.0.0.1:9080)
#   TRUSTED_PROXIES     addresses and networks of the proxies in front, whose X-Forwarded-For and
#                       X-Forwarded-Proto are believed (none)
#   REQUESTS_PER_SECOND of one client on the public surface, twice as many in a burst (500; 0: no limit)
#   ANONYMOUS_REQUESTS_PER_SECOND  the same without a credential, five times in a burst (20; 0: no limit)
#   CONNECTIONS_PER_CLIENT  requests of one client at the same time (256; 0: no limit)
#   RESOLVER            a DNS server that resolves the names of the services every 5 s; only the first host
#                       of each is used. Without one, nginx resolves all of them once, at its start
#   WORKERS             processes of nginx (2), or `auto` for one per core of the machine
#   ACCESS_LOG          the file of the access log (access.log in RUN_DIR)
#   NGINX_PATH          the program (nginx)
set -euf

: "${PUBLIC_LISTEN:=8080}" "${ADMIN_LISTEN:=127.0.0.1:8089}" "${METRICS_LISTEN:=127.0.0.1:9080}"
: "${TRUSTED_PROXIES:=}" "${RESOLVER:=}" "${WORKERS:=2}" "${ACCESS_LOG:=access.log}"
: "${REQUESTS_PER_SECOND:=500}" "${ANONYMOUS_REQUESTS_PER_SECOND:=20}"
: "${CONNECTIONS_PER_CLIENT:=256}" "${NGINX_PATH:=nginx}"
: "${CELLS:=}" "${CELLS_MAP:=}" "${DEFAULT_CELL:=}"
: "${NJS_MODULE:=/usr/lib/nginx/modules/ngx_http_js_module.so}"
folder=$(cd "$(dirname "$0")" && pwd)
faults=0

fault() {
  echo "gateway: $1 is \"$2\"; it must be $3" >&2
  faults=$((faults + 1))
}

is_whole_number() {
  case $1 in '' | 0?* | *[!0-9]* | ???????*) return 1 ;; esac
}

# An address or a network, IPv4 or IPv6.
is_network() {
  awk -v text="$1" '
    function fail() { failed = 1; exit 1 }
    function isNumber(part, most) { return part ~ /^[0-9]+$/ && length(part) <= 3 && part + 0 <= most }
    function readIPv4(address,  count, n, parts) {
      count = split(address, parts, ".")
      if (count != 4) fail()
      for (n = 1; n <= 4; n++) if (!isNumber(parts[n], 255) || parts[n] ~ /^0./) fail()
    }
    function groupsIn(side,  count, n, parts) {
      if (side == "") return 0
      count = split(side, parts, ":")
      for (n = 1; n <= count; n++) {
        if (length(parts[n]) > 4 || parts[n] !~ /^[0-9a-fA-F]+$/) fail()
      }
      return count
    }
    BEGIN {
      slashed = split(text, halves, "/")
      if (slashed < 1 || slashed > 2) fail()
      address = halves[1]
      isIPv6 = index(address, ":") > 0
      if (slashed == 2 && !isNumber(halves[2], isIPv6 ? 128 : 32)) fail()
      if (!isIPv6) { readIPv4(address); exit }
      gap = index(address, "::")
      if (gap == 0) { if (groupsIn(address) != 8) fail(); exit }
      before = substr(address, 1, gap - 1)
      after = substr(address, gap + 2)
      if (index(after, "::") > 0 || groupsIn(before) + groupsIn(after) > 7) fail()
    }
    END { exit failed }
  '
}

for name in REQUESTS_PER_SECOND ANONYMOUS_REQUESTS_PER_SECOND CONNECTIONS_PER_CLIENT; do
  eval "value=\$$name"
  is_whole_number "$value" || fault "$name" "$value" "a number, or 0 for no limit"
done
[ "$WORKERS" = auto ] || { is_whole_number "$WORKERS" && [ "$WORKERS" -gt 0 ]; } ||
  fault WORKERS "$WORKERS" "a number, or auto"
TRUSTED_PROXIES=$(echo "$TRUSTED_PROXIES" | tr ',' ' ')
for proxy in $TRUSTED_PROXIES; do
  is_network "$proxy" || fault TRUSTED_PROXIES "$proxy" \
    "a list of addresses and networks, such as 10.0.0.0/8, 2001:db8::1"
done
check_addresses() {
  eval "value=\${$1:-}"
  case $value in '' | *[!][[:alnum:].:_\ -]*) fault "$1" "$value" "$2" && return 1 ;; esac
}
# Runs a command for the services of each stack, with the end of the names of their settings.
each_stack() {
  if [ -z "$CELLS" ]; then
    "$@" ""
  else
    for cell in $CELLS; do "$@" "_$cell"; done
  fi
}
check_service() {
  eval "value=\${$1$2:-}"
  [ "$1" != CONSOLE ] || [ -n "$value" ] || return 0
  check_addresses "$1$2" "host:port, or several separated by blanks" || return 0
  # A name in a variable stands for one host.
  case ${RESOLVER:+$value} in *' '*) fault "$1$2" "$value" "one host:port with RESOLVER" ;; esac
}
for cell in $CELLS; do
  is_whole_number "$cell" && [ "$cell" -le 255 ] && continue
  fault CELLS "$CELLS" "numbers from 0 to 255, separated by blanks"
  exit 78
done
for name in KEY_SERVICE DSYNC_API IDENTITY_FORMS CONSOLE; do each_stack check_service "$name"; done
case " $CELLS " in
*" ${DEFAULT_CELL:-$CELLS} "*) ;;
*) fault DEFAULT_CELL "$DEFAULT_CELL" "one of CELLS" ;;
esac
[ -z "$CELLS_MAP" ] || [ -r "$CELLS_MAP" ] || fault CELLS_MAP "$CELLS_MAP" "a file that can be read"
[ -z "$CELLS" ] || [ -r "$NJS_MODULE" ] || fault NJS_MODULE "$NJS_MODULE" "a module of nginx"
for name in PUBLIC_LISTEN ADMIN_LISTEN METRICS_LISTEN; do
  check_addresses "$name" "a port or address:port, or several separated by blanks" || :
done
[ -z "$RESOLVER" ] || check_addresses RESOLVER "the address of a DNS server" || :
case $ACCESS_LOG in *[!A-Za-z0-9./_-]*) fault ACCESS_LOG "$ACCESS_LOG" "the path of a file" ;; esac
{ [ -n "${RUN_DIR:-}" ] && mkdir -p "$RUN_DIR"; } || fault RUN_DIR "${RUN_DIR:-}" "a folder"
[ "$faults" -eq 0 ] || exit 78

[ -z "$CELLS_MAP" ] || CELLS_MAP=$(cd "$(dirname "$CELLS_MAP")" && pwd)/$(basename "$CELLS_MAP")
cd "$RUN_DIR"
run=$PWD
set +f
cp -f "$folder"/*.conf "$folder"/*.mjs "$run"
set -f

{
  echo "worker_processes $WORKERS;"
  [ -z "$CELLS" ] || echo "load_module $NJS_MODULE;"
} >main.settings

for surface in public admin metrics; do
  eval "addresses=\$$(echo "$surface" | tr '[:lower:]' '[:upper:]')_LISTEN"
  for address in $addresses; do echo "listen $address;"; done >"$surface-listen.settings"
done

hosts_of() {
  eval "hosts=\${$(echo "$1" | tr '[:lower:]' '[:upper:]')$2:-}"
  [ -n "$hosts" ]
}
write_upstream() {
  hosts_of "$@" && [ -z "$RESOLVER" ] || return 0
  # A service that ends stops listening and serves its open connections for another 4 s. Idle ones
  # are dropped sooner here, so that no request is sent on a connection that is being closed. Of
  # several servers, one that has refused a connection is tried again after a second: it may have
  # been replaced.
  echo "upstream $1$2 {"
  for host in $hosts; do echo "    server $host fail_timeout=1s;"; done
  echo "    keepalive 64;"
  echo "    keepalive_timeout 3s;"
  echo "}"
}
write_target() {
  hosts_of "$@" || return 0
  target=$1$2
  # Names in a variable are resolved again when their time is over.
  [ -z "$RESOLVER" ] || target=$hosts
  echo "    '${2#_}' $target;"
}

{
  echo "access_log $ACCESS_LOG json;"
  [ -z "$RESOLVER" ] || echo "resolver $RESOLVER valid=5s;"
  for name in key_service dsync_api identity_forms console; do
    each_stack write_upstream "$name"
    echo "map \$cell \$$name {"
    echo "    volatile;"
    each_stack write_target "$name"
    echo "}"
  done
  if [ -n "$CELLS" ]; then
    echo "map '' \$default_cell { default '$DEFAULT_CELL'; }"
    echo "include cells.conf;"
  else
    echo "map '' \$cell { default ''; }"
  fi
  echo "geo \$realip_remote_addr \$is_proxied {"
  echo "    default 0;"
  for proxy in $TRUSTED_PROXIES; do echo "    $proxy 1;"; done
  echo "}"
  for proxy in $TRUSTED_PROXIES; do echo "set_real_ip_from $proxy;"; done
  # A zone of 10 MB holds some 80,000 clients; the oldest are forgotten first.
  [ "$REQUESTS_PER_SECOND" -eq 0 ] ||
    echo "limit_req_zone \$client zone=requests:10m rate=${REQUESTS_PER_SECOND}r/s;"
  [ "$ANONYMOUS_REQUESTS_PER_SECOND" -eq 0 ] ||
    echo "limit_req_zone \$anonymous zone=anonymous:10m rate=${ANONYMOUS_REQUESTS_PER_SECOND}r/s;"
  [ "$CONNECTIONS_PER_CLIENT" -eq 0 ] || echo "limit_conn_zone \$client zone=connections:10m;"
} >http.settings

{
  [ "$REQUESTS_PER_SECOND" -eq 0 ] ||
    echo "limit_req zone=requests burst=$((REQUESTS_PER_SECOND * 2)) nodelay;"
  [ "$ANONYMOUS_REQUESTS_PER_SECOND" -eq 0 ] ||
    echo "limit_req zone=anonymous burst=$((ANONYMOUS_REQUESTS_PER_SECOND * 5)) nodelay;"
  [ "$CONNECTIONS_PER_CLIENT" -eq 0 ] || echo "limit_conn connections $CONNECTIONS_PER_CLIENT;"
} >limits.settings

for cell in $CELLS; do printf '"~*^.{14}7.{4}[89ab].%02x" %d;\n' "$cell" "$cell"; done >cell-ids.settings
ln -sf "${CELLS_MAP:-/dev/null}" cells.map
echo "${CELLS:+include cell-routes.conf;}" >cell-routes.settings

exec "$NGINX_PATH" -p "$run/" -c nginx.conf "$@"
