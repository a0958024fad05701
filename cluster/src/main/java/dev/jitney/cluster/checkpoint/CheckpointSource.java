package dev.jitney.cluster.checkpoint;

import dev.jitney.cluster.ratis.LogPoint;
import dev.jitney.runtime.store.ReplicaStore;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes checkpoints of the stores of this node and reads their files, for members whose log ends too early (CL-40). A
 * checkpoint consists of hard links, so it keeps files that the store has deleted. It is removed when it is released, or
 * after ten minutes without a reader. Thread-safe.
 */
public final class CheckpointSource implements CheckpointFiles, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointSource.class);

    /** The maximum number of checkpoints at a time: one for each follower of a cluster of seven would be six. */
    static final int OPEN_MAX = 3;

    static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final String PREFIX = "checkpoint-";
    private static final int ID_BYTES = 8;
    private static final int BUFFER_BYTES = 1 << 18;

    private final List<? extends ReplicaStore> stores;
    private final IntFunction<Path> workDirectory;
    private final Supplier<LogPoint> point;
    private final AtomicLong made = new AtomicLong();
    private final LongSupplier nanos;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Open> open = new HashMap<>();

    /** A checkpoint that exists. */
    private static final class Open {
        final LogPoint point;
        long readNanos;

        Open(LogPoint point, long readNanos) {
            this.point = point;
            this.readNanos = readNanos;
        }
    }

    /**
     * @param stores        the stores
     * @param workDirectory by store, a directory on the same disk
     * @param point         the place in the log that a checkpoint made from now on certainly contains
     * @param nanos         a clock that does not run back, in nanoseconds
     */
    public CheckpointSource(
            List<? extends ReplicaStore> stores,
            IntFunction<Path> workDirectory,
            Supplier<LogPoint> point,
            LongSupplier nanos) {
        this.stores = List.copyOf(stores);
        this.workDirectory = workDirectory;
        this.point = point;
        this.nanos = nanos;
    }

    /** Removes checkpoints of an earlier process. */
    public void removeLeftovers() throws IOException {
        for (int i = 0; i < stores.size(); i++) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(workDirectory.apply(i), PREFIX + "*")) {
                for (Path directory : found) {
                    Directories.delete(directory);
                }
            } catch (NoSuchFileException e) {
                LOG.debug("{} has no checkpoints.", e.getFile());
            }
        }
    }

    /** Returns the number of checkpoints that were made since the start. */
    public long made() {
        return made.get();
    }

    @Override
    public CheckpointManifest make() throws IOException {
        String id;
        LogPoint from;
        synchronized (this) {
            removeIdle();
            if (open.size() >= OPEN_MAX) {
                throw new IOException("Expected at most " + OPEN_MAX + " checkpoints at a time, but this is one more.");
            }
            byte[] bytes = new byte[ID_BYTES];
            random.nextBytes(bytes);
            id = HexFormat.of().formatHex(bytes);
            from = point.get();
            // From here on the log behind it is kept.
            open.put(id, new Open(from, nanos.getAsLong()));
        }
        try {
            List<CheckpointManifest.File> files = new ArrayList<>();
            for (int i = 0; i < stores.size(); i++) {
                Path directory = directory(id, i);
                Files.createDirectories(workDirectory.apply(i));
                stores.get(i).checkpoint(directory);
                list(i, directory, files);
            }
            made.incrementAndGet();
            return new CheckpointManifest(id, from, files);
        } catch (IOException | StoreException | RuntimeException e) {
            release(id);
            throw new IOException("Could not make a checkpoint: " + e.getMessage(), e);
        }
    }

    private static void list(int store, Path directory, List<CheckpointManifest.File> files) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
            for (Path file : found) {
                String name = String.valueOf(file.getFileName());
                if (!Files.isRegularFile(file) || !CheckpointManifest.isName(name)) {
                    throw new IOException("Expected files only in " + directory + ", but got '" + name + "'.");
                }
                files.add(new CheckpointManifest.File(store, name, Files.size(file)));
            }
        }
        if (files.size() > CheckpointManifest.FILES_MAX) {
            throw new IOException("Expected at most " + CheckpointManifest.FILES_MAX + " files.");
        }
    }

    private Path directory(String id, int store) {
        return workDirectory.apply(store).resolve(PREFIX + id + "-" + store);
    }

    private Path file(String id, int store, String name) throws IOException {
        synchronized (this) {
            Open found = CheckpointManifest.isId(id) ? open.get(id) : null;
            if (found == null || store < 0 || store >= stores.size() || !CheckpointManifest.isName(name)) {
                throw new IOException("Expected a file of a checkpoint that is open, but there is none.");
            }
            found.readNanos = nanos.getAsLong();
        }
        return directory(id, store).resolve(name);
    }

    @Override
    public int checksum(String checkpoint, int store, String file) throws IOException {
        return checksum(file(checkpoint, store, file));
    }

    static int checksum(Path file) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            while (in.read(buffer) >= 0) {
                crc.update(buffer.flip());
                buffer.clear();
            }
        }
        return (int) crc.getValue();
    }

    @Override
    public byte[] read(String checkpoint, int store, String file, long offset, int length) throws IOException {
        if (offset < 0 || length < 0 || length > CheckpointManifest.CHUNK_BYTES) {
            throw new IOException("Expected at most " + CheckpointManifest.CHUNK_BYTES + " bytes of a file.");
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try (FileChannel in = FileChannel.open(file(checkpoint, store, file), StandardOpenOption.READ)) {
            while (bytes.hasRemaining()) {
                if (in.read(bytes, offset + bytes.position()) < 0) {
                    throw new IOException(
                            "Expected " + length + " bytes at " + offset + " of " + file + ", but it ends before.");
                }
            }
        }
        return bytes.array();
    }

    @Override
    public void release(String checkpoint) throws IOException {
        synchronized (this) {
            if (open.remove(checkpoint) == null) {
                return;
            }
        }
        for (int i = 0; i < stores.size(); i++) {
            Directories.delete(directory(checkpoint, i));
        }
    }

    /** Removes checkpoints without a reader in the last ten minutes. */
    public synchronized void removeIdle() throws IOException {
        long now = nanos.getAsLong();
        for (Map.Entry<String, Open> each : List.copyOf(open.entrySet())) {
            if (now - each.getValue().readNanos >= IDLE_NANOS) {
                release(each.getKey());
            }
        }
    }

    /** Returns the smallest index behind which the log must be kept for members that read a checkpoint. */
    public synchronized long keepFrom() {
        return open.values().stream()
                .mapToLong(each -> each.point.index())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Removes all checkpoints. */
    @Override
    public synchronized void close() {
        for (String id : List.copyOf(open.keySet())) {
            try {
                release(id);
            } catch (IOException e) {
                LOG.warn("Could not remove a checkpoint; the next start does: {}", e.getMessage());
            }
        }
    }
}
