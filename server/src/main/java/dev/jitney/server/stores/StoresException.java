package dev.jitney.server.stores;

import org.jspecify.annotations.Nullable;

/** A failure to open the messaging stores as configured. The message names the option or the directory, and the fix. */
public final class StoresException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean option;

    private StoresException(boolean option, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.option = option;
    }

    /** Returns an exception that other options would avoid. */
    static StoresException option(String message) {
        return new StoresException(true, message, null);
    }

    /** Returns an exception for a fault of a disk or its files. */
    static StoresException fault(String message) {
        return new StoresException(false, message, null);
    }

    static StoresException fault(String message, Throwable cause) {
        return new StoresException(false, message, cause);
    }

    /** Returns whether the operator has to change options, rather than repair a disk. */
    public boolean isOption() {
        return option;
    }
}
