package dev.jitney.paired.internal.message;

import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.amqp.models.AmqpMessageHeader;
import com.azure.core.amqp.models.AmqpMessageProperties;
import com.azure.messaging.servicebus.ServiceBusMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Clones messages, so that the caller's object stays as it was (PAIR-55). */
final class MessageCopy {
    /** What a broker sets on a message that it stores or delivers; it means nothing for the next send. */
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
     * A message of its own with the same content, but for what a broker had set.
     *
     * @throws IllegalStateException if there is no second reading of the body (PAIR-55)
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
                // The SDK sends the first section only, and says so when there are more.
                List<byte[]> sections = new ArrayList<>();
                original.getData().forEach(sections::add);
                if (sections.size() > 1) {
                    throw new IllegalStateException("Expected a body of one data section, but it has " + sections.size()
                            + ": such a message cannot be copied into a backlog queue.");
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
                        + original.getBodyType() + ": such a message cannot be copied into a backlog queue.");
        }
    }

    /** Without the delivery count and first-acquirer, which the next broker begins anew. */
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
