package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.shared.IdleRules;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The check for idle links of one connection and for an idle connection (RECV-12). Times are monotonic. */
final class IdleWatch {
    private final IdleRules rules;

    /** The time at which the connection last had links, or opened for the first time; negative before that. */
    private long linkedAtMs = -1;

    private boolean hadLinks;

    IdleWatch(IdleRules rules) {
        this.rules = rules;
    }

    /** Returns whether idle links or connections are closed at all. */
    boolean isOn() {
        return rules != IdleRules.OFF;
    }

    /** Notes that the connection has a link, even if the link ends before the next check. */
    void linked() {
        hadLinks = true;
        linkedAtMs = -1;
    }

    /** Returns the reason for closing a link with the given time of last use, or null. */
    @Nullable
    String idleLink(long activeAtMs, long nowMs) {
        return nowMs - activeAtMs >= rules.linkMs()
                ? "The link was detached, because it was not used for too long. Code: IdleTimerExpired. Idle timeout: "
                        + clock(rules.linkMs()) + "."
                : null;
    }

    /** Returns the reason for closing the connection, or null. */
    @Nullable
    String idleConnection(boolean hasLinks, long nowMs) {
        if (hasLinks || linkedAtMs < 0) {
            linkedAtMs = nowMs;
            return null;
        }
        long allowedMs = hadLinks ? rules.noLinksMs() : rules.firstLinkMs();
        return nowMs - linkedAtMs >= allowedMs
                ? "The connection was inactive for more than the allowed " + allowedMs
                        + " milliseconds: it has no links."
                : null;
    }

    private static String clock(long ms) {
        Duration time = Duration.ofMillis(ms);
        return String.format(Locale.ROOT, "%02d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
    }
}
