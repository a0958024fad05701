package dev.jitney.runtime.namespace;

import dev.jitney.core.Command;
import dev.jitney.core.CommandTraits.Credits;
import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.NamespaceOptions;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The throttling credits of one namespace (THR-2), a fixed number for each second of the broker's clock. Unused
 * credits expire at the end of their second. Any thread may call it.
 *
 * <table>
 * <caption>Costs in credits</caption>
 * <tr><th>request</th><th>credits</th><th>refused without credits</th></tr>
 * <tr><td>send, receive deferred</td><td>1 per message, a ping too</td><td>yes</td></tr>
 * <tr><td>peek</td><td>1 per message found, at least 1</td><td>yes</td></tr>
 * <tr><td>attach a receiver</td><td>none</td><td>yes</td></tr>
 * <tr><td>delivery</td><td>1</td><td>no: the receiver already has credit</td></tr>
 * <tr><td>renew locks, cancel scheduled, batch delete</td><td>1 per call</td><td>no: it makes or keeps room</td></tr>
 * <tr><td>settle, set credit, detach, read counters</td><td>none</td><td>no</td></tr>
 * <tr><td>create, update, delete an entity</td><td>10</td><td>yes</td></tr>
 * </table>
 */
final class Throttle {
    private static final int MANAGEMENT_CREDITS = 10;

    private final String namespace;
    private final int creditsPerSecond;
    private final Clock clock;

    /** The current second in the upper half and its used credits in the lower half, so that both change atomically. */
    private final AtomicLong window = new AtomicLong();

    private final LongAdder refusals = new LongAdder();

    /** The end of a time in which everything that can be refused is refused, compared with {@link Clock#pauseNanos}; for tests. */
    private volatile long refusingUntilNanos;

    private volatile boolean refusing;

    private Throttle(String namespace, int creditsPerSecond, Clock clock) {
        this.namespace = namespace;
        this.creditsPerSecond = creditsPerSecond;
        this.clock = clock;
    }

    /** Returns the throttle of a namespace as configured; that of PREMIUM refuses nothing (THR-5) except for tests. */
    static Throttle of(NamespaceOptions options, Clock clock) {
        boolean premium = options.limits().tier() == TierProfile.PREMIUM;
        return new Throttle(options.name(), premium ? 0 : options.creditsPerSecond(), clock);
    }

    /** Returns a throttle that refuses nothing and counts nothing (THR-7). */
    static Throttle off() {
        return new Throttle("", 0, () -> 0);
    }

    /**
     * Takes the credits of a command before it is executed (THR-1).
     *
     * @return null if the command may proceed, otherwise the refusal; then no credits are taken
     */
    @Nullable
    Rejection refuse(Command command) {
        if (creditsPerSecond == 0 && !refusing) {
            return null;
        }
        return switch (command.kind().credits()) {
            case PER_MESSAGE_SENT ->
                refuse(((Command.SendMessages) command).messages().size());
            case PER_MESSAGE_NAMED ->
                refuse(((Command.NamesMessages) command).sequenceNumbers().size());
            case PER_MESSAGE_FOUND -> refuse(1); // the others are taken once the number of messages is known
            case WHILE_CREDITS_LAST -> refuse(0);
            case ONE_IN_ANY_CASE -> {
                spend(1, false);
                yield null;
            }
            case NO_CREDIT -> null;
        };
    }

    /** Takes credits as {@link #refuse(Command)} does, for the creation, change or deletion of an entity. */
    @Nullable
    Rejection refuseManagement() {
        return creditsPerSecond == 0 && !refusing ? null : refuse(MANAGEMENT_CREDITS);
    }

    /** Refuses everything that can be refused for some milliseconds; 0 ends it. */
    void refuseFor(long ms) {
        refusingUntilNanos = clock.pauseNanos() + ms * 1_000_000;
        refusing = ms > 0;
    }

    private boolean isRefusing() {
        if (refusing && clock.pauseNanos() - refusingUntilNanos >= 0) {
            refusing = false;
        }
        return refusing;
    }

    /** Takes credits whose number depends on the answer. */
    void count(Command command, Reply reply) {
        if (command.kind().credits() == Credits.PER_MESSAGE_FOUND && reply instanceof Reply.Messages found) {
            spend(Math.max(0, found.messages().size() - 1), false);
        }
    }

    void countDeliveries(int messages) {
        spend(messages, false);
    }

    /** Returns the number of requests refused since the process started because no credits were left. */
    long refusals() {
        return refusals.sum();
    }

    private @Nullable Rejection refuse(int credits) {
        boolean forced = refusing && isRefusing();
        if (!forced && spend(credits, true)) {
            return null;
        }
        refusals.increment();
        if (forced) {
            return new Rejection(
                    ErrorCode.THROTTLED,
                    "The namespace '" + namespace + "' is being throttled by a test. Error code : 50009. Please wait 2"
                            + " seconds and try again.");
        }
        return new Rejection(
                ErrorCode.THROTTLED,
                "The namespace '" + namespace + "' is being throttled: its " + creditsPerSecond
                        + " credits for this second are used. Error code : 50009. Please wait 2 seconds and"
                        + " try again.");
    }

    /**
     * Takes credits.
     *
     * @param refusable true to refuse a request that lacks credits, false to take those that are left. A request that
     *                  costs more than one second provides passes at the start of a second, because it could never
     *                  pass otherwise.
     */
    private boolean spend(int credits, boolean refusable) {
        if (creditsPerSecond == 0) {
            return true;
        }
        int nowSecond = (int) Math.floorDiv(clock.nowMs(), 1_000L);
        while (true) {
            long seen = window.get();
            int second = (int) (seen >>> 32);
            int used = (int) seen;
            // One second behind means that this thread read the clock slightly earlier than another one. A larger
            // difference means that the clock was set back.
            if (nowSecond != second && nowSecond != second - 1) {
                second = nowSecond;
                used = 0;
            }
            long after = (long) used + credits;
            if (refusable && (used >= creditsPerSecond || (used > 0 && after > creditsPerSecond))) {
                return false;
            }
            if (window.compareAndSet(seen, ((long) second << 32) | Math.min(after, creditsPerSecond))) {
                return true;
            }
        }
    }
}
