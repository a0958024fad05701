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
 * The directory that everything is kept in, held by one server at a time.
 *
 * <p>It is made for its owner alone (mode 0700). One that was there keeps its mode, with a warning if others can look into
 * it; what the server makes in it is its owner's alone in any case.
 *
 * <p>The hold is a lock of the operating system on {@code server.lock}, which ends with the process, however that ends.
 */
final class DataDirectory implements AutoCloseable {
    /** Beyond the text, because some systems make a locked region unreadable and others are to read the text. */
    private static final long LOCKED_POSITION = Long.MAX_VALUE - 1;

    private static final int MAX_OWNER_BYTES = 64;

    /** What the server makes in a data directory. */
    private static final String OURS = "{server.lock,stores.properties*,entities-*.copy*,store-*,tls,native}";

    private static final Logger log = LoggerFactory.getLogger(DataDirectory.class);

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
            boolean there = Files.isDirectory(path);
            OwnerOnly.createDirectories(path);
            if (there && OwnerOnly.isOpenToOthers(path)) {
                log.warn(
                        "--data-dir {}: Other users of this machine can look into this directory, which was there"
                                + " before. What the server keeps in it is its user's alone; to close the directory"
                                + " too: chmod 700 {}",
                        dir,
                        path);
            }
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
                        + " uses this directory; stop it, or give this one a directory of its own.");
            }
            byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
            tighten(path);
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

    /** Closes to others what is ours in it and was made by a version that did not; what else is there stays as it is. */
    private static void tighten(Path path) throws IOException {
        try (DirectoryStream<Path> ours = Files.newDirectoryStream(path, OURS)) {
            for (Path file : ours) {
                if (!OwnerOnly.tighten(file)) {
                    log.warn("{}: The system does not let the server close this to other users; look after it.", file);
                }
            }
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
