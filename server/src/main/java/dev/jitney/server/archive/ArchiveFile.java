package dev.jitney.server.archive;

import dev.jitney.runtime.store.LogPosition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of an archive, as its header and its end describe it.
 *
 * @param path          the file
 * @param header        its header
 * @param closed        whether it has an end; otherwise it is being written, or was interrupted
 * @param validBytes    the bytes that are complete
 * @param records       the number of its records, without the end
 * @param numbers       of each store, the number of the last commit in the file or before it
 * @param firstMomentMs the first moment in it, in milliseconds since the epoch, or 0
 * @param lastMomentMs  the last moment in it, or 0
 */
record ArchiveFile(
        Path path,
        ArchiveHeader header,
        boolean closed,
        long validBytes,
        long records,
        long[] numbers,
        long firstMomentMs,
        long lastMomentMs) {

    /** Returns the last commit of each store in the file or before it. */
    List<LogPosition> after() {
        List<LogPosition> after = new ArrayList<>();
        for (int i = 0; i < numbers.length; i++) {
            after.add(new LogPosition(header.before().get(i).log(), numbers[i]));
        }
        return after;
    }

    /** Returns whether another file continues this one without a gap. Damaged files may be between them. */
    boolean isContinuedBy(ArchiveFile next) {
        return next.header.sequence() == header.sequence() + 1 + next.header.skipped()
                && next.header.set().equals(header.set())
                && next.header.start() == ArchiveHeader.Start.CONTINUES
                && next.header.before().equals(after());
    }

    /** Returns its file name. */
    String name() {
        return String.valueOf(path.getFileName());
    }
}
