package dev.jitney.server;

import org.jspecify.annotations.Nullable;

/**
 * The times at which a process serves clients. A single node has one {@link ServiceTerm} from start to end. A node of a
 * cluster has one for each of its leaderships, and its ports stay open in between (CL-11).
 *
 * <p>Life cycle: started once, closed once. Any thread may call the methods.
 */
interface ServerLife extends AutoCloseable {

    /**
     * Opens the ports, and returns when clients can connect.
     *
     * @param log records the steps
     * @throws StartException if that fails; then nothing stays open
     */
    void start(LifecycleLog log) throws StartException;

    /** Returns the bound ports. They stay the same from start to end. */
    OpenPorts ports();

    /** Returns the current term, or null if this process does not serve clients itself. Later calls may differ. */
    @Nullable
    ServiceTerm term();

    /** Returns null if clients that connect are served, otherwise one sentence that describes the problem. */
    @Nullable
    String trouble();

    /** Ends the current term in an orderly way, and closes the ports. Does nothing if it was not started. */
    @Override
    void close();
}
