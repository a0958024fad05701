package dev.jitney.server.cli;

import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.StartException;

/** What becomes of the options once they are read. */
@FunctionalInterface
interface ServerRunner {

    /**
     * Runs a server until it ends.
     *
     * @param configured whether a configuration file was given
     * @return the exit status of the process
     */
    int run(JitneyServerBuilder builder, boolean configured) throws StartException;
}
