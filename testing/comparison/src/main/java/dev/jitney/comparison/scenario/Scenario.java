package dev.jitney.comparison.scenario;

import dev.jitney.comparison.broker.Entities;
import java.io.IOException;

/** A measurement that is the same for every broker. */
public interface Scenario {

    /** Returns the name on the command line and in files. */
    String id();

    /** Returns the description for a table. */
    String title();

    /** Returns the entities that the scenario needs. */
    Entities entities();

    /** Returns the number of runs of each broker. */
    default int rounds(Sizes sizes) {
        return sizes.rounds();
    }

    /** Returns whether the broker gets the heap for backlogs. */
    default boolean backlog() {
        return false;
    }

    /** Returns whether the broker that determines the rate must run first. */
    default boolean paced() {
        return false;
    }

    /** Launches the broker, measures it, and puts the findings into the trial. */
    void run(Trial trial) throws IOException, InterruptedException;
}
