package dev.jitney.core.filter;

import dev.jitney.model.Rejection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of a filter or action: one of the two is there.
 *
 * @param compiled ready to be evaluated, or null
 * @param rejection why it is refused, or null
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

    /** The result of what was compiled before and is therefore known to be right. */
    public T get() {
        Rejection refusal = rejection;
        if (refusal != null) {
            throw new IllegalStateException("Expected a rule that was judged before, but: " + refusal.description());
        }
        return Objects.requireNonNull(compiled);
    }
}
