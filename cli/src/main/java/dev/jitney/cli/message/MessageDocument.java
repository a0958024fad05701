package dev.jitney.cli.message;

import com.azure.core.amqp.models.AmqpAddress;
import com.azure.core.amqp.models.AmqpAnnotatedMessage;
import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.amqp.models.AmqpMessageProperties;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.jitney.cli.value.Durations;
import dev.jitney.cli.value.TypedValues;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Conversion between messages and documents whose members have the names of Service Bus.
 *
 * <p>{@code body} is a text if the message carries UTF-8 data, and otherwise an object: {@code {"type": "data", "base64":
 * …}}, {@code {"type": "value", "value": …}} or {@code {"type": "sequence", "value": […]}} with values of {@link
 * TypedValues}. Members that only the broker can set (numbers, states, locks, times, reasons) are for reading; sending a
 * document ignores them. It also ignores the expiry, which follows from the time to live.
 */
public final class MessageDocument {
    static final String REASON = "DeadLetterReason";
    static final String DESCRIPTION = "DeadLetterErrorDescription";

    /** Annotations that have a member in the document or belong to the broker. */
    private static final Set<String> KNOWN_ANNOTATIONS = Set.of(
            "x-opt-enqueued-time",
            "x-opt-sequence-number",
            "x-opt-enqueue-sequence-number",
            "x-opt-locked-until",
            "x-opt-lock-token",
            "x-opt-message-state",
            "x-opt-deadletter-source",
            "x-opt-scheduled-enqueue-time",
            "x-opt-partition-key");

    private MessageDocument() {}

    /** Returns a received message as a document. */
    public static Map<String, @Nullable Object> of(ServiceBusReceivedMessage message) {
        Members document = new Members();
        document.put("messageId", message.getMessageId());
        document.put("sequenceNumber", message.getSequenceNumber());
        document.put("enqueuedSequenceNumber", message.getEnqueuedSequenceNumber());
        document.put("enqueuedTime", message.getEnqueuedTime());
        document.put("state", state(message));
        document.put("deliveryCount", message.getDeliveryCount());
        document.put("subject", message.getSubject());
        document.put("contentType", message.getContentType());
        document.put("correlationId", message.getCorrelationId());
        document.put("sessionId", message.getSessionId());
        document.put("partitionKey", message.getPartitionKey());
        document.put("replyTo", message.getReplyTo());
        document.put("replyToSessionId", message.getReplyToSessionId());
        document.put("to", message.getTo());
        timeToLive(document, message);
        document.put("scheduledEnqueueTime", message.getScheduledEnqueueTime());
        document.put("lockedUntil", message.getLockedUntil());
        document.put("deadLetterReason", message.getDeadLetterReason());
        document.put("deadLetterErrorDescription", message.getDeadLetterErrorDescription());
        document.put("deadLetterSource", message.getDeadLetterSource());
        AmqpAnnotatedMessage raw = message.getRawAmqpMessage();
        rare(document, raw);
        document.putTyped("applicationProperties", raw.getApplicationProperties(), Set.of(REASON, DESCRIPTION));
        document.putTyped("annotations", raw.getMessageAnnotations(), KNOWN_ANNOTATIONS);
        document.putTyped("footer", raw.getFooter(), Set.of());
        document.members.put("body", body(raw.getBody()));
        return document.members;
    }

    /** Returns the state in Service Bus terms. */
    private static String state(ServiceBusReceivedMessage message) {
        return switch (message.getState()) {
            case ACTIVE -> "Active";
            case DEFERRED -> "Deferred";
            case SCHEDULED -> "Scheduled";
        };
    }

    /** Adds the time to live if the message has its own. Otherwise the SDK reports zero, or a value computed from the expiry. */
    private static void timeToLive(Members document, ServiceBusReceivedMessage message) {
        Duration own = message.getRawAmqpMessage().getHeader().getTimeToLive();
        if (own != null && !own.isZero()) {
            document.put("timeToLive", own);
            document.put("expiresAt", message.getExpiresAt());
        }
    }

    private static void rare(Members document, AmqpAnnotatedMessage raw) {
        AmqpMessageProperties properties = raw.getProperties();
        byte[] userId = properties.getUserId();
        if (userId != null && userId.length > 0) {
            document.put("userId", Base64.getEncoder().encodeToString(userId));
        }
        document.put("contentEncoding", properties.getContentEncoding());
        document.put("absoluteExpiryTime", properties.getAbsoluteExpiryTime());
        document.put("creationTime", properties.getCreationTime());
        Long groupSequence = properties.getGroupSequence();
        if (groupSequence != null && groupSequence != 0) {
            document.put("groupSequence", groupSequence);
        }
    }

