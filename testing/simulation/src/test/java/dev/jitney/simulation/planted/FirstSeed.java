package dev.jitney.simulation.planted;

import dev.jitney.simulation.Violation;
import dev.jitney.simulation.run.Simulation;

/** Prints the first seed whose history breaks the model. Runs in a process of its own, with a fault on its class path. */
final class FirstSeed {
    private FirstSeed() {}

    /** Takes the number of seeds and the number of events of each. Prints "none" if every history held. */
    public static void main(String[] arguments) {
        long seeds = Long.parseLong(arguments[0]);
        int events = Integer.parseInt(arguments[1]);
        for (long seed = 1; seed <= seeds; seed++) {
            try {
                Simulation.run(seed, events);
            } catch (Violation e) {
                System.out.println("\nseed " + seed + ": "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
                return;
            }
        }
        System.out.println("\nnone");
    }
}
