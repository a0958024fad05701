package dev.jitney.paired;

import dev.jitney.paired.internal.transport.NamespaceTransport;
import dev.jitney.paired.internal.transport.Outlet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Ways to the queues and topics of the primary, around the failover (PAIR-49). Keeps those used lately. For any thread.
 */
final class SyphonOutlets implements AutoCloseable {
    private static final int KEPT = 256;
    /** A try that takes longer would outlive the locks of messages that wait for it. */
    private static final Duration TIMEOUT_MAX = Duration.ofSeconds(15);

    private final NamespaceTransport primary;
    private final Duration timeout;
    private final Map<String, Outlet> outlets = new LinkedHashMap<>(16, 0.75f, true);
    private boolean closed;

    SyphonOutlets(NamespaceTransport primary) {
        this.primary = primary;
        Duration given = primary.operationTimeout();
        this.timeout = given.compareTo(TIMEOUT_MAX) < 0 ? given : TIMEOUT_MAX;
    }

    /** Of a path as it stands in messages; opened when it is not. */
    synchronized Outlet of(String path) {
        if (closed) {
            throw new IllegalStateException("Expected a syphon that runs, but it is closed.");
        }
        Outlet outlet = outlets.get(path);
        if (outlet == null) {
            outlet = primary.outletWithoutRetries(path, timeout);
            outlets.put(path, outlet);
            if (outlets.size() > KEPT) {
                Iterator<Outlet> oldest = outlets.values().iterator();
                Outlet leaving = oldest.next();
                oldest.remove();
                leaving.close();
            }
        }
        return outlet;
    }

    /** After a failure: the next try begins with a new link. */
    void drop(String path, Outlet failed) {
        synchronized (this) {
            if (!outlets.remove(path, failed)) {
                return;
            }
        }
        failed.close();
    }

    @Override
    public void close() {
        List<Outlet> open;
        synchronized (this) {
            closed = true;
            open = new ArrayList<>(outlets.values());
            outlets.clear();
        }
        open.forEach(Outlet::close);
    }
}
