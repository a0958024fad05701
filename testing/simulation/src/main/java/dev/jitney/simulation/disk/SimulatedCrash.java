package dev.jitney.simulation.disk;

/** The process is killed at this very place. An error that nothing in the broker catches. */
public final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1L;

    public SimulatedCrash() {
        super("The process was killed.", null, false, false);
    }
}
