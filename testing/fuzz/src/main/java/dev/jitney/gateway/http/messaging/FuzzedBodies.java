package dev.jitney.gateway.http.messaging;

import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.IncomingMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The conversion of HTTP bodies and headers to messages, without a connection. */
public final class FuzzedBodies {
    private FuzzedBodies() {}

    /** Returns the messages of a batch. */
    public static List<IncomingMessage> batch(byte[] body, long nowMs) throws RefusedException {
        return MessageBatch.read(body, new MessageComposer(), nowMs);
    }

    /** Returns a message without a body and with those bytes as its broker properties. */
    public static IncomingMessage message(byte[] header, long nowMs) throws RefusedException {
        String text = new String(header, StandardCharsets.ISO_8859_1);
        return new MessageComposer().compose(BrokerProperties.parse(text), null, Map.of(), new byte[0], nowMs);
    }
}
