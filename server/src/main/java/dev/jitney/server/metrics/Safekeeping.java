package dev.jitney.server.metrics;

import dev.jitney.server.archive.ArchiveFigures;
import dev.jitney.server.backup.BackupFigures;
import org.jspecify.annotations.Nullable;

/**
 * The state of backups and of the archive.
 *
 * @param backups the backups, or null if the server makes none
 * @param archive the archive, or null if the server has none
 */
public record Safekeeping(
        @Nullable BackupFigures backups, @Nullable ArchiveFigures archive) {
    /** A server without backups and archive. */
    public static final Safekeeping NONE = new Safekeeping(null, null);
}
