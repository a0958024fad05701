#!/bin/sh
# Starts a container of a pod as a container runtime does: in the network of the pod, with the pod's name, its own processes, a
# read-only root, the volume, and the files that Kubernetes mounts. It ends with the container.
#   pod.sh NAMESPACE NAME ROOT VOLUME FILES USER COMMAND...
# NAMESPACE is a process in the network of the pod. FILES has the content of /etc of the container.
set -eu
if [ "$1" != inside ]; then
    namespace=$1
    shift
    exec nsenter --target "$namespace" --net -- \
        unshare --mount --propagation private --uts --ipc --pid --fork --kill-child "$0" inside "$@"
fi
name=$2 root=$3 volume=$4 files=$5 user=$6
shift 6
hostname "$name"
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind "$volume" "$root/data"
for file in "$files"/*; do
    mount --bind "$file" "$root/etc/${file##*/}"
    mount -o remount,bind,ro "$root/etc/${file##*/}"
done
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" "$@"
