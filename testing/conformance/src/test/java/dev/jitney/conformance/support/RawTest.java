package dev.jitney.conformance.support;

import dev.jitney.testing.amqp.FrameRules;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawSession;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A base class for tests with the raw client. After each test, all frames sent by the server to the peers of {@link
 * #keep} are checked with {@link FrameRules} (wire checklist 7).
 */
public abstract class RawTest {
    @RegisterExtension
    protected static final TestBroker broker = TestBroker.frozen();

    private final List<RawPeer> peers = new ArrayList<>();

    /** A peer with all rights. */
    protected RawPeer peer;

    /** A session of the peer. */
    protected RawSession session;

    @BeforeEach
    void connect() {
        peer = keep(newPeer());
        session = peer.begin();
    }

    /** Returns another peer with all rights, over the transport of this class. */
    protected RawPeer newPeer() {
        return broker.peer();
    }

    /** Returns a connection that has sent nothing, over the transport of this class. */
    protected RawPeer silentPeer() {
        return RawPeer.silent(broker.amqpPort());
    }

    protected RawPeer keep(RawPeer another) {
        peers.add(another);
        return another;
    }

    @AfterEach
    void disconnect() {
        peers.forEach(RawPeer::close);
        peers.forEach(p -> FrameRules.assertKept(p.connection().frames()));
    }

    /** Sends one message to a queue and waits until it is accepted. */
    protected void send(String queue, String text) {
        session.sender(queue).sendAccepted(PartitionedRun.inOrder(text, text));
    }
}
