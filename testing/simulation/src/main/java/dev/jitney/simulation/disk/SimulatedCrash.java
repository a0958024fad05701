package dev.jitney.simulation.disk;

/** A kill of the process at the current line. It is an error that no code of the broker catches. */
public final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1L;

    public SimulatedCrash() {
        super("The process was killed.", null, false, false);
    }
}
