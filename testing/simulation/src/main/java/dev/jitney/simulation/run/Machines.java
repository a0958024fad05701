package dev.jitney.simulation.run;

import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.simulation.SeededRandom;
import java.util.List;

/** The machines that run the broker: their disks, clocks and network, with all faults. They outlive processes. */
interface Machines {

    /**
     * The environment of a new process.
     *
     * @param stores the stores, in order
     * @param clock  the clock of the machine
     */
    record Environment(List<MessagingStore> stores, Clock clock) {}

    /** Starts a process after the one before has ended, and reports batches that become durable meanwhile. */
    Environment start();

    /** Kills the process of the newest broker. */
    void kill();

    /** Ends all faults that make an opening fail because there is no free space. */
    void makeRoom();

    /** Called before each event. */
    void tick(SeededRandom random);

    /** Returns whether the process of the newest broker runs. */
    boolean isRunning();

    /** Makes a fault or a repair happen. Returns the trace, empty if nothing has happened. */
    Object perform(Event event, SeededRandom random, int store);

    /** Ends all faults. */
    void heal();

    /** Makes the final checks. */
    void verify();
}
