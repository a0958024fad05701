package dev.jitney.fuzz.target;

import dev.jitney.fuzz.input.AmqpRequests;
import dev.jitney.fuzz.input.Frames;
import dev.jitney.fuzz.input.Prelude;
import dev.jitney.fuzz.server.AmqpClientEnd;
import java.util.Random;

/**
 * The frames of a client with all rights on open links: attaches, flows, transfers, dispositions and requests with
 * fields of any type. Every connection ends with an answer to the last request, or is closed with an error.
 */
final class AmqpLinksTarget extends ServerTarget<AmqpFront> {
    private static final int FIRST_CHANNEL = 90;

    AmqpLinksTarget() throws Exception {
        super("amqp-links", AmqpRequests.WORDS, new AmqpFront());
    }

    @Override
    public byte[] generate(Random random) {
        return AmqpRequests.some(random);
    }

    @Override
    public void run(byte[] input) throws Exception {
        AmqpClientEnd client = front.connect();
        client.send(Frames.join(Prelude.LINKED, input));
        if (Frames.areWhole(input, 0)) {
            client.send(Frames.begin(FIRST_CHANNEL));
            if (AmqpFront.awaitBegin(client, FIRST_CHANNEL)) {
                front.broker().settle(); // the answers of the shard are in transit now
                client.send(Frames.begin(FIRST_CHANNEL + 1));
                AmqpFront.awaitBegin(client, FIRST_CHANNEL + 1);
            }
        }
        AmqpFront.leave(client);
    }
}
