package dev.jitney.simulation.run;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import dev.jitney.simulation.Chance;
import dev.jitney.simulation.model.Request;
import java.nio.ByteBuffer;
import java.util.Map;

/** Makes messages, each with a number of its own as its last eight bytes. */
final class Messages {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private long lastUid;

    /** A message, and what the model has to know of it. */
    record Made(IncomingMessage message, Request.Sent sent) {}

    Made make(Chance chance, long scheduledMs) {
        long uid = ++lastUid;
        ByteBuffer body = ByteBuffer.allocate(8 + chance.below(chance.perMille(50) ? 2_000 : 60));
        body.putLong(body.capacity() - 8, uid);
        MessageContent content = MessageContent.of(true, 4, false, NOTHING, NOTHING, NOTHING, body);
        long timeToLiveMs = chance.perMille(250) ? chance.between(1, 90_000) : MessageView.NEVER;
        IncomingMessage message = new IncomingMessage(
                null, null, null, timeToLiveMs, scheduledMs, false, content.sizeBytes(), 0, 0, content);
        return new Made(message, new Request.Sent(uid, null, null, scheduledMs, 0));
    }

    /** Properties a settlement sets. */
    static Map<String, EncodedValue> changes(Chance chance) {
        return chance.perMille(700) ? Map.of() : Map.of("tried", EncodedValue.ofString("x".repeat(chance.below(20))));
    }
}
