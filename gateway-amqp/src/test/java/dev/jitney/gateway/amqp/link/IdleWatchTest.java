package dev.jitney.gateway.amqp.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.gateway.amqp.shared.IdleRules;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Idle links and connections (RECV-12), with a clock that the test moves. */
class IdleWatchTest {
    private static final long MINUTE_MS = 60_000;

    private final IdleWatch watch = new IdleWatch(IdleRules.SERVICE);

    @Test
    @DisplayName("A link is idle 10 minutes after its last use (RECV-12)")
    void links() {
        assertThat(watch.idleLink(5, 5 + 10 * MINUTE_MS - 1)).isNull();
        assertThat(watch.idleLink(5, 5 + 10 * MINUTE_MS)).contains("IdleTimerExpired", "Idle timeout: 00:10:00");
    }

    @Test
    @DisplayName("A new connection needs a link within a minute (RECV-12)")
    void newConnections() {
        assertThat(watch.idleConnection(false, 7)).isNull();
        assertThat(watch.idleConnection(false, 7 + MINUTE_MS - 1)).isNull();
        assertThat(watch.idleConnection(false, 7 + MINUTE_MS))
                .contains("inactive for more than the allowed 60000 milliseconds");
    }

    @Test
    @DisplayName("A connection may be without links for 5 minutes, once it has had one (RECV-12)")
    void connectionsWithoutLinks() {
        assertThat(watch.idleConnection(false, 0)).isNull();
        watch.linked(); // the link ends before the next check
        assertThat(watch.idleConnection(false, MINUTE_MS)).isNull();
        assertThat(watch.idleConnection(false, 6 * MINUTE_MS - 1)).isNull();
        assertThat(watch.idleConnection(true, 6 * MINUTE_MS)).isNull();
        assertThat(watch.idleConnection(false, 11 * MINUTE_MS - 1)).isNull();
        assertThat(watch.idleConnection(false, 11 * MINUTE_MS))
                .contains("inactive for more than the allowed 300000 milliseconds");
    }

    @Test
    @DisplayName("The check is off by default, and then nothing is idle (RECV-12)")
    void off() {
        IdleWatch off = new IdleWatch(IdleRules.OFF);
        assertThat(off.isOn()).isFalse();
        assertThat(watch.isOn()).isTrue();
        assertThat(off.idleConnection(false, 0)).isNull();
        assertThat(off.idleConnection(false, Long.MAX_VALUE / 2)).isNull();
        assertThat(off.idleLink(0, Long.MAX_VALUE / 2)).isNull();
    }

    @Test
    @DisplayName("Times of zero or less are refused")
    void refusesTimes() {
        assertThatThrownBy(() -> new IdleRules(0, 1, 1)).hasMessageContaining("more than 0 ms");
        assertThatThrownBy(() -> new IdleRules(1, -1, 1)).hasMessageContaining("more than 0 ms");
    }
}
