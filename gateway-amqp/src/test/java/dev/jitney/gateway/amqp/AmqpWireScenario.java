package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.RawPeer.Frame;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.InMemoryEntity;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A gateway with an in-memory broker that has one queue, and peers that send frames. */
@Timeout(60)
abstract class AmqpWireScenario {
    static final int ATTACH = 0x12;
    static final int FLOW = 0x13;
    static final int TRANSFER = 0x14;
    static final int DISPOSITION = 0x15;
    static final int DETACH = 0x16;
    static final String RULE = "RootManageSharedAccessKey";

    final InMemoryBroker broker = new InMemoryBroker();
    InMemoryEntity queue;
    AmqpGateway gateway;

    @BeforeEach
    void start() {
        queue = broker.first.add(QueueDescription.named("q").build(), 256 * 1024);
        gateway = new AmqpGateway(broker, options());
        gateway.start();
    }

    AmqpGatewayOptions options() {
        return AmqpGatewayOptions.plain("127.0.0.1", 0).withEventLoops(1);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    RawPeer peer() throws IOException {
        return new RawPeer(gateway.plainPort());
    }

    RawPeer authorized() throws IOException {
        RawPeer peer = peer().plain(RULE, InMemoryBroker.KEY);
        peer.begin(0);
        return peer;
    }

    static void fullLength(Frame frame, int count) {
        assertThat(frame.performative().oneByteDescriptor()).isTrue();
        assertThat(frame.performative().constructor()).isIn(0xc0, 0xd0);
        assertThat(frame.performative().fields()).hasSize(count);
    }

    static AmqpValues.Symbol symbol(String text) {
        return new AmqpValues.Symbol(text);
    }

    void fill(int count) throws Exception {
        try (RawPeer peer = authorized()) {
            peer.send(0, RawPeer.sender("s", 0, "q"));
            peer.next(FLOW);
            for (int i = 0; i < count; i++) {
                peer.message(0, 0, i, RawPeer.message(new byte[] {(byte) i}));
            }
            int settled = 0;
            while (settled < count) {
                Frame disposition = peer.next(DISPOSITION);
                fullLength(disposition, 6);
                assertThat(disposition.field(0)).isEqualTo(true);
                assertThat(disposition.field(3)).isEqualTo(true);
                long first = (long) disposition.field(1);
                long last = disposition.field(2) == null ? first : (long) disposition.field(2);
                assertThat(first).isEqualTo(settled);
                settled += (int) (last - first + 1);
            }
        }
    }
}
