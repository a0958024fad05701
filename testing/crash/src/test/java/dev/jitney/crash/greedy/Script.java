package dev.jitney.crash.greedy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * All that one greedy client does, in order. Thousands of connections share one script, and its buffers. It is written by
 * one thread and not changed once a {@link GreedyClients} has it.
 */
class Script {
    /** How a greedy client talks to a port. */
    enum Protocol {
        /** The bytes are AMQP. */
        AMQP,
        /** The bytes are AMQP, in frames of a WebSocket, after an upgrade. */
        WEB_SOCKET,
        /** The bytes are not looked at. */
        OTHER
    }

    /** One thing to do: bytes to write, a condition to wait for, or something to do to the connection. */
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

    /** Asks the system for a small buffer, so that what is not read stays with the server. */
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

    /** Writes what depends on what the server said. */
    Script write(Function<Peer, List<ByteBuffer>> made) {
        steps.add(new Step(List.of(), AT_ONCE, made));
        return this;
    }

    /** Goes on when that is so. */
    Script await(Predicate<Peer> condition) {
        steps.add(new Step(List.of(), condition, NOTHING));
        return this;
    }

    /** Takes nothing more from the socket. */
    Script stopReading() {
        steps.add(new Step(List.of(), AT_ONCE, peer -> {
            peer.stopReading();
            return List.of();
        }));
        return this;
    }
}
