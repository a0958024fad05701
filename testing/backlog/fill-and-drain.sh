#!/bin/sh
# Measures a deep queue with a small heap: fills it without receivers, sends and receives, restarts, and drains it.
#
#   testing/backlog/fill-and-drain.sh [MESSAGES] [DIRECTORY]
#
# MESSAGES    number of messages of 1 KiB (default: 10,000,000); each needs about 1.2 KiB of disk, twice that when deleted
# DIRECTORY   data directory of the server (default: a new one); deleted at the end
# HEAP        maximum heap of the server (default: 512m)
# AMQP_PORT, HTTP_PORT    ports of the server (defaults: 5682 and 5310)
set -eu

messages=${1:-10000000}
heap=${HEAP:-512m}
amqp=${AMQP_PORT:-5682}
http=${HTTP_PORT:-5310}
home=$(cd "$(dirname "$0")/../.." && pwd -P)
work=${2:-$(mktemp -d "${TMPDIR:-/tmp}/jitney-backlog.XXXXXX")}
mkdir -p "$work"
server=

stop() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
        server=
    fi
}
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

cat >"$work/config.json" <<END
{"UserConfig": {"Namespaces": [{"Name": "sbemulatorns", "Queues": [{"Name": "deep", "Properties": {
  "LockDuration": "PT5M", "DefaultMessageTimeToLive": "P3650D", "MaxSizeInMegabytes": 81920}}]}],
  "Logging": {"Type": "Console"}}}
END

now_ms() {
    echo $(($(date +%s%N) / 1000000))
}

start() {
    begun=$(now_ms)
    JITNEY_JAVA_OPTS="-Xmx$heap" "$home/jitney" server --data-dir "$work/data" --config "$work/config.json" \
        --limit maxQueueSizeInMegabytes=81920 --amqp-port "$amqp" --http-port "$http" --log-level WARN \
        >>"$work/server.log" 2>&1 &
    server=$!
    until curl -fs -o "$work/health" "http://127.0.0.1:$http/health"; do
        kill -0 "$server" 2>/dev/null || {
            cat "$work/server.log" >&2
            exit 1
        }
        sleep 0.02
    done
    echo "ready after $(($(now_ms) - begun)) ms"
}

bench() {
    echo
    echo "== $1"
    shift
    "$home/jitney" bench "$@" --server "127.0.0.1:$amqp" --server-pid "$server" --queue deep
}

memory() {
    echo "server memory: $(sed -n 's/^VmRSS:[[:space:]]*//p' "/proc/$server/status")," \
        "at most $(sed -n 's/^VmHWM:[[:space:]]*//p' "/proc/$server/status");" \
        "disk: $(du -sm "$work/data" | cut -f 1) MiB"
}

"$home/jitney" --version
echo "$messages messages of 1 KiB, heap $heap"
start
bench "send and receive at once, queue empty" both --duration 10 --warm-up 10
bench "send, queue empty" send --count $((messages / 20))
bench "fill" send --count $((messages - messages / 20))
memory
bench "send at depth" send --count $((messages / 20))
bench "send and receive at once at depth" both --duration 10 --warm-up 10
memory

echo
echo "== restart after SIGTERM"
stop
start
echo "== restart after kill -9"
kill -9 "$server"
wait "$server" 2>/dev/null || true
start
memory
bench "drain" receive --count "$messages"
memory
stop
