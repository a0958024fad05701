package dev.jitney.server.backup;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.server.archive.ArchiveDirectory;
import dev.jitney.server.archive.ArchiveDirectory.Origin;
import dev.jitney.server.archive.ArchiveException;
import dev.jitney.server.archive.ArchiveTarget;
import dev.jitney.server.archive.Timeline;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The archive of commits, as backups use it. */
public final class BackupArchive {
    private BackupArchive() {}

    /** Returns the positions of a backup in the archive. */
    public static Origin origin(Manifest manifest) {
        List<LogPosition> at = new ArrayList<>();
        manifest.stores().forEach(store -> at.add(new LogPosition(store.log(), store.lastCommit())));
        return new Origin(manifest.momentMs(), at);
    }

    /**
     * Reads the headers of all files of an archive.
     *
     * @throws BackupException if there is none, or it cannot be read
     */
    public static Timeline timeline(Path archive) throws BackupException {
        try {
            return Timeline.of(ArchiveDirectory.existing(archive));
        } catch (ArchiveException e) {
            throw refused(e);
        }
    }

    /**
     * Deletes the files of an archive that no backup of a directory needs.
     *
     * @return the number of deleted files
     * @throws BackupException if a manifest cannot be read, because its needs are unknown, or a file cannot be deleted
     */
    public static int prune(BackupDirectory backups, Path archive) throws BackupException {
        List<Origin> kept = new ArrayList<>();
        for (BackupDirectory.Entry entry : backups.list()) {
            Manifest manifest = entry.manifest();
            if (manifest == null) {
                throw new BackupException(
                        "Backup " + entry.id() + ": " + entry.trouble()
                                + " Jitney deletes no files of the archive while a manifest cannot be read. Repair or delete it.");
            }
            kept.add(origin(manifest));
        }
        try {
            return kept.isEmpty() ? 0 : ArchiveDirectory.existing(archive).pruneFor(kept);
        } catch (ArchiveException e) {
            throw refused(e);
        }
    }

    /**
     * A backup, and the moment that it is restored to.
     *
     * @param manifest the backup
     * @param target   the moment, or null for that of the backup
     */
    public record Choice(Manifest manifest, @Nullable ArchiveTarget target) {}

    /**
     * Chooses the newest backup before a time, or a given one, and finds the last moment at or before the time.
     *
     * @param id   the backup, or null for the newest one before the time
     * @param toMs the time, in milliseconds since the epoch
     * @throws BackupException if the time cannot be reached; the message has the times that can be reached
     */
    public static Choice choose(BackupDirectory backups, @Nullable String id, Path archive, long toMs)
            throws BackupException {
        Timeline timeline = timeline(archive);
        Manifest manifest = id == null ? newestBefore(backups, toMs) : backups.read(id);
        try {
            return new Choice(manifest, timeline.target(origin(manifest), toMs));
        } catch (ArchiveException e) {
            throw new BackupException("--to-time: Backup " + manifest.id() + ": " + e.getMessage(), e);
        }
    }

    private static Manifest newestBefore(BackupDirectory backups, long toMs) throws BackupException {
        Manifest newest = null;
        for (BackupDirectory.Entry entry : backups.list()) {
            Manifest manifest = entry.manifest();
            if (manifest != null) {
                newest = newest == null || manifest.momentMs() <= toMs ? manifest : newest;
            }
        }
        if (newest == null) {
            throw new BackupException(backups.path() + ": Expected a backup, but there is none.");
        }
        return newest;
    }

    static BackupException refused(ArchiveException e) {
        return new BackupException("--archive-dir " + e.getMessage(), e);
    }
}
