#!/bin/sh
# Runs a script in a separate root with its own processes, mounts and network, which end with it.
#   in-root.sh ROOT SCRIPT
set -eu
if [ "${3:-}" != inside ]; then
    exec unshare --mount --net --pid --fork --kill-child "$0" "$1" "$2" inside
fi
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ip link set lo up
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/run"
mkdir -p "$1/run/systemd/system"
exec env -i PATH="$PATH" LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$1" /bin/sh -eu "$2"
