package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.AmqpValues.Described;
import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.gateway.amqp.shared.IdleRules;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Idle links over the wire (RECV-12), with times that a test can wait for; {@code IdleWatchTest} moves the clock. */
class IdleLinksTest extends AmqpWireScenario {
    private static final long LINK_MS = 1_500;

    /** Starts the gateway again with other rules. Each test has its own, so that it never has to be faster than a rule of another. */
    private void restart(IdleRules rules) {
        gateway.close();
        gateway = new AmqpGateway(broker, options().withIdleRules(rules));
        gateway.start();
    }

    private static void forced(Object error, String condition, String words) {
        Described told = (Described) error;
        assertThat(told.fields().get(0)).isEqualTo(symbol(condition));
        assertThat((String) told.fields().get(1)).contains(words);
    }

    @Test
    @DisplayName("An idle link is detached, a used one stays; then the connection closes (RECV-12)")
    void detachesIdleLinks() throws Exception {
        restart(new IdleRules(LINK_MS, 700, 60_000));
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("idle", 0, "q"));
            peer.next(FLOW);
            peer.send(0, RawPeer.receiver("used", 1, "q"));
            peer.next(ATTACH);
            peer.timeout(100);
            Frame detach = null;
            for (int i = 0; i < 200 && detach == null; i++) {
                peer.flow(0, 1, 0, 1 + i % 2, false, false);
                try {
                    detach = peer.next(DETACH);
                } catch (java.net.SocketTimeoutException quiet) {
                    // The link is not idle yet; the other link is used again.
                }
            }
            peer.timeout(30_000);
            assertThat(detach).isNotNull();
            assertThat(detach.field(0)).isEqualTo(0L);
            forced(detach.field(2), "amqp:link:detach-forced", "IdleTimerExpired");
            Frame second = peer.next(DETACH);
            assertThat(second.field(0)).isEqualTo(1L);
            forced(peer.next(0x18).field(0), "amqp:connection:forced", "allowed 700 milliseconds");
        }
    }

    @Test
    @DisplayName("A new connection without links is closed soon (RECV-12)")
    void closesConnectionsWithoutALink() throws Exception {
        restart(new IdleRules(60_000, 60_000, 500));
        try (RawPeer peer = authorized()) {
            forced(peer.next(0x18).field(0), "amqp:connection:forced", "allowed 500 milliseconds");
        }
    }
}
