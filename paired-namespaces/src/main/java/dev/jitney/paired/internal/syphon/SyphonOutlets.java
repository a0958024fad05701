package dev.jitney.paired.internal.syphon;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.internal.failure.Failures;
import dev.jitney.paired.internal.transport.BatchedSends;
import dev.jitney.paired.internal.transport.NamespaceTransport;
import dev.jitney.paired.internal.transport.Outlet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Outlets to the queues and topics of the primary, without failover (PAIR-49). Recently used ones stay open. Thread-safe.
 */
public final class SyphonOutlets implements AutoCloseable {
    private static final int KEPT = 256;
    /** The maximum of a send. A longer one would outlast the locks of messages that wait for it. */
    private static final Duration TIMEOUT_MAX = Duration.ofSeconds(15);

    private final NamespaceTransport primary;
    private final Duration timeout;
    private final Map<String, Way> ways = new LinkedHashMap<>(16, 0.75f, true);
    private boolean closed;

    public SyphonOutlets(NamespaceTransport primary) {
        this.primary = primary;
        Duration given = primary.operationTimeout();
        this.timeout = given.compareTo(TIMEOUT_MAX) < 0 ? given : TIMEOUT_MAX;
    }

    /**
     * Tries once to send messages, in as few batches as possible. After a failure the next try opens a new link.
     *
     * @param path as written in the messages
     * @param done counts the sent messages, also when a later one fails
     */
    public Mono<Void> send(String path, List<ServiceBusMessage> messages, AtomicInteger done) {
        return Mono.using(
                () -> take(path),
                way -> BatchedSends.send(messages, done, way.outlet).doOnError(failure -> leave(path, way, failure)),
                this::giveBack);
    }

    private Way take(String path) {
        Way way;
        Outlet leaving = null;
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("Expected a running syphon, but it is closed.");
            }
            way = ways.get(path);
            if (way == null) {
                way = new Way(primary.outletWithoutRetries(path, timeout));
                ways.put(path, way);
                leaving = ways.size() > KEPT ? withoutTheOldest() : null;
            }
            way.users++;
        }
        if (leaving != null) {
            leaving.close();
        }
        return way;
    }

    /** Returns the outlet to close now, or null if it is still used. */
    private @Nullable Outlet withoutTheOldest() {
        Iterator<Way> oldest = ways.values().iterator();
        Way way = oldest.next();
        oldest.remove();
        way.left = true;
        return way.users == 0 ? way.outlet : null;
    }

    private synchronized void leave(String path, Way failed, Throwable failure) {
        if (!Failures.isAboutTheMessage(Failures.bare(failure)) && ways.remove(path, failed)) {
            failed.left = true;
        }
    }

    /**
     * Closes an outlet that was left after its last send. Closing it earlier would interrupt other sends without a result, and
     * their messages would be sent twice.
     */
    private void giveBack(Way way) {
        synchronized (this) {
            way.users--;
            if (!way.left || way.users > 0) {
                return;
            }
        }
        way.outlet.close();
    }

    @Override
    public void close() {
        List<Way> open;
        synchronized (this) {
            closed = true;
            open = new ArrayList<>(ways.values());
            ways.clear();
        }
        open.forEach(way -> way.outlet.close());
    }

    /** An outlet with the number of sends that use it. */
    private static final class Way {
        final Outlet outlet;
        int users;
        /** True once no new send may use it. */
        boolean left;

        Way(Outlet outlet) {
            this.outlet = outlet;
        }
    }
}
