package dev.jitney.server.doctor.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The permissions of files on systems with owners and modes. */
final class Modes {
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private static final Set<PosixFilePermission> WRITERS =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private Modes() {}

    /** Returns the mode as in {@code rw-r--r--} if other users may read or write the file, else null. A link is followed. */
    static @Nullable String openToOthers(Path path) throws IOException {
        return withAny(path, OTHERS);
    }

    /** Returns the mode if other users may write the file, else null. */
    static @Nullable String writableByOthers(Path path) throws IOException {
        return withAny(path, WRITERS);
    }

    private static @Nullable String withAny(Path path, Set<PosixFilePermission> unwanted) throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return null;
        }
        Set<PosixFilePermission> found = EnumSet.noneOf(PosixFilePermission.class);
        Set<PosixFilePermission> all = Files.getPosixFilePermissions(path);
        found.addAll(all);
        return found.removeAll(unwanted) ? PosixFilePermissions.toString(all) : null;
    }

    /** Returns the name of the owner, or null on a system without owners. */
    static @Nullable String owner(Path path) throws IOException {
        return path.getFileSystem().supportedFileAttributeViews().contains("owner")
                ? Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName()
                : null;
    }
}
