package dev.jitney.server.cli;

import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.StartException;

/** The action that runs a server with the options read. */
@FunctionalInterface
interface ServerRunner {

    /**
     * Runs a server until it ends.
     *
     * @param configured true if there is a configuration file
     * @param exitWithInput true if the server also stops at the end of standard input
     * @return the exit status of the process
     */
    int run(JitneyServerBuilder builder, boolean configured, boolean exitWithInput) throws StartException;
}
