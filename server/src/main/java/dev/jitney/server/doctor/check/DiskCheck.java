package dev.jitney.server.doctor.check;

import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** The free space of the file systems with data. */
final class DiskCheck implements Check {
    /** The reserve below which a store refuses to grow, as in the capacity planning guide. */
    private static final long RESERVE_BYTES = Sizes.GIB;

    private static final double SMALL_SHARE = 0.1;

    @Override
    public String name() {
        return "disk";
    }

    @Override
    public void run(Installation of, Findings to) throws IOException {
        for (Path directory : of.directories()) {
            Path existing = directory;
            while (existing != null && !Files.isDirectory(existing)) {
                existing = existing.getParent();
            }
            if (existing != null) {
                check(directory, Files.getFileStore(existing), to);
            }
        }
        if (of.directories().isEmpty()) {
            to.ok("Everything is in memory.");
        }
    }

    private static void check(Path directory, FileStore disk, Findings to) throws IOException {
        long free = disk.getUsableSpace();
        long total = disk.getTotalSpace();
        long reserve = Math.min(RESERVE_BYTES, total / 2);
        String sizes = Sizes.of(free) + " of " + Sizes.of(total) + " are free for " + directory;
        String fix = "Free space, receive messages, or use a larger disk (docs/guides/capacity-planning.md).";
        if (disk.isReadOnly()) {
            to.fault(
                    "The file system of " + directory + " is read-only.",
                    "See the log of the kernel, and replace the disk.");
        } else if (free < reserve) {
            to.fault(sizes + ". The stores refuse new messages below " + Sizes.of(reserve) + ".", fix);
        } else if (free < 2 * reserve || free < total * SMALL_SHARE) {
            to.warning(sizes + ". The stores refuse new messages below " + Sizes.of(reserve) + ".", fix);
        } else {
            to.ok(sizes + ".");
        }
    }
}
