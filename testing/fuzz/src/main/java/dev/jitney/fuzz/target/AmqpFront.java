package dev.jitney.fuzz.target;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.ValueReader;
import dev.jitney.fuzz.server.AmqpClientEnd;
import dev.jitney.fuzz.server.FuzzedBroker;
import dev.jitney.gateway.amqp.AmqpGateway;
import dev.jitney.gateway.amqp.AmqpGatewayOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A broker behind its AMQP gateway, and what any answer of it has to look like. Made anew from time to time. */
final class AmqpFront implements AutoCloseable {
    static final long PATIENCE_MS = 15_000;
    private static final int INPUTS_PER_LIFE = 20_000;
    private static final int FRAME_BYTES_MAX = 65_536;
    private static final byte[] HEADER_BEGINS = {'A', 'M', 'Q', 'P'};
    private static final Set<Integer> WITH_ERROR = Set.of(Frames.DETACH, Frames.END, Frames.CLOSE);

    private FuzzedBroker broker;
    private AmqpGateway gateway;
    private int inputs;

    AmqpFront() throws Exception {
        broker = new FuzzedBroker();
        gateway = start(broker);
    }

    private static AmqpGateway start(FuzzedBroker broker) {
        AmqpGateway gateway = new AmqpGateway(
                broker.broker(), AmqpGatewayOptions.plain("127.0.0.1", 0).withEventLoops(1));
        gateway.start();
        return gateway;
    }

    FuzzedBroker broker() {
        return broker;
    }

    /** A new connection. */
    AmqpClientEnd connect() throws Exception {
        if (++inputs % INPUTS_PER_LIFE == 0) {
            close();
            broker = new FuzzedBroker();
            gateway = start(broker);
        }
        return AmqpClientEnd.open(gateway);
    }

    /** Sends and receives as a client does that means well, and looks after the bystander. */
    void check() throws Exception {
        broker.restore();
        broker.checkBystander();
        AmqpClientEnd client = AmqpClientEnd.open(gateway);
        client.send(Frames.join(Prelude.OPENED, Frames.begin(7)));
        if (!awaitBegin(client, 7)) {
            throw new AssertionError("Expected a client that means well to be served, but it is not.");
        }
        client.leave();
        client.awaitClose(PATIENCE_MS);
    }

    /** Waits until the session of that channel is answered; false if the connection was closed instead. */
    static boolean awaitBegin(AmqpClientEnd client, int channel) throws Exception {
        while (true) {
            byte[] received = client.received();
            for (Answer answer : answers(received)) {
                if (answer.code() == Frames.BEGIN && answer.isField(0, channel)) {
                    return true;
                }
            }
            if (client.isClosed()) {
                return false;
            }
            if (!client.awaitMore(received.length, PATIENCE_MS)) {
                throw new AssertionError(
                        "Expected an answer or the end of the connection, but got neither in " + PATIENCE_MS + " ms.");
            }
        }
    }

    /** Ends a connection; it must be gone soon, and all it has said must be AMQP. */
    static void leave(AmqpClientEnd client) throws Exception {
        client.leave();
        if (!client.awaitClose(PATIENCE_MS)) {
            throw new AssertionError("Expected the gateway to let go of a client that has left, but it did not.");
        }
        for (Answer answer : answers(client.received())) {
            answer.checkError();
        }
    }

    /**
     * One frame of the gateway.
     *
     * @param fields of the performative; null in an empty frame
     */
    record Answer(int code, @Nullable List<?> fields) {

        boolean isField(int index, long value) {
            return fields != null
                    && fields.size() > index
                    && fields.get(index) instanceof Number number
                    && number.longValue() == value;
        }

        /** An error has a condition that clients know, and it is not that something broke here. */
        void checkError() {
            if (!WITH_ERROR.contains(code) || fields == null || fields.isEmpty()) {
                return;
            }
            Object error = fields.get(fields.size() - 1);
            if (error instanceof List<?> parts && !parts.isEmpty()) {
                String condition = String.valueOf(parts.get(0));
                if (!condition.matches("(amqp|com\\.microsoft):[a-z:-]+") || condition.equals("amqp:internal-error")) {
                    throw new AssertionError("Expected a documented error, but got " + parts);
                }
            }
        }
    }

    private static List<Answer> answers(byte[] received) throws MessageFormatException {
        List<Answer> out = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(received);
        while (in.remaining() >= Frames.HEAD_BYTES) {
            int at = in.position();
            if (Arrays.equals(received, at, at + 4, HEADER_BEGINS, 0, 4)) {
                in.position(at + Frames.HEAD_BYTES);
                continue;
            }
            int size = in.getInt(at);
            if (size < Frames.HEAD_BYTES || size > FRAME_BYTES_MAX) {
                throw new AssertionError("Expected frames the client can take, but one claims " + size + " octets.");
            }
            if (size > in.remaining()) {
                break;
            }
            out.add(answer(received, at + Frames.HEAD_BYTES, at + size));
            in.position(at + size);
        }
        return out;
    }

    private static Answer answer(byte[] received, int from, int to) throws MessageFormatException {
        if (from == to) {
            return new Answer(-1, null);
        }
        AmqpReader in = new AmqpReader(received, from, to);
        in.readCode();
        int code = ValueReader.read(in) instanceof Number number ? number.intValue() : -1;
        if (code == Frames.ATTACH || code == Frames.TRANSFER) {
            in.skipValue(); // has what the peer said, such as names that are no text
            return new Answer(code, null);
        }
        return new Answer(code, ValueReader.read(in) instanceof List<?> fields ? fields : null);
    }

    @Override
    public void close() {
        gateway.close();
        broker.close();
    }
}
