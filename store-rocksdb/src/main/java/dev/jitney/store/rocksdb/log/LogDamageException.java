package dev.jitney.store.rocksdb.log;

/** A log in which acknowledged commits are missing or damaged. */
public final class LogDamageException extends Exception {
    private static final long serialVersionUID = 1L;

    LogDamageException(String message) {
        super(message);
    }
}
