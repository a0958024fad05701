package dev.jitney.core.filter;

import dev.jitney.model.Rejection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of compiling a filter or action: exactly one of the two is set.
 *
 * @param compiled the compiled filter or action, or null
 * @param rejection the reason for a refusal, or null
 */
public record Compilation<T>(@Nullable T compiled, @Nullable Rejection rejection) {
    public Compilation {
        if ((compiled == null) == (rejection == null)) {
            throw new IllegalArgumentException("Expected either a result or a rejection.");
        }
    }

    static <T> Compilation<T> of(T compiled) {
        return new Compilation<>(compiled, null);
    }

    static <T> Compilation<T> refused(Rejection rejection) {
        return new Compilation<>(null, rejection);
    }

    /** Returns the result for a text that was compiled successfully before. */
    public T get() {
        Rejection refusal = rejection;
        if (refusal != null) {
            throw new IllegalStateException(
                    "Expected a rule that was compiled before, but got an invalid one." + " " + refusal.description());
        }
        return Objects.requireNonNull(compiled);
    }
}
