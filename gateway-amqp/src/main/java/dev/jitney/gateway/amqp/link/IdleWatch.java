package dev.jitney.gateway.amqp.link;

import dev.jitney.gateway.amqp.shared.IdleRules;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tells which links of one connection are idle, and whether the connection is (RECV-12). Times are monotonic. */
final class IdleWatch {
    private final IdleRules rules;

    /** When the connection was last seen with links, or open for the first time; negative before that. */
    private long linkedAtMs = -1;

    private boolean hadLinks;

    IdleWatch(IdleRules rules) {
        this.rules = rules;
    }

    /** Whether anything is ever closed. */
    boolean isOn() {
        return rules != IdleRules.OFF;
    }

    /** The connection has got a link, which may go before the next look. */
    void linked() {
        hadLinks = true;
        linkedAtMs = -1;
    }

    /** Why a link is to be closed that was last used at a time, or null. */
    @Nullable
    String idleLink(long activeAtMs, long nowMs) {
        return nowMs - activeAtMs >= rules.linkMs()
                ? "The link was detached, because it was not used for too long. Code: IdleTimerExpired. Idle timeout: "
                        + clock(rules.linkMs()) + "."
                : null;
    }

    /** Why the connection is to be closed, or null. */
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
