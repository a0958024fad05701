package dev.jitney.fuzz.target;

import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.RandomMessages;
import dev.jitney.codec.Wire;
import dev.jitney.fuzz.server.FuzzedBroker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.apache.qpid.protonj2.types.messaging.Section;

/** A message of an AMQP sender, received over HTTP. A client can receive every accepted message there. */
final class HttpDeliveryTarget extends ServerTarget<HttpFront> {
    private static final int OK = 200;
    private static final int NOTHING_THERE = 204;

    private final IncomingMessageDecoder decoder = new IncomingMessageDecoder(() -> "fresh");

    HttpDeliveryTarget() throws Exception {
        super("http-delivery", List.of(), new HttpFront());
    }

    @Override
    public byte[] generate(Random random) {
        return Wire.bytes(Wire.encode(new RandomMessages(random).next().toArray(new Section<?>[0])));
    }

    @Override
    public void run(byte[] input) throws Exception {
        try {
            front.broker()
                    .send(
                            FuzzedBroker.QUEUE,
                            decoder.decode(Wire.reader(input), IncomingMessageDecoder.FORMAT_SINGLE)
                                    .get(0));
        } catch (MessageFormatException refused) {
            return;
        }
        String request = "DELETE /" + FuzzedBroker.QUEUE
                + "/messages/head?timeout=0 HTTP/1.1\r\nHost: x\r\nAuthorization: " + front.token() + "\r\n\r\n";
        int status = front.status(request.getBytes(StandardCharsets.ISO_8859_1), true);
        if (status != OK && status != NOTHING_THERE) {
            throw new AssertionError("Expected to receive the message over HTTP, but got status " + status + ".");
        }
    }
}
