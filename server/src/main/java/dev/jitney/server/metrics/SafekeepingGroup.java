package dev.jitney.server.metrics;

import dev.jitney.server.archive.ArchiveFigures;
import dev.jitney.server.backup.BackupFigures;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;

/** The metrics of backups, and of the archive of commits. */
final class SafekeepingGroup {
    private static final double MS_PER_SECOND = 1_000.0;

    private static final Family BACKUP_TIME = Family.gauge(
            "jitney_backup_last_success_timestamp_seconds",
            "The moment whose data the last complete backup has, in seconds since 1970.");
    private static final Family BACKUP_BYTES =
            Family.gauge("jitney_backup_last_success_bytes", "The bytes of all files of the last complete backup.");
    private static final Family BACKUP_NEW_BYTES = Family.gauge(
            "jitney_backup_last_success_new_bytes",
            "The bytes of files of the last complete backup that no older backup had.");
    private static final Family BACKUP_DURATION = Family.gauge(
            "jitney_backup_last_success_duration_seconds",
            "The duration of the last complete backup since the start of the server, in seconds.");
    private static final Family BACKUP_PAUSE = Family.gauge(
            "jitney_backup_last_success_pause_seconds",
            "The time for which commits waited at the moment of the last complete backup since the start, in seconds.");
    private static final Family BACKUPS =
            Family.counter("jitney_backup_runs", "Backups since the start, by result: complete, failed.");

    private static final Family MOMENT = Family.gauge(
            "jitney_archive_last_moment_timestamp_seconds",
            "The last moment that a backup can be restored to with the archive, in seconds since 1970.");
    private static final Family AGE = Family.gauge(
            "jitney_archive_last_moment_age_seconds", "The time since the last moment of the archive, in seconds.");
    private static final Family BYTES =
            Family.counter("jitney_archive_bytes", "Bytes of commits that were written to the archive.");
    private static final Family COMMITS =
            Family.counter("jitney_archive_commits", "Commits that were written to the archive.");
    private static final Family FAILURES =
            Family.counter("jitney_archive_failures", "Failed attempts to write the archive.");
    private static final Family MISSED = Family.counter(
            "jitney_archive_missed_moments",
            "Moments that did not happen, because a store was slow or unavailable. Backups cannot be restored to them.");
    private static final Family GAPS = Family.counter(
            "jitney_archive_gaps",
            "Gaps of the archive. Take a new backup after each: older ones do not reach behind it.");
    private static final Family FAILING =
            Family.gauge("jitney_archive_failing", "1 while the archive cannot be written, otherwise 0.");

    static final List<Family> FAMILIES = List.of(
            BACKUP_TIME,
            BACKUP_BYTES,
            BACKUP_NEW_BYTES,
            BACKUP_DURATION,
            BACKUP_PAUSE,
            BACKUPS,
            MOMENT,
            AGE,
            BYTES,
            COMMITS,
            FAILURES,
            MISSED,
            GAPS,
            FAILING);

    private SafekeepingGroup() {}

    static void collect(Safekeeping state, long nowMs, Samples samples) {
        BackupFigures backups = state.backups();
        if (backups != null) {
            if (backups.lastMomentMs() > 0) {
                samples.add(BACKUP_TIME, Labels.EMPTY, backups.lastMomentMs() / MS_PER_SECOND);
                samples.add(BACKUP_BYTES, Labels.EMPTY, backups.lastBytes());
                samples.add(BACKUP_NEW_BYTES, Labels.EMPTY, backups.lastNewBytes());
            }
            if (backups.complete() > 0) {
                samples.add(BACKUP_DURATION, Labels.EMPTY, backups.lastDurationMs() / MS_PER_SECOND);
                samples.add(BACKUP_PAUSE, Labels.EMPTY, backups.lastPausedNanos() / (MS_PER_SECOND * 1_000_000));
            }
            samples.add(BACKUPS, Labels.of("result", "complete"), backups.complete());
            samples.add(BACKUPS, Labels.of("result", "failed"), backups.failed());
        }
        ArchiveFigures archive = state.archive();
        if (archive != null) {
            if (archive.lastMomentMs() > 0) {
                samples.add(MOMENT, Labels.EMPTY, archive.lastMomentMs() / MS_PER_SECOND);
                samples.add(AGE, Labels.EMPTY, Math.max(0, nowMs - archive.lastMomentMs()) / MS_PER_SECOND);
            }
            samples.add(BYTES, Labels.EMPTY, archive.bytes());
            samples.add(COMMITS, Labels.EMPTY, archive.commits());
            samples.add(FAILURES, Labels.EMPTY, archive.failures());
            samples.add(MISSED, Labels.EMPTY, archive.missedMoments());
            samples.add(GAPS, Labels.EMPTY, archive.gaps());
            samples.add(FAILING, Labels.EMPTY, archive.failing() ? 1 : 0);
        }
    }
}
