package dev.jitney.store.rocksdb.log;

/** A log that is not as it was written: commits are missing that had been acknowledged. */
public final class LogDamageException extends Exception {
    private static final long serialVersionUID = 1L;

    LogDamageException(String message) {
        super(message);
    }
}
