package dev.jitney.fuzz.target;

import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.fuzz.server.AmqpClientEnd;
import dev.jitney.fuzz.server.FuzzedBroker;
import java.util.List;
import java.util.Random;

/** All a client says on a connection from its first octet: headers, SASL, frames. */
public final class AmqpOctetsTarget implements FuzzTarget {
    private final AmqpFront front;

    public AmqpOctetsTarget() throws Exception {
        front = new AmqpFront();
    }

    @Override
    public String name() {
        return "amqp-octets";
    }

    @Override
    public String about() {
        return "An AMQP connection from its first octet, SASL included, against the whole broker.";
    }

    @Override
    public byte[] generate(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> Prelude.OPENED;
            case 1 ->
                Frames.join(
                        Frames.SASL,
                        Frames.saslPlain(AmqpRequests.word(random), FuzzedBroker.KEY),
                        Frames.AMQP,
                        Frames.open());
            case 2 -> Frames.join(Frames.AMQP, Frames.open(), Frames.begin(0), AmqpRequests.some(random));
            default -> Frames.join(Prelude.LINKED, AmqpRequests.some(random));
        };
    }

    @Override
    public void run(byte[] input) throws Exception {
        AmqpClientEnd client = front.connect();
        int half = input.length / 2;
        client.send(java.util.Arrays.copyOf(input, half));
        client.send(java.util.Arrays.copyOfRange(input, half, input.length));
        AmqpFront.leave(client);
    }

    @Override
    public void checkAtRest() throws Exception {
        front.check();
    }

    @Override
    public List<byte[]> words() {
        return AmqpRequests.WORDS;
    }

    @Override
    public boolean isFunction() {
        return false;
    }

    @Override
    public void close() {
        front.close();
    }
}
