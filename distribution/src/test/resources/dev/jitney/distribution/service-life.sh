# Installs the package in a separate root and uses the service like an administrator. PackagedServiceTest reads the output,
# one fact per line "NAME: TEXT", and fails if a command does.
fact() {
    echo "FACT $1: $2"
}
running() {
    if systemctl is-active; then echo running; else echo stopped; fi
}
# Run as a user without rights.
user() {
    (cd / && setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent jitney "$@")
}
modes() {
    stat -c '%a %U:%G' "$1"
}

dpkg -i /tmp/jitney.deb
fact installed "$(running)"
fact enabled "$(systemctl is-enabled && echo yes)"
fact user "$(getent passwd jitney | cut -d : -f 6-7)"
fact state-directory "$(modes /var/lib/jitney)"
fact data-directory "$(modes /var/lib/jitney/data)"
fact env-file "$(modes /etc/jitney/jitney.env)"
fact config-file "$(modes /etc/jitney/config.json)"
fact sums "$(dpkg --verify jitney && echo right)"
fact classes "$(stat -c %s /usr/lib/jitney/runtime/lib/server/classes.jsa)"
status=/proc/$(cat /run/jitney.main)/status
fact process "$(tr '\0' ' ' <"/proc/$(cat /run/jitney.main)/cmdline")"
fact process-user "$(awk '/^Uid/ { print $2 == uid && $3 == uid }' uid="$(id -u jitney)" "$status")"
fact capabilities "$(awk '/^CapEff|^CapBnd/ { printf "%s ", $2 }' "$status")"
fact program "$(user --version)"

# A user's message survives a stop.
user send orders "one coffee"
systemctl stop
fact stopped "$(running) with $(cat /run/jitney.status)"

# The administrator's settings are used: port 443, which only the capability allows.
cat >>/etc/jitney/jitney.env <<'END'
JITNEY_PORT=5672,443
END
systemctl start
fact port-443 "$(user health --url http://127.0.0.1:443)"
fact after-restart "$(user peek orders | tr -s ' \n' ' ')"

# An upgrade of the running service keeps messages and settings.
dpkg -i --force-confold /tmp/newer.deb
fact upgraded "$(dpkg-query -W -f '${Version} ${Status}' jitney), $(running)"
fact settings-kept "$(grep -c '^JITNEY_PORT=5672,443' /etc/jitney/jitney.env)"
fact new-settings-beside "$(grep -c '^# Newer' /etc/jitney/jitney.env.dpkg-dist)"
fact env-file-upgraded "$(modes /etc/jitney/jitney.env)"
fact after-upgrade "$(user peek orders | tr -s ' \n' ' ')"

# A service that its administrator stopped stays stopped.
systemctl stop
dpkg -i --force-confold /tmp/newer.deb
fact upgraded-stopped "$(running)"
systemctl start

# A removal keeps data and settings, and the next installation uses them again.
dpkg --remove jitney
fact removed "$(running), $(dpkg-query -W -f '${Status}' jitney)"
fact data-kept "$(modes /var/lib/jitney/data/store-0)"
fact left-behind "$(find /usr/lib/jitney /usr/bin/jitney 2>&1 | grep -vc 'No such file')"
dpkg -i --force-confold /tmp/newer.deb
fact reinstalled "$(running)"
fact after-reinstallation "$(user receive orders | tr -s ' \n' ' ')"

# A purge deletes them. A mount point stays, without its files.
mkdir -p /var/cache/jitney/disk
mount -t tmpfs tmpfs /var/cache/jitney/disk
echo x >/var/cache/jitney/disk/file
dpkg --purge jitney
fact mount-point "$(find /var/cache/jitney | tr '\n' ' ')"
umount /var/cache/jitney/disk
rm -r /var/cache/jitney
fact purged "$(running)"
fact left "$(find /var/lib/jitney /var/cache/jitney /etc/jitney /usr/lib/jitney /usr/share/doc/jitney \
    /etc/systemd/system/multi-user.target.wants/jitney.service 2>/dev/null | tr '\n' ' ')"
fact user-kept "$(getent passwd jitney | cut -d : -f 1)"
