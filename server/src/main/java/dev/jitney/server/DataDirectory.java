package dev.jitney.server;

import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data directory, held by one server at a time.
 *
 * <p>A new directory is private to its owner (mode 0700). An existing directory keeps its mode; Jitney logs a warning
 * if others can access it. Files that the server creates in it are always private to their owner.
 *
 * <p>The hold is an operating system lock on {@code server.lock}, which always ends with the process.
 */
public final class DataDirectory implements AutoCloseable {
    /**
     * Lies beyond the text, because some systems make a locked region unreadable and other processes need to read the
     * text.
     */
    private static final long LOCKED_POSITION = Long.MAX_VALUE - 1;

    private static final int MAX_OWNER_BYTES = 64;

    /** The files that the server creates in a data directory. */
    private static final String OURS =
            "{server.lock,stores.properties*,entities-*.copy*,store-*,tls,native,raft,cluster.properties*,checkpoints-*}";

    private static final Logger log = LoggerFactory.getLogger(DataDirectory.class);

    private final Path path;
    private final FileChannel channel;

    private DataDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Creates the directory if needed and locks it.
     *
     * @throws StartException if another process has locked it, or it cannot be written
     */
    public static DataDirectory hold(Path dir) throws StartException {
        Path path = dir.toAbsolutePath().normalize();
        try {
            boolean there = Files.isDirectory(path);
            OwnerOnly.createDirectories(path);
            if (there && OwnerOnly.isOpenToOthers(path)) {
                log.warn(
                        "--data-dir {}: Other users of this machine can access this existing directory. The files of the"
                                + " server in it are private. To make the directory private too, run: chmod 700 {}",
                        dir,
                        path);
            }
        } catch (FileAlreadyExistsException e) {
            throw StartException.fault(
                    "--data-dir " + dir + ": Expected a directory, but it is a file. Choose another directory.", e);
        } catch (IOException e) {
            throw StartException.fault(
                    "--data-dir " + dir + ": Cannot create the directory (" + e
                            + "). Choose a directory that this user can write to.",
                    e);
        }
        FileChannel channel = null;
        try {
            channel = OwnerOnly.open(
                    path.resolve("server.lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            FileLock lock = tryLock(channel);
            if (lock == null) {
                String owner = owner(channel);
                channel.close();
                throw StartException.fault("--data-dir " + dir + ": Another server" + owner
                        + " uses this directory. Stop that server, or choose another directory.");
            }
            byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
            tighten(path);
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(pid), 0);
            return new DataDirectory(path, channel);
        } catch (IOException e) {
            closeQuietly(channel);
            throw StartException.fault(
                    "--data-dir " + dir + ": Cannot write to the directory (" + e
                            + "). Choose a directory that this user can write to.",
                    e);
        }
    }

    /** Makes files private that an older version created without doing so. Other files keep their mode. */
    private static void tighten(Path path) throws IOException {
        try (DirectoryStream<Path> ours = Files.newDirectoryStream(path, OURS)) {
            for (Path file : ours) {
                if (!OwnerOnly.tighten(file)) {
                    log.warn("{}: Cannot make this file private to its owner. Check its permissions.", file);
                }
            }
        }
    }

    /** Returns the absolute path. */
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
            // The lock ends with the handle in any case.
        }
    }
}
