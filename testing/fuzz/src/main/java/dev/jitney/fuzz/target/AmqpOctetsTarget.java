package dev.jitney.fuzz.target;

import dev.jitney.fuzz.input.AmqpRequests;
import dev.jitney.fuzz.input.Frames;
import dev.jitney.fuzz.input.Prelude;
import dev.jitney.fuzz.input.SaslDialogues;
import dev.jitney.fuzz.server.AmqpClientEnd;
import java.util.Arrays;
import java.util.Random;

/** All bytes of a client on a connection from the first one: headers, SASL, frames. */
final class AmqpOctetsTarget extends ServerTarget<AmqpFront> {

    AmqpOctetsTarget() throws Exception {
        super("amqp-octets", AmqpRequests.WORDS, new AmqpFront());
    }

    @Override
    public byte[] generate(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> Prelude.OPENED;
            case 1, 2 -> SaslDialogues.some(random);
            case 3 -> Frames.join(Frames.AMQP, Frames.open(), Frames.begin(0), AmqpRequests.some(random));
            default -> Frames.join(Prelude.LINKED, AmqpRequests.some(random));
        };
    }

    @Override
    public void run(byte[] input) throws Exception {
        AmqpClientEnd client = front.connect();
        int half = input.length / 2;
        client.send(Arrays.copyOf(input, half));
        client.send(Arrays.copyOfRange(input, half, input.length));
        AmqpFront.leave(client);
    }
}
