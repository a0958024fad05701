package dev.jitney.runtime.store;

import org.jspecify.annotations.Nullable;

/** A fault of the store. The failed batch is not stored, or its outcome is unknown. */
public final class StoreException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The reason for the fault, which decides the reaction of the shard. */
    public enum Reason {
        /** The disk is full. After {@link MessagingStore#reopen} the store works again once there is free space. */
        DISK_FULL,
        /** Another process has locked the directory. */
        IN_USE,
        /** Data does not match its checksum or its format. It must not be served. */
        CORRUPT,
        /** Any other error of the disk or the engine. */
        IO
    }

    private final Reason reason;

    public StoreException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public StoreException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
