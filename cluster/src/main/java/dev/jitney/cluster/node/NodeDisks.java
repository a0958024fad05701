package dev.jitney.cluster.node;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The disks of a node: those of its log and of its stores (CL-41, CL-43).
 *
 * <p>A disk has a reserve of 1 GiB, or of a fifth of its size if that is less, as a store has it. Below the reserve the node has
 * no room for more messages. Below an eighth of it the node stops taking part, because its log and its stores must not meet a
 * full disk in the middle of an entry; it begins again with a quarter of the reserve. A size that cannot be read counts as
 * room, because the stores notice a disk that is gone.
 *
 * <p>Any thread may call the methods.
 */
final class NodeDisks {
    private static final long RESERVE_MAX = 1L << 30;
    private static final int RESERVE_SHARE = 5;
    private static final int STOP_SHARE = 8;
    private static final int RESTART_SHARE = 4;
    private static final int LOG_SHARE = 10;

    private final Disk log;
    private final List<Disk> all;

    /** A disk. */
    interface Disk {
        /** Returns the free bytes. */
        long usableBytes() throws IOException;

        /** Returns the size in bytes. */
        long totalBytes() throws IOException;

        /** Returns a directory on it, for messages. */
        Path directory();
    }

    /**
     * @param log    the disk of the log
     * @param stores the disks of the stores
     */
    NodeDisks(Disk log, List<Disk> stores) {
        this.log = log;
        all = new ArrayList<>(stores);
        all.add(0, log);
    }

    /**
     * Returns the disks of directories that may not exist yet.
     *
     * @param log    the directory of the log
     * @param stores directories on the disks of the stores
     */
    static NodeDisks of(Path log, List<Path> stores) throws IOException {
        Set<FileStore> known = new LinkedHashSet<>();
        Disk first = disk(log);
        known.add(Files.getFileStore(existing(log)));
        List<Disk> others = new ArrayList<>();
        for (Path store : stores) {
            if (known.add(Files.getFileStore(existing(store)))) {
                others.add(disk(store));
            }
        }
        return new NodeDisks(first, others);
    }

    private static Path existing(Path directory) throws IOException {
        for (Path path = directory.toAbsolutePath(); path != null; path = path.getParent()) {
            if (Files.exists(path)) {
                return path;
            }
        }
        throw new IOException("Expected a directory, but " + directory + " does not exist.");
    }

    private static Disk disk(Path directory) throws IOException {
        FileStore store = Files.getFileStore(existing(directory));
        return new Disk() {
            @Override
            public long usableBytes() throws IOException {
                return store.getUsableSpace();
            }

            @Override
            public long totalBytes() throws IOException {
                return store.getTotalSpace();
            }

            @Override
            public Path directory() {
                return directory;
            }
        };
    }

    /**
     * Returns the size to keep of the log: a tenth of its disk at most (CL-41).
     *
     * @param wanted the size by the settings, bytes
     */
    long logBytesMax(long wanted) {
        try {
            return Math.min(wanted, log.totalBytes() / LOG_SHARE);
        } catch (IOException e) {
            return wanted;
        }
    }

    /** Returns whether the disk of the log has room for more messages. The stores watch over their disks themselves. */
    boolean logHasRoom() {
        try {
            return log.usableBytes() >= reserve(log);
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns the free bytes of the fullest disk, or -1 if they cannot be read. */
    long freeBytes() {
        long free = Long.MAX_VALUE;
        for (Disk disk : all) {
            try {
                free = Math.min(free, disk.usableBytes());
            } catch (IOException e) {
                return -1;
            }
        }
        return free;
    }

    /** Returns null unless a disk is so full that the node must stop taking part: then a sentence about it. */
    @Nullable
    String full() {
        return full(STOP_SHARE);
    }

    /** Returns null if there is room to take part again, otherwise a sentence about the disk without room. */
    @Nullable
    String stillFull() {
        return full(RESTART_SHARE);
    }

    private @Nullable String full(int share) {
        for (Disk disk : all) {
            try {
                long needed = reserve(disk) / share;
                long usable = disk.usableBytes();
                if (usable < needed) {
                    return "The disk of " + disk.directory() + " is nearly full: expected at least " + needed
                            + " free bytes, but there are " + usable
                            + ". Make room; the node then takes part again automatically.";
                }
            } catch (IOException e) {
                // The log and the stores notice a disk that is gone.
            }
        }
        return null;
    }

    private static long reserve(Disk disk) throws IOException {
        return Math.min(RESERVE_MAX, disk.totalBytes() / RESERVE_SHARE);
    }
}
