package dev.jitney.store.rocksdb.files;

import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive use of a store's directory, among the processes of this machine and within this process.
 *
 * <p>The operating system releases the lock when the process ends, even after a crash. The file contains the process
 * id, which the error message for another process shows.
 */
public final class DirectoryLock implements AutoCloseable {
    /** The name of the locked file in the directory. */
    public static final String FILE_NAME = "jitney.lock";

    /*
     * POSIX drops all locks of a process on a file as soon as the process closes any descriptor of that file (fcntl,
     * F_SETLK). So a second open within the process must be refused before it opens the file, not after.
     */
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private Path realDirectory;
    private FileChannel channel;

    /** The identity of the locked file, regardless of its current path; null where the system has none. */
    private @Nullable Object file;

    private boolean closed;

    private DirectoryLock(Path realDirectory, FileChannel channel) throws IOException {
        this.realDirectory = realDirectory;
        this.channel = channel;
        this.file = fileKey(realDirectory);
    }

    /** Returns whether the locked file is still the one in the directory. */
    public boolean isSameFile() {
        try {
            return Objects.equals(file, fileKey(realDirectory));
        } catch (IOException e) {
            return false;
        }
    }

    /** Locks a directory again after its lock was released, or after its file system was mounted again. */
    public void renew(Path directory) throws StoreException, IOException {
        if (!closed && isSameFile()) {
            return;
        }
        close();
        DirectoryLock other = acquire(directory);
        realDirectory = other.realDirectory;
        channel = other.channel;
        file = other.file;
        closed = false;
    }

    private static @Nullable Object fileKey(Path real) throws IOException {
        return Files.readAttributes(real.resolve(FILE_NAME), BasicFileAttributes.class)
                .fileKey();
    }

    /**
     * Locks a directory.
     *
     * @throws StoreException {@code IN_USE} if this or another process has locked it
     */
    public static DirectoryLock acquire(Path directory) throws StoreException, IOException {
        Path real = directory.toRealPath();
        if (!HELD_HERE.add(real)) {
            throw inUse(directory, "this process");
        }
        FileChannel channel = null;
        try {
            channel = OwnerOnly.open(
                    real.resolve(FILE_NAME),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw inUse(directory, holder(channel));
            }
            channel.truncate(0);
            channel.write(
                    StandardCharsets.US_ASCII.encode(
                            Long.toString(ProcessHandle.current().pid())),
                    0);
            return new DirectoryLock(real, channel);
        } catch (StoreException | IOException | RuntimeException e) {
            release(real, channel);
            throw e;
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            release(realDirectory, channel);
        }
    }

    private static void release(Path real, @Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            HELD_HERE.remove(real);
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(20);
        channel.read(content, 0);
        String pid = StandardCharsets.US_ASCII.decode(content.flip()).toString();
        return pid.matches("\\d{1,19}") ? "process " + pid : "another process";
    }

    private static StoreException inUse(Path directory, String holder) {
        return new StoreException(
                StoreException.Reason.IN_USE,
                "Expected to be the only user of the messaging store in " + directory + ", but " + holder
                        + " uses it. Stop that process, or choose another data directory.");
    }
}
