package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive use of a store's directory, among the processes of this machine and within this process.
 *
 * <p>The operating system releases it when the process ends, however it ends. The file holds the id of the process for
 * the message to the one who is refused.
 */
final class DirectoryLock implements AutoCloseable {
    static final String FILE_NAME = "jitney.lock";

    /*
     * POSIX drops all locks of a process on a file as soon as the process closes any descriptor of that file (fcntl,
     * F_SETLK). So a second open within the process must be refused before it opens the file, not after.
     */
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path realDirectory;
    private final FileChannel channel;

    private DirectoryLock(Path realDirectory, FileChannel channel) {
        this.realDirectory = realDirectory;
        this.channel = channel;
    }

    static DirectoryLock acquire(Path directory) throws StoreException, IOException {
        Path real = directory.toRealPath();
        if (!HELD_HERE.add(real)) {
            throw inUse(directory, "this process");
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
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
        release(realDirectory, channel);
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
                        + " uses it. Stop that one, or choose another data directory.");
    }
}
