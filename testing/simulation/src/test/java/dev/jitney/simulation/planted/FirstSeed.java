package dev.jitney.simulation.planted;

import dev.jitney.simulation.Violation;
import dev.jitney.simulation.run.Simulation;
import dev.jitney.simulation.run.StoreKind;

/** Prints the first seed whose history breaks the model. Runs in a process of its own, with a fault on its class path. */
final class FirstSeed {
    private FirstSeed() {}

    /** Takes the kind of store, the number of seeds and the number of events of each. Prints "none" if every history held. */
    public static void main(String[] arguments) {
        StoreKind kind = StoreKind.valueOf(arguments[0]);
        long seeds = Long.parseLong(arguments[1]);
        int events = Integer.parseInt(arguments[2]);
        for (long seed = 1; seed <= seeds; seed++) {
            try {
                Simulation.run(seed, kind, events);
            } catch (Violation e) {
                System.out.println("\nseed " + seed + ": "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
                return;
            }
        }
        System.out.println("\nnone");
    }
}
