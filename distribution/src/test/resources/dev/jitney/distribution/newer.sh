#!/bin/sh
# Creates a newer version of a package, with other settings in it.
#   newer.sh PACKAGE FOLDER NEWER-PACKAGE
set -eu
dpkg-deb --raw-extract "$1" "$2"
sed -i 's/^Version: .*/&+1/' "$2/DEBIAN/control"
echo "# Newer" >>"$2/etc/jitney/jitney.env"
dpkg-deb -Zgzip -z1 --root-owner-group --build "$2" "$3"
