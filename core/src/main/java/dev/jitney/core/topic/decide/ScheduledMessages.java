package dev.jitney.core.topic.decide;

import dev.jitney.core.StoredMessage;
import dev.jitney.model.ForwardingHistory;
import dev.jitney.model.IncomingMessage;

/** Turns messages that waited in a topic back into what was sent. */
final class ScheduledMessages {

    private ScheduledMessages() {}

    /** What rules and copies need; ids and sizes were judged when the message came in. */
    static IncomingMessage incoming(StoredMessage scheduled) {
        return new IncomingMessage(
                null,
                scheduled.sessionId(),
                null,
                scheduled.expiresAtMs(), // in the scheduled lane this is the time to live (TTL-12)
                scheduled.scheduledEnqueueTimeMs(),
                false,
                scheduled.content().sizeBytes(),
                scheduled.content().properties().remaining()
                        + scheduled.content().applicationProperties().remaining(),
                0,
                scheduled.content(),
                scheduled.hops() == 0 && scheduled.deadLetterSource() == null
                        ? null
                        : new ForwardingHistory(
                                scheduled.hops(), scheduled.enqueuedSequenceNumber(), scheduled.deadLetterSource()));
    }
}
