package dev.jitney.store.rocksdb.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates files with mode 0600 and directories with mode 0700. They have this mode from the first moment, regardless
 * of the umask. On file systems without owners, the default modes apply. Thread-safe.
 */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OTHERS = PosixFilePermissions.fromString("---rwxrwx");

    private OwnerOnly() {}

    /** Creates a directory and its missing parents; existing directories keep their modes. */
    public static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory, attributes(directory, DIRECTORY));
    }

    /** Creates a file that does not exist yet. */
    public static Path createFile(Path file) throws IOException {
        return Files.createFile(file, attributes(file, FILE));
    }

    /**
     * Opens a file as {@link FileChannel#open(Path, OpenOption...)} does; a file that this creates is readable by its
     * owner only.
     */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), attributes(file, FILE));
    }

    /**
     * Returns whether other users than the owner may read, write or enter it; false where the file system does not
     * support that.
     */
    public static boolean isOpenToOthers(Path path) {
        try {
            Set<PosixFilePermission> found = EnumSet.noneOf(PosixFilePermission.class);
            found.addAll(Files.getPosixFilePermissions(path));
            return found.removeAll(OTHERS);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /**
     * Removes the permissions of other users from a file, or from a directory and all its contents. It does not
     * follow links.
     *
     * @return whether no permissions of other users are left; false if the system refused a change
     */
    public static boolean tighten(Path path) {
        boolean[] done = {true};
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    done[0] &= tighten(directory, DIRECTORY);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    done[0] &= !attributes.isRegularFile() || tighten(file, FILE);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE; // deleted meanwhile, or reported when it is used
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            return false;
        }
        return done[0];
    }

    private static boolean tighten(Path path, Set<PosixFilePermission> wanted) {
        if (!isOpenToOthers(path)) {
            return true;
        }
        try {
            Files.setPosixFilePermissions(path, wanted);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) throws IOException {
        Path there = path.toAbsolutePath();
        while (there.getParent() != null && !Files.exists(there)) {
            there = there.getParent();
        }
        return Files.getFileStore(there).supportsFileAttributeView("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }
}
