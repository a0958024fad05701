package dev.jitney.server.stores;

import org.jspecify.annotations.Nullable;

/** Why the messaging stores cannot be opened as asked. The message names the option or the directory, and the fix. */
public final class StoresException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean option;

    private StoresException(boolean option, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.option = option;
    }

    /** Other options would do. */
    static StoresException option(String message) {
        return new StoresException(true, message, null);
    }

    /** A disk is not as it should be. */
    static StoresException fault(String message) {
        return new StoresException(false, message, null);
    }

    static StoresException fault(String message, Throwable cause) {
        return new StoresException(false, message, cause);
    }

    /** Whether it is a matter of other options, not of the disks. */
    public boolean isOption() {
        return option;
    }
}
