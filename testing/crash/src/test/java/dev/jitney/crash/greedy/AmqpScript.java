package dev.jitney.crash.greedy;

import dev.jitney.testing.amqp.Code;
import dev.jitney.testing.client.Endpoint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transactions.Coordinator;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Open;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.jspecify.annotations.Nullable;

/** A script in AMQP. It counts handles and delivery ids; the caller is responsible for everything else. */
final class AmqpScript extends Script {
    private static final long WINDOW = 100_000;

    private final Endpoint endpoint;
    private int handles;
    private int senders;
    private int deliveries;

    private AmqpScript(Protocol protocol, Endpoint endpoint) {
        super(protocol);
        this.endpoint = endpoint;
    }

    /** Returns a script that has sent nothing. */
    static AmqpScript silent(Endpoint endpoint) {
        AmqpScript script = new AmqpScript(endpoint.webSocket() ? Protocol.WEB_SOCKET : Protocol.AMQP, endpoint);
        if (endpoint.webSocket()) {
            script.write(("GET /$servicebus/websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                    + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\nSec-WebSocket-Protocol: AMQPWSB10\r\n\r\n"));
            script.await(Peer::isUpgraded);
        }
        return script;
    }

    /** Returns a script without credentials that has a connection and a session. */
    static AmqpScript anonymous(Endpoint endpoint) {
        return silent(endpoint).login("ANONYMOUS", new byte[0]).open().begin();
    }

    /** Returns a script with the key of the namespace that has a connection and a session. */
    static AmqpScript authenticated(Endpoint endpoint) {
        return silent(endpoint)
                .login("PLAIN", ("\0" + endpoint.ruleName() + "\0" + endpoint.key()).getBytes(StandardCharsets.UTF_8))
                .open()
                .begin();
    }

    AmqpScript login(String mechanism, byte[] response) {
        write(Frames.saslHeader(), Frames.sasl(mechanism, response, endpoint.host()));
        await(peer -> peer.seen(Code.SASL_OUTCOME) > 0);
        write(Frames.header(0));
        return this;
    }

    AmqpScript open() {
        return frame(0, openWith(Map.of()));
    }

    /** Returns an open performative with properties. */
    Open openWith(Map<Symbol, Object> properties) {
        Open open = new Open();
        open.setContainerId("greedy");
        open.setHostname(endpoint.host());
        open.setMaxFrameSize(Frames.FRAME_BYTES_MAX);
        if (!properties.isEmpty()) {
            open.setProperties(properties);
        }
        return open;
    }

    AmqpScript begin() {
        return frame(0, beginWith(Map.of()));
    }

    static Begin beginWith(Map<Symbol, Object> properties) {
        Begin begin = new Begin();
        begin.setNextOutgoingId(0);
        begin.setIncomingWindow(WINDOW);
        begin.setOutgoingWindow(WINDOW);
        if (!properties.isEmpty()) {
            begin.setProperties(properties);
        }
        return begin;
    }

    AmqpScript frame(int channel, Object performative) {
        write(Frames.amqp(channel, performative));
        return this;
    }

    /** Attaches a sender link and waits for credit. Returns its handle. */
    int sender(String address) {
        int handle = senderUnanswered(new Target().setAddress(address));
        awaitCredit();
        return handle;
    }

    /** Attaches a link to the transaction coordinator. */
    int coordinator() {
        int handle = senderUnanswered(new Coordinator());
        awaitCredit();
        return handle;
    }

    /** Attaches a sender link without waiting for credit. */
    int senderUnanswered(String address) {
        return senderUnanswered(new Target().setAddress(address));
    }

    private int senderUnanswered(org.apache.qpid.protonj2.types.transport.Attach attach) {
        senders++;
        frame(0, attach);
        return (int) attach.getHandle();
    }

    private int senderUnanswered(Object target) {
        Attach attach = attach("s" + handles, Role.SENDER);
        attach.setSource(new Source());
        if (target instanceof Coordinator coordinator) {
            attach.setTarget(coordinator);
        } else {
            attach.setTarget((Target) target);
        }
        attach.setInitialDeliveryCount(0);
        return senderUnanswered(attach);
    }

    /** Waits until all sender links have credit. */
    AmqpScript awaitCredit() {
        int wanted = senders;
        await(peer -> peer.seen(Code.FLOW) >= wanted);
        return this;
    }

    /** Attaches a receiver link. Returns its handle. */
    int receiver(String address, long credit) {
        return receiver(address, "target" + handles, credit, new Source().setAddress(address), Map.of());
    }

    /** Attaches a receiver link for the responses to requests. Returns its handle. */
    int responses(String node, String replyTo, long credit) {
        return receiver(node, replyTo, credit, new Source().setAddress(node), Map.of());
    }

    int receiver(String name, String target, long credit, Source source, Map<Symbol, Object> properties) {
        Attach attach = attach(name + "-" + handles, Role.RECEIVER);
        attach.setSource(source);
        attach.setTarget(new Target().setAddress(target));
        attach.setSenderSettleMode(SenderSettleMode.UNSETTLED);
        attach.setReceiverSettleMode(ReceiverSettleMode.FIRST);
        if (!properties.isEmpty()) {
            attach.setProperties(properties);
        }
        frame(0, attach);
        if (credit > 0) {
            credit((int) attach.getHandle(), credit);
        }
        return (int) attach.getHandle();
    }

    Attach attach(String name, Role role) {
        Attach attach = new Attach();
        attach.setName(name);
        attach.setHandle(handles++);
        attach.setRole(role);
        return attach;
    }

    AmqpScript credit(int handle, long credit) {
        Flow flow = new Flow();
        flow.setNextIncomingId(0);
        flow.setIncomingWindow(WINDOW);
        flow.setNextOutgoingId(0);
        flow.setOutgoingWindow(WINDOW);
        flow.setHandle(handle);
        flow.setDeliveryCount(0);
        flow.setLinkCredit(credit);
        return frame(0, flow);
    }

    /** Sends a complete message. */
    AmqpScript send(int handle, byte[] message) {
        return send(handle, ByteBuffer.wrap(message));
    }

    AmqpScript send(int handle, ByteBuffer message) {
        write(Frames.transfers(handle, deliveries++, message, true, null));
        return this;
    }

    /** Sends the beginning of a message whose end is never sent. */
    AmqpScript begin(int handle, ByteBuffer beginning) {
        write(Frames.transfers(handle, deliveries++, beginning, false, null));
        return this;
    }

    /** Sends a complete message in a transaction that the server has declared. */
    AmqpScript send(int handle, ByteBuffer message, TransactionOf transaction) {
        int id = deliveries++;
        write(peer -> Frames.transfers(handle, id, message, true, transaction.state(peer)));
        return this;
    }

    /** The transaction of a peer. */
    @FunctionalInterface
    interface TransactionOf {
        @Nullable
        DeliveryState state(Peer peer);
    }
}
