package dev.jitney.core.topic.decide;

import dev.jitney.codec.StoredMessages;
import dev.jitney.core.StoredMessage;
import dev.jitney.model.IncomingMessage;
import java.util.Map;

/** Conversion of scheduled messages of a topic back into sent messages. */
final class ScheduledMessages {

    private ScheduledMessages() {}

    /**
     * Returns the message as it was sent, with the number that it got then (SEQ-5). Its limits were checked then, but a destination of a
     * subscription needs its ids and keys again (FWD-10).
     */
    static IncomingMessage incoming(StoredMessage scheduled) {
        IncomingMessage sent = StoredMessages.incoming(
                scheduled.content(),
                Map.of(),
                scheduled.sessionId(),
                scheduled.expiresAtMs(), // in the scheduled lane this is the time to live (TTL-12)
                scheduled.scheduledEnqueueTimeMs());
        return sent.with(sent.envelope()
                .handedOn(scheduled.hops(), scheduled.enqueuedSequenceNumber(), scheduled.deadLetterSource()));
    }
}
