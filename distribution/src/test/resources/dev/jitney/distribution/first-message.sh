#!/bin/sh
# Runs a sample with the connection string that a server of the archive prints, in a network where its ports are free. The SDK
# of Debian's Python connects to port 5671 with TLS, whatever the connection string says.
#   first-message.sh JITNEY CONFIG DATA PROGRAM [ARGUMENT...]
set -eu
jitney=$1 config=$2 data=$3
shift 3
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:$PATH
ip link set lo up
"$jitney" server --config "$config" --data-dir "$data" --tls auto --amqps-port 5671 >"$data.out" &
server=$!
"$jitney" health --ready --wait 60s
SERVICEBUS_CONNECTION_STRING=
while [ -z "$SERVICEBUS_CONNECTION_STRING" ]; do
    kill -0 "$server"
    SERVICEBUS_CONNECTION_STRING=$(sed -n '/^Endpoint=/p' "$data.out")
    sleep 0.1
done
export SERVICEBUS_CONNECTION_STRING
JITNEY_CA=$data/tls/ca.pem
export JITNEY_CA
status=0
timeout 120 "$@" || status=$?
kill "$server"
wait "$server"
exit "$status"
