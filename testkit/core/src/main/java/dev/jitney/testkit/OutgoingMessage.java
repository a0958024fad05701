package dev.jitney.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The properties of a message that a test sends. Not thread-safe. */
public final class OutgoingMessage {
    private final Map<String, @Nullable Object> members = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> properties = new LinkedHashMap<>();

    private OutgoingMessage() {}

    static OutgoingMessage text(String body) {
        OutgoingMessage message = new OutgoingMessage();
        message.members.put("body", body);
        return message;
    }

    static OutgoingMessage binary(byte[] body) {
        OutgoingMessage message = new OutgoingMessage();
        message.members.put(
                "body", Map.of("type", "data", "base64", Base64.getEncoder().encodeToString(body)));
        return message;
    }

    /** Sets the message id. Without it the test kit makes one. */
    public OutgoingMessage messageId(String value) {
        return member("messageId", value);
    }

    /** Sets the subject, which older SDKs call the label. */
    public OutgoingMessage subject(String value) {
        return member("subject", value);
    }

    /** Sets the content type, such as {@code application/json}. */
    public OutgoingMessage contentType(String value) {
        return member("contentType", value);
    }

    /** Sets the correlation id. */
    public OutgoingMessage correlationId(String value) {
        return member("correlationId", value);
    }

    /** Sets the session id. */
    public OutgoingMessage sessionId(String value) {
        return member("sessionId", value);
    }

    /** Sets the partition key. */
    public OutgoingMessage partitionKey(String value) {
        return member("partitionKey", value);
    }

    /** Sets the destination that the application reads. */
    public OutgoingMessage to(String value) {
        return member("to", value);
    }

    /** Sets the address for replies. */
    public OutgoingMessage replyTo(String value) {
        return member("replyTo", value);
    }

    /** Sets the session id for replies. */
    public OutgoingMessage replyToSessionId(String value) {
        return member("replyToSessionId", value);
    }

    /** Sets the time to live, at least a millisecond. */
    public OutgoingMessage timeToLive(Duration value) {
        return member("timeToLive", value.toMillis());
    }

    /** Enqueues the message at this message time of the broker. */
    public OutgoingMessage scheduledAt(Instant value) {
        return member("scheduledEnqueueTime", value.toString());
    }

    /**
     * Sets an application property.
     *
     * @param value a {@link String}, {@link Boolean}, {@link Byte}, {@link Short}, {@link Integer}, {@link Long}, {@link Float},
     *     {@link Double}, {@link UUID}, {@link Instant}, {@link Date}, or null
     * @throws IllegalArgumentException if the value has another type
     */
    public OutgoingMessage property(String name, @Nullable Object value) {
        properties.put(name, propertyValue(name, value));
        return this;
    }

    private static @Nullable Object propertyValue(String name, @Nullable Object value) {
        if (value == null || value instanceof String || value instanceof Boolean) {
            return value;
        }
        if (value instanceof Long number) {
            return typed("long", number.toString());
        }
        if (value instanceof Double || value instanceof Float) {
            return typed(value.getClass().getSimpleName().toLowerCase(Locale.ROOT), value);
        }
        if (value instanceof Integer number) {
            return typed("int", number);
        }
        if (value instanceof Short number) {
            return typed("short", number);
        }
        if (value instanceof Byte number) {
            return typed("byte", number);
        }
        if (value instanceof UUID id) {
            return typed("uuid", id.toString());
        }
        if (value instanceof Instant || value instanceof Date) {
            Instant time = value instanceof Date date ? date.toInstant() : (Instant) value;
            return typed("timestamp", time.toString());
        }
        throw new IllegalArgumentException("property '" + name
                + "': Expected a text, boolean, number of a primitive type, UUID, Instant or Date, but got "
                + value.getClass().getName() + ".");
    }

    private static Map<String, Object> typed(String type, Object value) {
        return Map.of("type", type, "value", value);
    }

    private OutgoingMessage member(String name, Object value) {
        members.put(name, value);
        return this;
    }

    /** Returns the message in the form of the operator API, with a message id in any case. */
    Map<String, @Nullable Object> toJson() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>(members);
        json.putIfAbsent("messageId", UUID.randomUUID().toString());
        if (!properties.isEmpty()) {
            json.put("applicationProperties", properties);
        }
        return json;
    }
}
