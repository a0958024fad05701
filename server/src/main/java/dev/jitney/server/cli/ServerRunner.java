package dev.jitney.server.cli;

import dev.jitney.server.JitneyServerBuilder;
import dev.jitney.server.StartException;

/** What becomes of the options once they are read. */
@FunctionalInterface
interface ServerRunner {

    /** Runs a server until it ends; the result is the exit status of the process. */
    int run(JitneyServerBuilder builder, boolean configured) throws StartException;
}
