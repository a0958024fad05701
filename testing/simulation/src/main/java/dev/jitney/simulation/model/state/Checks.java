package dev.jitney.simulation.model.state;

import dev.jitney.simulation.Violation;
import java.util.function.Supplier;

/** Expectations of the model. One that does not hold is a {@link Violation}. */
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

    /** Nothing that goes wrong in here may be taken for a fault of the broker's surroundings. */
    public static void guard(Runnable judging) {
        try {
            judging.run();
        } catch (RuntimeException e) {
            throw new Violation("The model met a bug: " + e, e);
        }
    }
}
