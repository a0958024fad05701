package dev.jitney.server.doctor.check;

import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The free inodes of the file systems with data. The program df knows them, and Java does not. */
final class InodesCheck implements Check {
    private static final int FREE = 3;
    private static final int COLUMNS_MIN = 6;
    private static final long FEW = 10_000;
    private static final long VERY_FEW = 1_000;

    @Override
    public String name() {
        return "inodes";
    }

    @Override
    public void run(Installation of, Findings to) throws InterruptedException {
        for (Path directory : of.directories()) {
            if (Files.isDirectory(directory)) {
                List<String> lines = Commands.run("df", "-Pi", "--", directory.toString());
                check(directory, lines == null || lines.size() < 2 ? "" : lines.get(lines.size() - 1), to);
            }
        }
        if (to.isClean()) {
            to.ok("There are enough inodes for files.");
        }
    }

    /** @param line a line of {@code df -Pi}: file system, inodes, used, free, share, place */
    static void check(Path directory, String line, Findings to) {
        String[] columns = line.strip().split("\\s+");
        if (columns.length < COLUMNS_MIN || !columns[FREE].matches("\\d{1,18}") || columns[1].equals("0")) {
            return; // no inodes, as on Btrfs, or no df, as on Windows
        }
        long free = Long.parseLong(columns[FREE]);
        String fix = "Delete files on this file system, or make one with more inodes.";
        if (free < VERY_FEW) {
            to.fault("Only " + free + " more files can be created in " + directory + ".", fix);
        } else if (free < FEW) {
            to.warning("Only " + free + " more files can be created in " + directory + ".", fix);
        }
    }
}
