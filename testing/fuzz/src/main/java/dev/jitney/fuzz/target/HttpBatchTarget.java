package dev.jitney.fuzz.target;

import dev.jitney.codec.OutgoingMessageEncoder;
import dev.jitney.codec.Views;
import dev.jitney.codec.Wire;
import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.fuzz.input.HttpRequests;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.messaging.FuzzedBodies;
import dev.jitney.model.IncomingMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The JSON of a client that sends over HTTP, as a batch and as the broker properties of one message. It is refused with
 * a sentence, or becomes messages that another codec can also read.
 */
final class HttpBatchTarget implements FuzzTarget {
    private static final long NOW_MS = 1_795_244_503_000L;
    private static final int BAD_REQUEST = 400;

    private final OutgoingMessageEncoder encoder = new OutgoingMessageEncoder();

    @Override
    public String name() {
        return "http-batch";
    }

    @Override
    public byte[] generate(Random random) {
        HttpRequests requests = new HttpRequests(random);
        return (random.nextBoolean() ? requests.batch() : requests.brokerProperties())
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void run(byte[] input) throws Exception {
        try {
            FuzzedBodies.batch(input, NOW_MS).forEach(this::check);
        } catch (RefusedException refused) {
            check(refused);
        }
        try {
            check(FuzzedBodies.message(input, NOW_MS));
        } catch (RefusedException refused) {
            check(refused);
        }
    }

    private void check(IncomingMessage message) {
        Wire.decode(Wire.buffer(encoder.encode(Views.delivered(message))));
    }

    private static void check(RefusedException refused) {
        if (refused.error().status() < BAD_REQUEST || refused.error().sentence().isBlank()) {
            throw new AssertionError("Expected a refusal that describes the error, but got " + refused.error() + ".");
        }
    }

    @Override
    public List<byte[]> words() {
        return Stream.of(HttpRequests.JSON)
                .map(word -> word.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }
}
