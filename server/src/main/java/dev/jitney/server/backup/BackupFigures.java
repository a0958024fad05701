package dev.jitney.server.backup;

/**
 * Numbers about the backups of a server.
 *
 * @param lastMomentMs    the moment of the last complete backup, in milliseconds since the epoch; 0 if there is none
 * @param lastBytes       the bytes of its files
 * @param lastNewBytes    those that no older backup had
 * @param lastDurationMs  its duration, if the server has made it since its start
 * @param lastPausedNanos the time for which commits waited, if the server has made it since its start
 * @param complete        the number of complete backups since the start
 * @param failed          the number of failed backups since the start
 */
public record BackupFigures(
        long lastMomentMs,
        long lastBytes,
        long lastNewBytes,
        long lastDurationMs,
        long lastPausedNanos,
        long complete,
        long failed) {

    /** No backups. */
    static final BackupFigures NONE = new BackupFigures(0, 0, 0, 0, 0, 0, 0);

    BackupFigures found(Manifest newest) {
        return new BackupFigures(
                newest.momentMs(),
                newest.bytes(),
                newest.newBytes(),
                lastDurationMs,
                lastPausedNanos,
                complete,
                failed);
    }

    BackupFigures made(Manifest made, long durationMs, long pausedNanos) {
        return new BackupFigures(
                made.momentMs(), made.bytes(), made.newBytes(), durationMs, pausedNanos, complete + 1, failed);
    }

    BackupFigures oneFailed() {
        return new BackupFigures(
                lastMomentMs, lastBytes, lastNewBytes, lastDurationMs, lastPausedNanos, complete, failed + 1);
    }
}
