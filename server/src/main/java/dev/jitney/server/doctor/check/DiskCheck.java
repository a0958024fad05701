package dev.jitney.server.doctor.check;

import dev.jitney.server.archive.ArchiveOptions;
import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The free space of the file systems with data, and whether backups and the archive are on other ones. */
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
            FileStore disk = disk(directory);
            if (disk != null) {
                check(directory, disk, to);
            }
        }
        ArchiveOptions archive = of.options().archive();
        if (archive != null) {
            checkOther("--archive-dir", archive.directory(), of, to);
        }
        Path backups = of.options().backupDir();
        if (backups != null) {
            checkOther("--backup-dir", backups, of, to);
        }
        if (of.directories().isEmpty()) {
            to.ok("Everything is in memory.");
        }
    }

    private static @Nullable FileStore disk(Path directory) throws IOException {
        Path existing = directory.toAbsolutePath();
        while (existing != null && !Files.isDirectory(existing)) {
            existing = existing.getParent();
        }
        return existing == null ? null : Files.getFileStore(existing);
    }

    /** Compares the disk of copies with those of the data. */
    private static void checkOther(String option, Path copies, Installation of, Findings to) throws IOException {
        FileStore disk = disk(copies);
        for (Path directory : of.directories()) {
            if (disk != null && disk.equals(disk(directory))) {
                to.warning(
                        option + " " + copies + " is on the disk of " + directory
                                + ", so that one failure may destroy both, and one may fill the space of the other.",
                        "Use another disk for " + option + " (docs/guides/backup.md).");
                return;
            }
        }
        if (disk != null && disk.getUsableSpace() < Math.min(RESERVE_BYTES, disk.getTotalSpace() / 2)) {
            to.warning(
                    Sizes.of(disk.getUsableSpace()) + " are free for " + option + " " + copies + ".",
                    "Delete old backups with 'jitney backup prune', or use a larger disk (docs/guides/backup.md).");
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
