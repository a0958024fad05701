package dev.jitney.gateway.http.exchange;

import io.vertx.core.http.HttpConnection;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The open connections and what each owes: one that sends the head or the body of a request octet by octet, or does not
 * fetch its answer, is ended after a bounded time. Vert.x' own idle timeout would not do: every octet starts it anew, and
 * it would end connections whose request waits for a message. Any thread may call it.
 *
 * <table>
 * <caption>States of a connection</caption>
 * <tr><th>state</th><th>from</th><th>to</th><th>ended after</th></tr>
 * <tr><td>awaiting</td><td>opened, or the last answer written</td><td>head of a request complete</td>
 * <td>{@link HttpLimits#idleSeconds}, more after a large answer</td></tr>
 * <tr><td>receiving</td><td>head complete</td><td>body complete</td>
 * <td>{@link HttpLimits#bodySeconds}, more once a large one is permitted</td></tr>
 * <tr><td>serving</td><td>body complete, or there is none</td><td>the answer written</td><td>never: it is ours to
 * answer</td></tr>
 * </table>
 *
 * <p>A connection that was upgraded to a WebSocket is none any more.
 */
final class HttpConnections {
    private static final int SERVING = -1;

    /** Large bodies get more time, by the slowest pace that is put up with. */
    private static final int SLOWEST_BYTES_PER_SECOND = 64 * 1024;

    private final HttpLimits limits;
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final Map<HttpConnection, Peer> peers = new ConcurrentHashMap<>();

    HttpConnections(HttpLimits limits) {
        this.limits = limits;
    }

    /** Where one connection stands. */
    static final class Peer {
        private volatile int secondsLeft;
        private final Queue<Runnable> whenGone = new ConcurrentLinkedQueue<>();

        private Peer(int seconds) {
            this.secondsLeft = seconds;
        }
    }

    /** Takes a connection in, or closes it when there are too many. */
    void admit(HttpConnection connection) {
        connection.closeHandler(closed -> forget(connection));
        if (count.incrementAndGet() > limits.connectionsMax()) {
            refused.increment();
            connection.close();
            return;
        }
        peers.put(connection, new Peer(limits.idleSeconds()));
    }

    /** Connections that are open. */
    int count() {
        return count.get();
    }

    /** Connections that were closed at once because there were too many. */
    long refused() {
        return refused.sum();
    }

    /** Lets go of a connection that was closed or has become something else. */
    void forget(HttpConnection connection) {
        // The stack does not call it for a connection that was upgraded, but does not say so either.
        connection.closeHandler(counted -> {});
        count.decrementAndGet();
        Peer peer = peers.remove(connection);
        if (peer != null) {
            peer.whenGone.forEach(Runnable::run);
        }
    }

    /** Runs something when a connection has gone or has become something else. For its event loop. */
    void whenGone(HttpConnection connection, Runnable action) {
        Peer peer = peers.get(connection);
        if (peer == null) {
            action.run();
        } else {
            peer.whenGone.add(action);
        }
    }

    /** The head of a request has come; its body is allowed to nobody yet. */
    void receiving(HttpConnection connection) {
        set(connection, limits.bodySeconds());
    }

    /** A body of that size may come. */
    void receiving(HttpConnection connection, int bytesMax) {
        set(connection, limits.bodySeconds() + bytesMax / SLOWEST_BYTES_PER_SECOND);
    }

    void serving(HttpConnection connection) {
        set(connection, SERVING);
    }

    /** An answer of that size is being written; then the next request may come. */
    void awaiting(HttpConnection connection, long answerBytes) {
        set(connection, (int) (limits.idleSeconds() + answerBytes / SLOWEST_BYTES_PER_SECOND));
    }

    private void set(HttpConnection connection, int seconds) {
        Peer peer = peers.get(connection);
        if (peer != null) {
            peer.secondsLeft = seconds;
        }
    }

    /** To be called every second. */
    void tick() {
        peers.forEach((connection, peer) -> {
            int left = peer.secondsLeft;
            if (left == 0) {
                connection.close();
            } else if (left > 0) {
                // A state that changes meanwhile is off by a second, which nobody can tell.
                peer.secondsLeft = left - 1;
            }
        });
    }
}
