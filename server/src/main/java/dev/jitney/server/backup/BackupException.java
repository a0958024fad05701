package dev.jitney.server.backup;

import org.jspecify.annotations.Nullable;

/** A backup, a check or a restore that was refused or has failed. The message is a sentence for people, with the fix. */
public final class BackupException extends Exception {
    private static final long serialVersionUID = 1L;

    BackupException(String message) {
        super(message);
    }

    BackupException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
