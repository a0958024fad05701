package dev.jitney.cluster.ratis;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reports that an option of a node is wrong, so that another attempt to start does not help: an operator has to change it. */
public final class WrongOptionException extends IOException {
    private static final long serialVersionUID = 1L;

    WrongOptionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
