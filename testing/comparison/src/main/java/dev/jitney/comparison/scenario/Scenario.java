package dev.jitney.comparison.scenario;

import dev.jitney.comparison.broker.Entities;
import java.io.IOException;

/** Something that is measured of every broker in the same way. */
public interface Scenario {

    /** Its name on the command line and in files. */
    String id();

    /** What is done, for a table. */
    String title();

    /** What it needs in the broker. */
    Entities entities();

    /** How many runs there are of each broker. */
    default int rounds(Sizes sizes) {
        return sizes.rounds();
    }

    /** Whether the broker has the heap for backlogs. */
    default boolean backlog() {
        return false;
    }

    /** Which broker has to be the first one, the one that sets the pace for both, if that matters. */
    default boolean paced() {
        return false;
    }

    /** Launches the broker, measures, and leaves the findings in the trial. */
    void run(Trial trial) throws IOException, InterruptedException;
}
