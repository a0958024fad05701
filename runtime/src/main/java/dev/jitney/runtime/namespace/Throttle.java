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
 * The throttling credits of one namespace (THR-2): so many for each second of the broker's clock; what is not used
 * lapses with its second. Any thread may call it.
 *
 * <table>
 * <caption>What costs credits</caption>
 * <tr><th>request</th><th>credits</th><th>refused without credits</th></tr>
 * <tr><td>send, receive deferred</td><td>1 per message, a ping too</td><td>yes</td></tr>
 * <tr><td>peek</td><td>1 per message found, at least 1</td><td>yes</td></tr>
 * <tr><td>attach a receiver</td><td>none</td><td>yes</td></tr>
 * <tr><td>delivery</td><td>1</td><td>no: it was asked for before</td></tr>
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

    /** The second in the upper half, the credits used in it in the lower one, so that both change at once. */
    private final AtomicLong window = new AtomicLong();

    private final LongAdder refusals = new LongAdder();

    private Throttle(String namespace, int creditsPerSecond, Clock clock) {
        this.namespace = namespace;
        this.creditsPerSecond = creditsPerSecond;
        this.clock = clock;
    }

    /** The throttle a namespace is configured with; that of PREMIUM refuses nothing (THR-5). */
    static Throttle of(NamespaceOptions options, Clock clock) {
        boolean premium = options.limits().tier() == TierProfile.PREMIUM;
        return premium ? off() : new Throttle(options.name(), options.creditsPerSecond(), clock);
    }

    /** Refuses nothing and counts nothing (THR-7). */
    static Throttle off() {
        return new Throttle("", 0, () -> 0);
    }

    /**
     * Takes the credits of a command before anything is done for it (THR-1).
     *
     * @return null if it may go on, otherwise what to answer; then no credits are taken
     */
    @Nullable
    Rejection refuse(Command command) {
        if (creditsPerSecond == 0) {
            return null;
        }
        return switch (command.kind().credits()) {
            case PER_MESSAGE_SENT ->
                refuse(((Command.SendMessages) command).messages().size());
            case PER_MESSAGE_NAMED ->
                refuse(((Command.NamesMessages) command).sequenceNumbers().size());
            case PER_MESSAGE_FOUND -> refuse(1); // the others are counted once it is known how many there are
            case WHILE_CREDITS_LAST -> refuse(0);
            case ONE_IN_ANY_CASE -> {
                spend(1, false);
                yield null;
            }
            case NO_CREDIT -> null;
        };
    }

    /** As {@link #refuse(Command)}, for the creation, change or deletion of an entity. */
    @Nullable
    Rejection refuseManagement() {
        return creditsPerSecond == 0 ? null : refuse(MANAGEMENT_CREDITS);
    }

    /** Takes credits whose number only the answer tells. */
    void count(Command command, Reply reply) {
        if (command.kind().credits() == Credits.PER_MESSAGE_FOUND && reply instanceof Reply.Messages found) {
            spend(Math.max(0, found.messages().size() - 1), false);
        }
    }

    void countDeliveries(int messages) {
        spend(messages, false);
    }

    /** Requests refused for want of credits since the process started. */
    long refusals() {
        return refusals.sum();
    }

    private @Nullable Rejection refuse(int credits) {
        if (spend(credits, true)) {
            return null;
        }
        refusals.increment();
        return new Rejection(
                ErrorCode.THROTTLED,
                "The namespace '" + namespace + "' is being throttled: its " + creditsPerSecond
                        + " credits for this second are used. Error code : 50009. Please wait 2 seconds and"
                        + " try again.");
    }

    /**
     * Takes credits.
     *
     * @param refusable whether it is to be refused for want of credits, instead of taking those that are left. What
     *     costs more than a whole second brings passes at the start of a second, because it could never pass otherwise.
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
            // One second behind is a thread that read the clock a moment before another one; farther is a clock set
            // back.
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
