package dev.jitney.gateway.http.operator.backup;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The part of a server that makes backups, into a directory that its settings name. No method blocks. Any thread may call it. */
public interface BackupService {
    /** A server that makes none. */
    BackupService NONE = without("This server makes no backups.");

    /** Returns a service of a server that makes no backups, with the reason and the fix as sentences. */
    static BackupService without(String refusal) {
        return new BackupService() {
            @Override
            public String refusal() {
                return refusal;
            }

            @Override
            public String directory() {
                return "";
            }

            @Override
            public @Nullable CompletionStage<BackupView> create(long bytesPerSecond, int keep) {
                throw new IllegalStateException(refusal);
            }

            @Override
            public @Nullable BackupView run(long run) {
                return null;
            }

            @Override
            public CompletionStage<List<BackupView>> list() {
                return CompletableFuture.completedFuture(List.of());
            }
        };
    }

    /** Returns the reason why this server makes no backups, or null if it does. */
    @Nullable
    String refusal();

    /** Returns the directory of the backups. */
    String directory();

    /**
     * Begins a backup.
     *
     * @param bytesPerSecond the limit of the bytes that are copied in a second, or 0 for none
     * @param keep           the number of backups that stay after this one, the newest, or 0 for all
     * @return completes when the moment of the backup has passed or it has failed; null if a backup is running
     */
    @Nullable
    CompletionStage<BackupView> create(long bytesPerSecond, int keep);

    /** Returns one of the last backups that were ordered since the start, or null. */
    @Nullable
    BackupView run(long run);

    /** Returns the complete backups in the directory, the oldest first. Fails if the directory cannot be read. */
    CompletionStage<List<BackupView>> list();
}
