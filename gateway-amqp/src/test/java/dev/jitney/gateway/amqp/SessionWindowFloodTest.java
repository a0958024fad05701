package dev.jitney.gateway.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.gateway.amqp.connection.AmqpConnectionHandler;
import dev.jitney.gateway.amqp.shared.ConnectionLimits;
import dev.jitney.gateway.amqp.shared.GatewayContext;
import dev.jitney.gateway.amqp.shared.IdleRules;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.InMemoryBroker;
import dev.jitney.runtime.client.ClientAdmission;
import dev.jitney.runtime.memory.ClientMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Floods of session flows to a connection with many links. The thread of the test is the event loop. */
class SessionWindowFloodTest {
    private static final int LINKS = 100;
    private static final int FLOWS = 100;
    private static final int ATTACH = 0x12;
    private static final int FLOW = 0x13;
    private static final int TRANSFER = 0x14;
    private static final int DISPOSITION = 0x15;

    private final InMemoryBroker broker = new InMemoryBroker();
    private final GatewayContext gateway = new GatewayContext(
            broker,
            ConnectionLimits.defaults(),
            IdleRules.OFF,
            "c",
            100,
            new ClientMemory(64 << 20),
            ClientAdmission.open());

    /** The checks of whether the socket accepts bytes. A link makes some when it continues. */
    private int visits;

    private final EmbeddedChannel channel = new EmbeddedChannel(new AmqpConnectionHandler(gateway)) {
        @Override
        public boolean isWritable() {
            visits++;
            return super.isWritable();
        }
    };
    private RawPeer peer;

    /** A socket into the channel. */
    private final class InThread extends Socket {
        private ByteBuf received = Unpooled.EMPTY_BUFFER;

        @Override
        public void setSoTimeout(int ms) {
            // Nothing arrives later.
        }

        @Override
        public OutputStream getOutputStream() {
            return new OutputStream() {
                @Override
                public void write(int octet) {
                    write(new byte[] {(byte) octet}, 0, 1);
                }

                @Override
                public void write(byte[] octets, int from, int count) {
                    channel.writeInbound(Unpooled.copiedBuffer(octets, from, count));
                }
            };
        }

        @Override
        public InputStream getInputStream() {
            return new InputStream() {
                @Override
                public int read() {
                    while (!received.isReadable()) {
                        ByteBuf next = channel.readOutbound();
                        if (next == null) {
                            return -1;
                        }
                        received.release();
                        received = next;
                    }
                    return received.readByte() & 0xff;
                }
            };
        }
    }

    /** Opens many receivers in a session whose window is closed, each of which has a message. */
    @BeforeEach
    void open() throws IOException {
        broker.first.add(QueueDescription.named("q").build(), 1 << 20);
        peer = new RawPeer(new InThread()).plain("RootManageSharedAccessKey", InMemoryBroker.KEY);
        peer.begin(0, 0);
        peer.send(0, RawPeer.sender("s", LINKS, "q"));
        peer.next(FLOW);
        for (int i = 0; i < LINKS; i++) {
            peer.message(0, LINKS, i, RawPeer.message(new byte[1]));
            peer.next(DISPOSITION);
        }
        for (int i = 0; i < LINKS; i++) {
            peer.send(0, RawPeer.receiver("r" + i, i, "q"));
            peer.next(ATTACH);
            peer.send(0, window(0, 0).setHandle(i).setDeliveryCount(0).setLinkCredit(1));
        }
        assertThat(transfers()).isEmpty();
        visits = 0;
    }

    private static Flow window(int nextIncomingId, int window) {
        return new Flow()
                .setNextIncomingId(nextIncomingId)
                .setIncomingWindow(window)
                .setNextOutgoingId(1)
                .setOutgoingWindow(100);
    }

    /** Returns the handles of all transfers that have arrived. */
    private List<Object> transfers() throws IOException {
        List<RawPeer.Frame> frames = new ArrayList<>();
        peer.closedAfter(frames);
        return frames.stream()
                .filter(frame -> frame.code() == TRANSFER)
                .map(frame -> frame.field(0))
                .toList();
    }

    @Test
    @DisplayName("Session flows that leave the window closed continue no link (QUOTA-8)")
    void closed() throws Exception {
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < FLOWS; i++) {
            flows.add(window(0, 0));
        }
        peer.together(0, flows);
        assertThat(visits).isLessThan(LINKS);
        assertThat(transfers()).isEmpty();
    }

    @Test
    @DisplayName("A window for one transfer continues one link, also if it opens and closes for every flow (QUOTA-8)")
    void openAndClosed() throws Exception {
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < FLOWS; i++) {
            flows.add(window(0, 1));
            flows.add(window(0, 0));
        }
        peer.together(0, flows);
        assertThat(visits).isLessThan(LINKS);
        assertThat(transfers()).hasSize(1);
    }

    @Test
    @DisplayName("Windows for one transfer each continue the links in their order, one at a time (QUOTA-8)")
    void oneByOne() throws Exception {
        Set<Object> served = new HashSet<>();
        for (int i = 0; i < LINKS; i++) {
            peer.send(0, window(i, 1));
            List<Object> handles = transfers();
            assertThat(handles).hasSize(1);
            served.addAll(handles);
        }
        assertThat(served).hasSize(LINKS);
        assertThat(visits).isLessThan(20 * LINKS);
    }
}
