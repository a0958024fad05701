package dev.jitney.fuzz;

import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.fuzz.engine.LogWatch;
import dev.jitney.fuzz.target.Targets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The entry points for the coverage-guided engine, which requires these names. A system property names the target. */
public final class GuidedEntry {
    /** The system property with the name of the target. */
    public static final String TARGET = "jitney.fuzz.target";

    private static @Nullable FuzzTarget target;
    private static @Nullable LogWatch log;

    private GuidedEntry() {}

    /** Called once before the first input. */
    public static void fuzzerInitialize() throws Exception {
        log = LogWatch.listen();
        target = Targets.make(System.getProperty(TARGET, ""));
    }

    /** Called with one input after the other. */
    public static void fuzzerTestOneInput(byte[] input) throws Throwable {
        Objects.requireNonNull(target, TARGET).run(input);
        String heard = Objects.requireNonNull(log).take();
        if (heard != null) {
            throw new AssertionError("The log reports: " + heard);
        }
    }
}
