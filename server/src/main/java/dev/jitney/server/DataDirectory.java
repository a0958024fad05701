package dev.jitney.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The directory that everything is kept in, held by one server at a time.
 *
 * <p>The hold is a lock of the operating system on {@code server.lock}, which ends with the process, however that ends.
 */
final class DataDirectory implements AutoCloseable {
    /** Beyond the text, because some systems make a locked region unreadable and others are to read the text. */
    private static final long LOCKED_POSITION = Long.MAX_VALUE - 1;

    private static final int MAX_OWNER_BYTES = 64;

    private final Path path;
    private final FileChannel channel;

    private DataDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Makes the directory if need be and takes hold of it. */
    static DataDirectory hold(Path dir) throws StartException {
        Path path = dir.toAbsolutePath().normalize();
        try {
            Files.createDirectories(path);
        } catch (FileAlreadyExistsException e) {
            throw StartException.fault(
                    "--data-dir " + dir + ": Expected a directory, but it is a file; give another.", e);
        } catch (IOException e) {
            throw StartException.fault(
                    "--data-dir " + dir + ": The directory cannot be made (" + e
                            + "); give one that this user may write to.",
                    e);
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    path.resolve("server.lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            FileLock lock = tryLock(channel);
            if (lock == null) {
                String owner = owner(channel);
                channel.close();
                throw StartException.fault("--data-dir " + dir + ": Another server" + owner
                        + " uses this directory; stop it, or give this one a directory of its own.");
            }
            byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(pid), 0);
            return new DataDirectory(path, channel);
        } catch (IOException e) {
            closeQuietly(channel);
            throw StartException.fault(
                    "--data-dir " + dir + ": The directory cannot be written (" + e
                            + "); give one that this user may write to.",
                    e);
        }
    }

    /** The absolute path. */
    Path path() {
        return path;
    }

    @Override
    public void close() {
        closeQuietly(channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock(LOCKED_POSITION, 1, false);
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(MAX_OWNER_BYTES);
        channel.read(text, 0);
        String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
        return pid.matches("\\d+") ? " (process " + pid + ")" : "";
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // The process ends or goes elsewhere; the lock goes with the handle in any case.
        }
    }
}
