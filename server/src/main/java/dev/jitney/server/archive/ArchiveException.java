package dev.jitney.server.archive;

import org.jspecify.annotations.Nullable;

/** A refused or failed use of an archive. The message names the file and the fix. */
public class ArchiveException extends Exception {
    private static final long serialVersionUID = 1L;

    ArchiveException(String message) {
        super(message);
    }

    ArchiveException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
