package dev.jitney.paired;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one queue or topic of the primary, for all senders of a factory (PAIR-7). Thread-safe.
 *
 * <table>
 * <caption>States and events (18.2)</caption>
 * <tr><th>From</th><th>Event</th><th>To</th><th>Action</th></tr>
 * <tr><td>HEALTHY</td><td>classified failure</td><td>SUSPECT</td><td>start the failover timer</td></tr>
 * <tr><td>HEALTHY</td><td>classified failure, interval 0</td><td>FAILED_OVER</td><td>divert that message too, ping</td></tr>
 * <tr><td>SUSPECT</td><td>a send succeeds</td><td>HEALTHY</td><td>cancel the timer</td></tr>
 * <tr><td>SUSPECT</td><td>the timer elapses</td><td>FAILED_OVER</td><td>divert all later sends, ping</td></tr>
 * <tr><td>FAILED_OVER</td><td>ping arrives, or markHealthy</td><td>HEALTHY</td><td>stop pinging</td></tr>
 * <tr><td>FAILED_OVER</td><td>permanent failure of a ping, LEGACY</td><td>UNREACHABLE</td><td>refuse sends, keep pinging</td></tr>
 * <tr><td>UNREACHABLE</td><td>ping arrives, or markHealthy</td><td>HEALTHY</td><td>stop pinging</td></tr>
 * <tr><td>UNREACHABLE</td><td>other failure of a ping</td><td>FAILED_OVER</td><td>divert again</td></tr>
 * <tr><td>any</td><td>the factory ends</td><td>CLOSED</td><td>cancel timer and pings</td></tr>
 * </table>
 *
 * <p>Every other event leaves the state unchanged. If a send to the primary was in progress at the failover and then fails, it
 * is diverted like a new one.
 */
final class PathMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(PathMonitor.class);

    private final String path;
    private final PathSettings settings;
    private final PairingClock clock;
    private final PingTask pings;
    private final Consumer<PathStateChange> listener;

    private PathState state = PathState.HEALTHY;
    private PairingClock.@Nullable Timer failover;
    /** The number of the current suspicion. A timer of an earlier one, canceled while it started, does nothing. */
    private int suspicion;

    private @Nullable Throwable cause;
    private final Deque<PathStateChange> untold = new ArrayDeque<>();
    private boolean telling;

    PathMonitor(
            String path,
            PathSettings settings,
            PairingClock clock,
            PingTask.Ping ping,
            Consumer<PathStateChange> listener) {
        this.path = path;
        this.settings = settings;
        this.clock = clock;
        this.listener = listener;
        this.pings = new PingTask(clock, settings.pingInterval(), ping, this::pingArrived, this::pingFailed);
    }

    synchronized PathState state() {
        return state;
    }

    /** Returns the reason why the path is not healthy, or null if unknown. */
    synchronized @Nullable Throwable cause() {
        return cause;
    }

    String path() {
        return path;
    }

    /** Records a successful send to the primary. */
    void sendSucceeded() {
        synchronized (this) {
            if (state == PathState.SUSPECT) {
                become(PathState.HEALTHY, null);
            }
        }
        tell();
    }

    /**
     * Records a failed send to the primary.
     *
     * @return whether to send the message to a backlog queue; otherwise the caller reports the failure
     */
    boolean sendFailed(Throwable failure) {
        if (!settings.classifier().startsFailover(failure)) {
            return false;
        }
        boolean diverted;
        synchronized (this) {
            if (state == PathState.HEALTHY) {
                if (settings.failoverInterval().isZero()) {
                    become(PathState.FAILED_OVER, failure);
                } else {
                    become(PathState.SUSPECT, failure);
                    int current = ++suspicion;
                    failover = clock.schedule(settings.failoverInterval(), () -> failoverIntervalElapsed(current));
                }
            }
            diverted = state == PathState.FAILED_OVER;
        }
        tell();
        return diverted;
    }

    private void failoverIntervalElapsed(int expected) {
        synchronized (this) {
            if (state == PathState.SUSPECT && suspicion == expected) {
                become(PathState.FAILED_OVER, cause);
            }
        }
        tell();
    }

    private void pingArrived() {
        synchronized (this) {
            if (isDiverted()) {
                become(PathState.HEALTHY, null);
            }
        }
        tell();
    }

    private void pingFailed(Throwable failure) {
        synchronized (this) {
            if (!isDiverted()) {
                return;
            }
            become(
                    settings.classifier().endsDiversion(failure) ? PathState.UNREACHABLE : PathState.FAILED_OVER,
                    failure);
        }
        LOG.warn("{} is still unavailable, because a ping failed: {}", path, failure.toString());
        tell();
    }

    /** Makes sends go to the primary immediately, independent of pings. */
    void markHealthy() {
        synchronized (this) {
            if (state != PathState.CLOSED) {
                become(PathState.HEALTHY, null);
            }
        }
        tell();
    }

    void close() {
        synchronized (this) {
            become(PathState.CLOSED, null);
        }
        tell();
    }

    private boolean isDiverted() {
        return state == PathState.FAILED_OVER || state == PathState.UNREACHABLE;
    }

    private void become(PathState next, @Nullable Throwable why) {
        PathState before = state;
        cause = why;
        if (before == next || before == PathState.CLOSED) {
            return;
        }
        state = next;
        if (failover != null) {
            failover.cancel();
            failover = null;
        }
        if (next == PathState.FAILED_OVER) {
            pings.start();
        } else if (next != PathState.UNREACHABLE) {
            pings.stop();
        }
        untold.add(new PathStateChange(path, before, next, why, clock.now()));
    }

    /**
     * Calls the listener for each new change. It runs without the lock, because a listener may read the states of other paths,
     * whose listeners may read this one's. Changes are reported in order, by one thread at a time.
     */
    private void tell() {
        while (true) {
            PathStateChange change;
            synchronized (this) {
                change = telling ? null : untold.poll();
                if (change == null) {
                    return;
                }
                telling = true;
            }
            try {
                listener.accept(change);
            } finally {
                synchronized (this) {
                    telling = false;
                }
            }
        }
    }
}
