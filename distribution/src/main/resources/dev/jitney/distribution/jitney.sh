#!/bin/sh
# Starts Jitney @VERSION@ from the archive in the parent folder. "jitney --help" lists the commands.
#
# JITNEY_JAVA_HOME    the Java to use, 17 or later (default: the one in the folder "runtime", if there is one)
# JAVA_HOME           the Java to use if there is neither of them (default: the one on the PATH)
# JAVA_OPTS, JITNEY_JAVA_OPTS    options for the Java machine; the latter override the former
# JITNEY_CACHE_DIR    folder for files that make later starts faster (default: "cache" in the archive, or jitney in your
#                     own cache folder if you cannot write there)
set -eu

fail() {
    echo "jitney: $*" >&2
    exit 1
}

# The folder of the archive, with symbolic links resolved. Only a link needs a program from the PATH.
self=$0
while [ -L "$self" ]; do
    command -v readlink >/dev/null || fail "$self is a link, but readlink was not found. Run the file that it points to."
    link=$(readlink "$self")
    case $link in
        /*) self=$link ;;
        *) self=${self%/*}/$link ;;
    esac
done
case $self in
    */*) ;;
    *) self=./$self ;;
esac
home=$(CDPATH= cd -- "${self%/*}/.." && pwd -P)

advice="Install Java 17 or later, set JAVA_HOME to it, or use the archive that includes Java (jitney-@VERSION@-linux-x64.tar.gz)."
if [ -n "${JITNEY_JAVA_HOME:-}" ]; then
    java=$JITNEY_JAVA_HOME/bin/java
    [ -x "$java" ] || fail "JITNEY_JAVA_HOME is $JITNEY_JAVA_HOME, but there is no bin/java in it. $advice"
elif [ -x "$home/runtime/bin/java" ]; then
    java=$home/runtime/bin/java
elif [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || fail "JAVA_HOME is $JAVA_HOME, but there is no bin/java in it. $advice"
else
    java=$(command -v java) || fail "Java was not found. $advice"
fi

# Prints the Java version. The release file has it without a start of Java.
java_version() {
    real=$java
    while [ -L "$real" ] && command -v readlink >/dev/null; do
        link=$(readlink "$real")
        case $link in
            /*) real=$link ;;
            *) real=${real%/*}/$link ;;
        esac
    done
    found=
    if [ -r "${real%/*}/../release" ]; then
        while IFS='=' read -r key value; do
            [ "$key" != JAVA_VERSION ] || found=$value
        done <"${real%/*}/../release"
        found=${found#\"}
        found=${found%%\"*}
    fi
    if [ -z "$found" ]; then
        found=$("$java" -version 2>&1) || true
        case $found in
            *'version "'*)
                found=${found#*version \"}
                found=${found%%\"*}
                ;;
            *) found= ;;
        esac
    fi
    echo "$found"
}
whole_version=$(java_version)
version=${whole_version%%[!0-9]*}
[ -n "$version" ] || fail "$java does not report its version, so it may be damaged. $advice"
[ "$version" -ge 17 ] || fail "Java 17 or later is needed, but $java is version $whole_version. $advice"

case ${1:-} in
    server)
        part=server
        archive=server
        ;;
    health)
        part=server
        archive=health
        ;;
    doctor)
        part=server
        archive=doctor
        ;;
    cluster)
        part=server
        archive=cluster
        ;;
    backup)
        part=server
        archive=backup
        ;;
    bench | simulate | crash | fuzz | audit-dependencies)
        fail "$1 is a developer tool and not in this archive. Run it from the source tree: ./jitney $1"
        ;;
    queue | topic | subscription | rule)
        part=cli
        archive=entities
        ;;
    *)
        part=cli
        archive=messages
        ;;
esac
case " $* " in
    "  " | *" --help "* | *" -h "* | *" --version "* | *" -V "*) archive=help-$part ;;
esac

# Netty and RocksDB use native code. Java 22 and later warn unless it is allowed.
platform=
if [ "$version" -ge 22 ]; then
    platform="--enable-native-access=ALL-UNNAMED"
fi
if [ "$version" -ge 24 ]; then
    platform="$platform --sun-misc-unsafe-memory-access=allow"
fi

# A server that runs out of memory must end. Acknowledged messages are on disk.
platform="$platform -XX:+ExitOnOutOfMemoryError"

# A command that runs for a second gains nothing from the second compiler. Java cannot check which standard streams are
# terminals, so the launcher passes it on.
if [ "$archive" != server ]; then
    platform="$platform -XX:TieredStopAtLevel=1"
fi
if [ "$part" = cli ] && [ -t 1 ]; then
    platform="$platform -Djitney.screen=true"
fi
if [ "$part" = cli ] && [ -t 2 ]; then
    platform="$platform -Djitney.terminal=true"
    if [ -t 0 ]; then
        platform="$platform -Djitney.questions=true"
    fi
fi

# An archive of parsed classes makes later starts faster. Java 19 and later write it when they end and renew it when it is
# outdated. The folder must belong to the user, because these files are executed like programs.
cache=
if [ "$version" -ge 19 ]; then
    if [ -n "${JITNEY_CACHE_DIR:-}" ]; then
        cache=$JITNEY_CACHE_DIR
    elif [ -O "$home/cache" ] && [ -w "$home/cache" ]; then
        cache=$home/cache
    elif [ -n "${XDG_CACHE_HOME:-}" ]; then
        cache=$XDG_CACHE_HOME/jitney
    elif [ -n "${HOME:-}" ]; then
        cache=$HOME/.cache/jitney
    fi
    if [ -n "$cache" ] && [ ! -d "$cache" ]; then
        (umask 077 && mkdir -p "$cache") 2>/dev/null || cache=
    fi
    if [ -n "$cache" ] && ! { [ -O "$cache" ] && [ -w "$cache" ]; }; then
        cache=
    fi
fi

# The included Java has no such archive of its own, because its bytes differ from build to build. Create it once if the
# folder is writable.
classes=$home/runtime/lib/server/classes.jsa
if [ "$java" = "$home/runtime/bin/java" ] && [ ! -e "$classes" ] && [ -O "${classes%/*}" ] && [ -w "${classes%/*}" ] \
    && command -v mv >/dev/null; then
    [ ! -t 2 ] || echo "Preparing faster starts (once, a few seconds)…" >&2
    if "$java" -Xshare:dump "-XX:SharedArchiveFile=$classes.$$" -Xlog:disable </dev/null >/dev/null 2>&1; then
        mv -f "$classes.$$" "$classes"
    fi
fi

# Only the server's user may read its data and the files that Java writes on a crash.
[ "$archive" != server ] || umask 077

main=dev.jitney.cli.JitneyCommands
[ "$part" != server ] || main=dev.jitney.server.cli.JitneyCli
share=-Xshare:auto
if [ -n "$cache" ]; then
    share="-XX:SharedArchiveFile=$cache/$archive-@VERSION@-$whole_version.jsa"
    platform="$platform -Xshare:auto -XX:+AutoCreateSharedArchive -Xlog:cds=off -Xlog:cds+dynamic=off"
fi

# The options are lists of words on purpose. Later ones override earlier ones.
# shellcheck disable=SC2086
exec "$java" $platform "$share" ${JAVA_OPTS:-} ${JITNEY_JAVA_OPTS:-} -cp "$home/lib/$part.jar" "$main" "$@"
