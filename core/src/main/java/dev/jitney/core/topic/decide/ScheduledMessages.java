package dev.jitney.core.topic.decide;

import dev.jitney.core.StoredMessage;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;

/** Turns messages that waited in a topic back into what was sent. */
final class ScheduledMessages {

    private ScheduledMessages() {}

    /** What rules and copies need; ids and sizes were judged when the message came in. */
    static IncomingMessage incoming(StoredMessage scheduled) {
        MessageContent content = scheduled.content();
        MessageEnvelope sent = MessageEnvelope.sent(scheduled.sessionId(), scheduled.scheduledEnqueueTimeMs());
        boolean handedOn = scheduled.hops() > 0 || scheduled.deadLetterSource() != null;
        int header = content.properties().remaining()
                + content.applicationProperties().remaining();
        return IncomingMessage.of(content)
                .timeToLiveMs(scheduled.expiresAtMs()) // in the scheduled lane this is the time to live (TTL-12)
                .sizes(content.sizeBytes(), header, 0)
                .envelope(
                        handedOn
                                ? sent.handedOn(
                                        scheduled.hops(),
                                        scheduled.enqueuedSequenceNumber(),
                                        scheduled.deadLetterSource())
                                : sent)
                .build();
    }
}
