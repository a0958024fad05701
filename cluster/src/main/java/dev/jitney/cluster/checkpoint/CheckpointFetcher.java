package dev.jitney.cluster.checkpoint;

import dev.jitney.cluster.ratis.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the checkpoint of another member into a directory for each store, {@code incoming-N}. Files that are there already
 * with the same name, size and checksum are not fetched again, so an attempt continues the one before (CL-45).
 *
 * <p>One thread calls {@link #fetch} and {@link #requireRoomAsBefore}; any thread may ask for the progress.
 */
public final class CheckpointFetcher {
    /** The room that is left over on a disk, bytes. */
    private static final long SPARE_BYTES = 64L << 20;

    private static final String PART = "~part";

    private final int stores;
    private final IntFunction<Path> workDirectory;
    private final BooleanSupplier cancelled;
    private volatile long bytes;
    private final AtomicLong done = new AtomicLong();

    /** The last checkpoint, if there was no room for it. */
    private @Nullable CheckpointManifest tooLarge;

    /**
     * @param stores        the number of stores
     * @param workDirectory by store, a directory on the same disk
     * @param cancelled     whether to stop
     */
    public CheckpointFetcher(int stores, IntFunction<Path> workDirectory, BooleanSupplier cancelled) {
        this.stores = stores;
        this.workDirectory = workDirectory;
        this.cancelled = cancelled;
    }

    /** Returns the directory of the checkpoint of a store. */
    public Path incoming(int store) {
        return workDirectory.apply(store).resolve("incoming-" + store);
    }

    /**
     * Fetches all files of a checkpoint. They are synced when this method returns.
     *
     * @throws IOException if there is no room, or the member does not answer; call it again to continue
     */
    public void fetch(CheckpointFiles from, CheckpointManifest manifest) throws IOException {
        bytes = manifest.bytes();
        done.set(0);
        for (int store = 0; store < stores; store++) {
            Path directory = incoming(store);
            Files.createDirectories(directory);
            Map<String, Long> wanted = wanted(manifest, store);
            removeOthers(directory, wanted);
            tooLarge = manifest;
            requireRoom(store, wanted, directory);
            tooLarge = null;
            for (CheckpointManifest.File file : manifest.files()) {
                if (file.store() == store) {
                    fetch(from, manifest.id(), file, directory);
                }
            }
            DurableFiles.sync(directory);
        }
    }

    private static Map<String, Long> wanted(CheckpointManifest manifest, int store) {
        Map<String, Long> wanted = new HashMap<>();
        for (CheckpointManifest.File file : manifest.files()) {
            if (file.store() == store) {
                wanted.put(file.name(), file.bytes());
            }
        }
        return wanted;
    }

    /**
     * Checks before a member makes another checkpoint, which costs it a flush of all stores, that there is room for one of the size of
     * the last one. Does nothing if that one had room.
     *
     * @throws IOException if there is still no room
     */
    public void requireRoomAsBefore() throws IOException {
        CheckpointManifest before = tooLarge;
        for (int store = 0; before != null && store < stores; store++) {
            Path directory = incoming(store);
            Files.createDirectories(directory);
            requireRoom(store, wanted(before, store), directory);
        }
    }

    private static void removeOthers(Path directory, Map<String, Long> wanted) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
            for (Path file : found) {
                Long size = wanted.get(String.valueOf(file.getFileName()));
                if (size == null || Files.size(file) != size) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void requireRoom(int store, Map<String, Long> wanted, Path directory) throws IOException {
        long missing = SPARE_BYTES;
        for (Map.Entry<String, Long> file : wanted.entrySet()) {
            if (!Files.exists(directory.resolve(file.getKey()))) {
                missing += file.getValue();
            }
        }
        long room = Files.getFileStore(directory).getUsableSpace();
        if (room < missing) {
            throw new IOException("Expected " + missing + " bytes of room for a checkpoint of store " + store + " in "
                    + directory + ", but there are " + room + ". Make room on this disk.");
        }
    }

    private void fetch(CheckpointFiles from, String id, CheckpointManifest.File file, Path directory)
            throws IOException {
        Path complete = directory.resolve(file.name());
        if (Files.exists(complete)) {
            if (CheckpointSource.checksum(complete) == from.checksum(id, file.store(), file.name())) {
                done.addAndGet(file.bytes());
                return;
            }
            Files.delete(complete);
        }
        Path part = directory.resolve(file.name() + PART);
        CRC32C crc = new CRC32C();
        try (FileChannel out = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            for (long offset = 0; offset < file.bytes(); ) {
                if (cancelled.getAsBoolean()) {
                    throw new IOException("This node stops.");
                }
                int length = (int) Math.min(CheckpointManifest.CHUNK_BYTES, file.bytes() - offset);
                byte[] chunk = from.read(id, file.store(), file.name(), offset, length);
                if (chunk.length != length) {
                    throw new IOException(
                            "Expected " + length + " bytes of " + file.name() + ", but got " + chunk.length + ".");
                }
                crc.update(chunk);
                ByteBuffer buffer = ByteBuffer.wrap(chunk);
                while (buffer.hasRemaining()) {
                    out.write(buffer);
                }
                offset += length;
                done.addAndGet(length);
            }
            out.force(true);
        }
        int checksum = from.checksum(id, file.store(), file.name());
        if ((int) crc.getValue() != checksum) {
            throw new IOException(String.format(
                    "Expected %s with checksum %08x, but got one with %08x.",
                    file.name(), checksum, (int) crc.getValue()));
        }
        Files.move(part, complete);
    }

    /** Deletes what was fetched of a store. */
    public void delete(int store) throws IOException {
        Directories.delete(incoming(store));
    }

    /** Returns how much has been fetched, in percent. */
    public int percent() {
        long all = bytes;
        return all == 0 ? 0 : (int) Math.min(100, 100 * done.get() / all);
    }
}
