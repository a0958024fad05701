package dev.jitney.server.archive;

/**
 * The state of an archive that is being written.
 *
 * @param lastMomentMs  the last moment to which a backup can be restored, in milliseconds since the epoch; 0 if there is none yet
 * @param bytes         the bytes that were written since the start of the server
 * @param commits       the commits that were written since then
 * @param failures      the number of times at which the archive could not be written
 * @param missedMoments the number of moments that did not happen, because a store was slow or unavailable
 * @param gaps          the number of gaps since the start of the server
 * @param failing       whether the archive cannot be written now
 */
public record ArchiveFigures(
        long lastMomentMs, long bytes, long commits, long failures, long missedMoments, long gaps, boolean failing) {}
