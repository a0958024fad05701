package dev.jitney.runtime.store;

import org.jspecify.annotations.Nullable;

/** A fault of the store: nothing of the failed batch is there, or it is not known whether it is. */
public final class StoreException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What the shard can do about it. */
    public enum Reason {
        /** No room; works again by itself after {@link MessagingStore#reopen} when there is some. */
        DISK_FULL,
        /** Another process holds the directory. */
        IN_USE,
        /** Data that does not match its checksum or its format; not to be served. */
        CORRUPT,
        /** Anything else the disk or the engine reports. */
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
