#!/bin/bash
# Replaces systemd in a root without it: starts and stops the service as its unit says, with the user, the settings, the umask,
# the limit, the capability and the read-only file system of the unit.
set -eu
unit=/usr/lib/systemd/system/jitney.service
wanted=/etc/systemd/system/multi-user.target.wants/jitney.service
main=/run/jitney.main

value() {
    sed -n "s/^$1=//p" "$unit"
}

# Replaces this shell by a command line of the unit.
as_service() {
    set -a
    # shellcheck disable=SC1090
    . "$(value EnvironmentFile)"
    eval "$(value Environment)"
    set +a
    umask "$(value UMask)"
    # Some build machines have a lower hard limit, which only a privileged process could raise.
    ulimit -n "$(value LimitNOFILE)" 2>/dev/null || ulimit -n "$(ulimit -H -n)"
    cd "$(value WorkingDirectory)"
    capability=$(value AmbientCapabilities | tr '[:upper:]' '[:lower:]')
    capability=${capability#cap_}
    # shellcheck disable=SC2086
    exec setpriv --reuid "$(value User)" --regid "$(value Group)" --init-groups --no-new-privs \
        --bounding-set "-all,+$capability" --inh-caps "-all,+$capability" --ambient-caps "-all,+$capability" \
        env -u PWD -u OLDPWD -u SHLVL $1
}

active() {
    [ -e "$main" ] && kill -0 "$(cat "$main")" 2>/dev/null
}

if [ "$1" = --quiet ]; then
    shift
fi
echo "systemctl $1" >>/run/systemctl.log
case $1 in
    daemon-reload) ;;
    enable)
        mkdir -p "${wanted%/*}"
        ln -sf "$unit" "$wanted"
        ;;
    disable) rm -f "$wanted" ;;
    is-enabled) [ -L "$wanted" ] ;;
    is-active) active ;;
    start)
        ! active || exit 0
        if [ "$(value ProtectSystem)" != strict ]; then
            echo "Expected ProtectSystem=strict." >&2
            exit 1
        fi
        for directory in "/var/lib/$(value StateDirectory)" "/var/cache/$(value CacheDirectory)"; do
            install -d -o jitney -g jitney -m 0750 "$directory"
        done
        rm -f "$main"
        unshare --mount "$0" serve </dev/null >>/var/log/jitney.log 2>&1 &
        for _ in $(seq 600); do
            [ ! -s "$main" ] || break
            sleep 0.1
        done
        post=$(value ExecStartPost)
        post=${post//\$MAINPID/$(cat "$main")}
        # The status of a command behind a minus sign does not matter.
        (as_service "${post#-}") || [ "$post" != "${post#-}" ]
        ;;
    serve)
        for directory in "/var/lib/$(value StateDirectory)" "/var/cache/$(value CacheDirectory)" /run; do
            mount --rbind "$directory" "$directory"
        done
        mount -o remount,bind,ro /
        mount -t tmpfs -o mode=1777 tmpfs /tmp
        as_service "$(value ExecStart)" &
        echo $! >"$main"
        status=0
        wait $! || status=$?
        echo "$status" >/run/jitney.status
        ;;
    stop)
        active || exit 0
        rm -f /run/jitney.status
        kill -TERM "$(cat "$main")"
        for _ in $(seq "$(($(value TimeoutStopSec) * 10))"); do
            [ ! -e /run/jitney.status ] || break
            sleep 0.1
        done
        rm "$main"
        echo "The server ended with status $(cat /run/jitney.status)."
        ;;
    *)
        echo "systemctl: $1 is not expected." >&2
        exit 1
        ;;
esac
