package dev.jitney.simulation.model.state;

import dev.jitney.simulation.Violation;
import java.util.function.Supplier;

/** The assertions of the model. A failed assertion throws a {@link Violation}. */
public final class Checks {
    private Checks() {}

    public static void check(boolean holds, String otherwise, Object about) {
        if (!holds) {
            throw new Violation(otherwise + ": " + about + ".");
        }
    }

    public static void check(boolean holds, Supplier<String> otherwise, Object about) {
        if (!holds) {
            throw new Violation(otherwise.get() + ": " + about + ".");
        }
    }

    /**
     * Runs a check and turns its exceptions into violations, so that the broker does not treat them as faults of a
     * store or client.
     */
    public static void guard(Runnable judging) {
        try {
            judging.run();
        } catch (RuntimeException e) {
            throw new Violation("The model has an internal error: " + e, e);
        }
    }
}
