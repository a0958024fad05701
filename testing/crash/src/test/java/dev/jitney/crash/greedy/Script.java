package dev.jitney.crash.greedy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The steps of one greedy client. Thousands of connections share one script and its buffers. One thread writes the
 * script; it is not changed after a {@link GreedyClients} has it.
 */
class Script {
    /** The protocol of a greedy client. */
    enum Protocol {
        /** AMQP without WebSocket. */
        AMQP,
        /** AMQP in WebSocket frames after an upgrade. */
        WEB_SOCKET,
        /** Any other protocol, whose bytes are not examined. */
        OTHER
    }

    /** One step: a condition to wait for, bytes to write, or an action on the connection. */
    record Step(List<ByteBuffer> bytes, Predicate<Peer> ready, Function<Peer, List<ByteBuffer>> made) {}

    private static final Predicate<Peer> AT_ONCE = peer -> true;
    private static final Function<Peer, List<ByteBuffer>> NOTHING = peer -> List.of();

    private final Protocol protocol;
    private final List<Step> steps = new ArrayList<>();
    private int receiveBufferBytes;

    Script(Protocol protocol) {
        this.protocol = protocol;
    }

    Protocol protocol() {
        return protocol;
    }

    List<Step> steps() {
        return steps;
    }

    int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    /** Requests a small receive buffer from the operating system, so that unread data remains in the server. */
    Script smallReceiveBuffer() {
        receiveBufferBytes = 4_096;
        return this;
    }

    Script write(ByteBuffer... bytes) {
        return write(List.of(bytes));
    }

    Script write(List<ByteBuffer> bytes) {
        steps.add(new Step(bytes, AT_ONCE, NOTHING));
        return this;
    }

    Script write(String text) {
        return write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** Writes bytes that depend on the server's output. */
    Script write(Function<Peer, List<ByteBuffer>> made) {
        steps.add(new Step(List.of(), AT_ONCE, made));
        return this;
    }

    /** Waits until a condition holds. */
    Script await(Predicate<Peer> condition) {
        steps.add(new Step(List.of(), condition, NOTHING));
        return this;
    }

    /** Stops reading from the socket. */
    Script stopReading() {
        steps.add(new Step(List.of(), AT_ONCE, peer -> {
            peer.stopReading();
            return List.of();
        }));
        return this;
    }
}
