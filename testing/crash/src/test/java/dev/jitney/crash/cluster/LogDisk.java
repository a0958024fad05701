package dev.jitney.crash.cluster;

import dev.jitney.crash.support.SmallDisk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A small disk for the log of a node, which can be filled up. Requires Linux and root. */
final class LogDisk implements AutoCloseable {
    private static final int MEBIBYTES = 128;
    private static final int BLOCK = 64 * 1024;

    private final SmallDisk disk;
    private final Path filling;

    private LogDisk(SmallDisk disk) {
        this.disk = disk;
        this.filling = disk.path().resolve("filling");
    }

    /** Mounts a disk for each node. Returns an empty list where that is not allowed, which is an error if JITNEY_CI=true. */
    static List<LogDisk> mount(int count) throws IOException, InterruptedException {
        List<LogDisk> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SmallDisk disk = SmallDisk.mountIfAllowed(MEBIBYTES);
            if (disk == null) {
                return List.of();
            }
            all.add(new LogDisk(disk));
        }
        return List.copyOf(all);
    }

    /** Returns the directory for the log. */
    Path log() {
        return disk.path().resolve("log");
    }

    /** Leaves no byte of room. */
    void fill() throws IOException {
        byte[] block = new byte[BLOCK];
        try (OutputStream to = Files.newOutputStream(filling)) {
            for (int size = BLOCK; size > 0; ) {
                try {
                    to.write(block, 0, size);
                } catch (IOException full) {
                    size /= 2;
                }
            }
        }
    }

    /** Makes room again. */
    void free() throws IOException {
        Files.delete(filling);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        disk.close();
    }
}
