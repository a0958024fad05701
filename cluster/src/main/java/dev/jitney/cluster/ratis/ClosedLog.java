package dev.jitney.cluster.ratis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The log of a node whose server does not run. If the log itself has filled its disk, only this makes room, because a running server
 * removes old files, and a node without room starts none.
 */
public final class ClosedLog {

    private ClosedLog() {}

    /**
     * Removes log files that no store needs and that exceed a size, as a running server does (CL-41). Call it while no server uses the
     * directory.
     *
     * @param directory the directory of the log
     * @param cluster   the id of the cluster
     * @param bytesMax  the size to keep
     * @return whether files were removed
     */
    public static boolean tidy(Path directory, UUID cluster, long bytesMax) throws IOException {
        ReplayPoint known = ReplayPoint.read(directory);
        LogFiles files = LogFiles.of(directory, cluster);
        long last = known == null ? -1 : files.removable(known.point().index(), bytesMax);
        if (last < 0) {
            return false;
        }
        files.removeUpTo(last);
        return true;
    }
}