    private static @Nullable Object body(AmqpMessageBody body) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        switch (body.getBodyType()) {
            case DATA -> {
                byte[] bytes = body.getFirstData();
                String text = text(bytes);
                if (text != null) {
                    return text;
                }
                document.put("type", "data");
                document.put("base64", Base64.getEncoder().encodeToString(bytes));
            }
            case VALUE -> {
                document.put("type", "value");
                document.put("value", TypedValues.toJson(body.getValue()));
            }
            default -> {
                List<@Nullable Object> elements = new ArrayList<>();
                body.getSequence().forEach(element -> elements.add(TypedValues.toJson(element)));
                document.put("type", "sequence");
                document.put("value", elements);
            }
        }
        return document;
    }

    /** Returns the text if the bytes are UTF-8 that encodes to the same bytes again, else null. */
    private static @Nullable String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /**
     * Returns the message for such a document.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static ServiceBusMessage toMessage(Map<String, ? extends @Nullable Object> document) {
        ServiceBusMessage message = new ServiceBusMessage(readBody(document.get("body")));
        Reader reader = new Reader(document);
        message.setMessageId(reader.text("messageId"));
        message.setSubject(reader.text("subject"));
        message.setContentType(reader.text("contentType"));
        message.setCorrelationId(reader.text("correlationId"));
        message.setSessionId(reader.text("sessionId"));
        message.setReplyTo(reader.text("replyTo"));
        message.setReplyToSessionId(reader.text("replyToSessionId"));
        String partitionKey = reader.text("partitionKey");
        if (partitionKey != null) {
            message.setPartitionKey(partitionKey);
        }
        AmqpAnnotatedMessage raw = message.getRawAmqpMessage();
        String to = reader.text("to");
        if (to != null) {
            raw.getProperties().setTo(new AmqpAddress(to));
        }
        String timeToLive = reader.text("timeToLive");
        if (timeToLive != null) {
            message.setTimeToLive(Durations.parse(timeToLive));
        }
        OffsetDateTime scheduled = reader.time("scheduledEnqueueTime");
        if (scheduled != null) {
            message.setScheduledEnqueueTime(scheduled);
        }
        readRare(reader, raw.getProperties());
        reader.typed("applicationProperties", raw.getApplicationProperties());
        reader.typed("annotations", raw.getMessageAnnotations());
        reader.typed("footer", raw.getFooter());
        return message;
    }

    private static void readRare(Reader reader, AmqpMessageProperties properties) {
        String userId = reader.text("userId");
        if (userId != null) {
            properties.setUserId(Base64.getDecoder().decode(userId));
        }
        properties.setContentEncoding(reader.text("contentEncoding"));
        properties.setCreationTime(reader.time("creationTime"));
        String groupSequence = reader.text("groupSequence");
        if (groupSequence != null) {
            properties.setGroupSequence(Long.valueOf(groupSequence));
        }
    }

    private static AmqpMessageBody readBody(@Nullable Object body) {
        if (body instanceof String text) {
            return AmqpMessageBody.fromData(text.getBytes(StandardCharsets.UTF_8));
        } else if (body instanceof Map<?, ?> map) {
            String type = String.valueOf(map.get("type"));
            if (type.equals("data") && map.get("base64") instanceof String base64) {
                return AmqpMessageBody.fromData(Base64.getDecoder().decode(base64));
            } else if (type.equals("value") && map.get("value") != null) {
                return AmqpMessageBody.fromValue(TypedValues.fromJson(map.get("value")));
            } else if (type.equals("sequence") && map.get("value") instanceof List<?> elements) {
                List<@Nullable Object> values = new ArrayList<>();
                elements.forEach(element -> values.add(TypedValues.fromJson(element)));
                return AmqpMessageBody.fromSequence(values);
            }
        } else if (body == null) {
            return AmqpMessageBody.fromData(new byte[0]);
        }
        throw new IllegalArgumentException("Expected body to be a text, or an object of type data (with base64), value"
                + " (with value, which this SDK cannot send as null) or sequence (with value).");
    }

    /** A builder of documents that omits absent members. */
    private static final class Members {
        private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

        void put(String name, @Nullable Object value) {
            if (value instanceof OffsetDateTime time) {
                members.put(name, time.toInstant().toString());
            } else if (value != null) {
                members.put(name, value);
            }
        }

        void putTyped(String name, Map<String, Object> values, Set<String> without) {
            Map<String, @Nullable Object> typed = new LinkedHashMap<>();
            values.forEach((key, value) -> {
                if (!without.contains(key)) {
                    typed.put(key, TypedValues.toJson(value));
                }
            });
            if (!typed.isEmpty()) {
                members.put(name, typed);
            }
        }
    }

    /** A reader of members of an unchecked document. */
    private record Reader(Map<String, ? extends @Nullable Object> document) {

        @Nullable
        String text(String name) {
            Object value = document.get(name);
            if (value == null) {
                return null;
            } else if (value instanceof String || value instanceof Number) {
                return value.toString();
            }
            throw new IllegalArgumentException("Expected " + name + " to be a text.");
        }

        @Nullable
        OffsetDateTime time(String name) {
            String text = text(name);
            try {
                return text == null ? null : OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
            } catch (java.time.format.DateTimeParseException e) {
                throw new IllegalArgumentException(
                        "Expected " + name + " to be a time such as 2026-01-31T12:00:00Z, but got '" + text + "'.");
            }
        }

        void typed(String name, Map<String, Object> target) {
            Object values = document.get(name);
            if (values instanceof Map<?, ?> map) {
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    try {
                        target.put(String.valueOf(entry.getKey()), TypedValues.fromJson(entry.getValue()));
                    } catch (IllegalArgumentException e) {
                        throw new IllegalArgumentException(name + "." + entry.getKey() + ": " + e.getMessage());
                    }
                }
            } else if (values != null) {
                throw new IllegalArgumentException("Expected " + name + " to be an object.");
            }
        }
    }
}
