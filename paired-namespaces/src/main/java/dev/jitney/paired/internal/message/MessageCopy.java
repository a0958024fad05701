package dev.jitney.paired.internal.message;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.amqp.models.AmqpMessageHeader;
import com.azure.core.amqp.models.AmqpMessageProperties;
import com.azure.messaging.servicebus.ServiceBusMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Copies of messages, so that the caller's object stays unchanged (PAIR-55). */
final class MessageCopy {
    /** Annotations that a broker sets when it stores or delivers a message. They mean nothing for the next send. */
    private static final Set<String> SET_BY_THE_BROKER = Set.of(
            "x-opt-sequence-number",
            "x-opt-enqueue-sequence-number",
            "x-opt-enqueued-time",
            "x-opt-locked-until",
            "x-opt-lock-token",
            "x-opt-message-state",
            "x-opt-deadletter-source",
            "x-opt-offset");

    private MessageCopy() {}

    /**
     * Returns a new message with the same content, except for annotations of the broker.
     *
     * @throws IllegalStateException if the body cannot be read a second time (PAIR-55)
     */
    static ServiceBusMessage of(AmqpAnnotatedMessage original) {
        ServiceBusMessage copy = new ServiceBusMessage(body(original.getBody()));
        AmqpAnnotatedMessage raw = copy.getRawAmqpMessage();
        raw.getApplicationProperties().putAll(original.getApplicationProperties());
        original.getMessageAnnotations().forEach((name, value) -> {
            if (!SET_BY_THE_BROKER.contains(name)) {
                raw.getMessageAnnotations().put(name, value);
            }
        });
        raw.getFooter().putAll(original.getFooter());
        copy(original.getHeader(), raw.getHeader());
        copy(original.getProperties(), raw.getProperties());
        return copy;
    }

    private static AmqpMessageBody body(AmqpMessageBody original) {
        switch (original.getBodyType()) {
            case DATA -> {
                // The SDK sends only the first section, and throws if there are more.
                List<byte[]> sections = new ArrayList<>();
                original.getData().forEach(sections::add);
                if (sections.size() > 1) {
                    throw new IllegalStateException("Expected a body of one data section, but it has " + sections.size()
                            + ". Such a message cannot be copied into a backlog queue.");
                }
                return AmqpMessageBody.fromData(sections.isEmpty() ? new byte[0] : sections.get(0));
            }
            case SEQUENCE -> {
                return AmqpMessageBody.fromSequence(original.getSequence());
            }
            case VALUE -> {
                return AmqpMessageBody.fromValue(original.getValue());
            }
            default ->
                throw new IllegalStateException("Expected a body of data, a sequence or a value, but it is "
                        + original.getBodyType() + ". Such a message cannot be copied into a backlog queue.");
        }
    }

    /** Copies the header without delivery count and first-acquirer, which start again at the next broker. */
    private static void copy(AmqpMessageHeader from, AmqpMessageHeader to) {
        to.setDurable(from.isDurable());
        to.setPriority(from.getPriority());
        to.setTimeToLive(from.getTimeToLive());
    }

    private static void copy(AmqpMessageProperties from, AmqpMessageProperties to) {
        to.setAbsoluteExpiryTime(from.getAbsoluteExpiryTime());
        to.setContentEncoding(from.getContentEncoding());
        to.setContentType(from.getContentType());
        to.setCorrelationId(from.getCorrelationId());
        to.setCreationTime(from.getCreationTime());
        to.setGroupId(from.getGroupId());
        to.setGroupSequence(from.getGroupSequence());
        to.setMessageId(from.getMessageId());
        to.setReplyTo(from.getReplyTo());
        to.setReplyToGroupId(from.getReplyToGroupId());
        to.setSubject(from.getSubject());
        to.setTo(from.getTo());
        to.setUserId(from.getUserId());
    }
}
