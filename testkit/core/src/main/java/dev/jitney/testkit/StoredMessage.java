package dev.jitney.testkit;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message in an entity, as it was at the time of the request. Looking at it locks and changes nothing.
 *
 * @param sequenceNumber the number of the message in the entity
 * @param properties the application properties with their Java types, in the order of the message
 * @param deliveryCount the number of deliveries that have failed so far
 * @param enqueuedTime the message time at which it was enqueued, or null if it is scheduled without one
 * @param expiresAt the time at which it expires, or null if it does not
 * @param lockedUntil the end of its lock, or null if it is not locked
 * @param scheduledEnqueueTime the time at which a scheduled message is enqueued, otherwise null
 * @param reason the reason of a dead letter, otherwise null
 * @param errorDescription the description of a dead letter, otherwise null
 * @param deadLetterSource the entity that has dead-lettered the message before it was forwarded, otherwise null
 * @param value the body: a {@link String} if it is text, {@code byte[]} if it is not, otherwise the AMQP value as the operator
 *     API writes it
 */
public record StoredMessage(
        long sequenceNumber,
        MessageState state,
        @Nullable String messageId,
        @Nullable String subject,
        @Nullable String contentType,
        @Nullable String correlationId,
        @Nullable String sessionId,
        @Nullable String to,
        @Nullable String replyTo,
        Map<String, @Nullable Object> properties,
        int deliveryCount,
        @Nullable Instant enqueuedTime,
        @Nullable Instant expiresAt,
        @Nullable Instant lockedUntil,
        @Nullable Instant scheduledEnqueueTime,
        @Nullable String reason,
        @Nullable String errorDescription,
        @Nullable String deadLetterSource,
        @Nullable Object value) {
    private static final int SHOWN_MAX = 120;

    static StoredMessage of(JsonObject json) {
        return new StoredMessage(
                json.number("sequenceNumber"),
                MessageState.of(json.text("state")),
                json.textOrNull("messageId"),
                json.textOrNull("subject"),
                json.textOrNull("contentType"),
                json.textOrNull("correlationId"),
                json.textOrNull("sessionId"),
                json.textOrNull("to"),
                json.textOrNull("replyTo"),
                properties(json.object("applicationProperties")),
                (int) json.number("deliveryCount"),
                json.time("enqueuedTime"),
                json.time("expiresAt"),
                json.time("lockedUntil"),
                json.time("scheduledEnqueueTime"),
                json.textOrNull("deadLetterReason"),
                json.textOrNull("deadLetterErrorDescription"),
                json.textOrNull("deadLetterSource"),
                value(json.members().get("body")));
    }

    /** Returns the body as text. A body that is not text is decoded as UTF-8, and an AMQP value is written as JSON. */
    public String body() {
        if (value instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        return value instanceof String text ? text : Json.write(value);
    }

    /** Returns the bytes of the body; those of a text in UTF-8. */
    public byte[] bodyBytes() {
        return value instanceof byte[] bytes ? bytes.clone() : body().getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, @Nullable Object> properties(JsonObject json) {
        Map<String, @Nullable Object> typed = new LinkedHashMap<>();
        json.members().forEach((name, value) -> typed.put(String.valueOf(name), property(value)));
        return Collections.unmodifiableMap(typed);
    }

    /** Returns the Java value of a typed value, or its text if Java has no type for it. */
    private static @Nullable Object property(@Nullable Object written) {
        if (!(written instanceof Map<?, ?> map)) {
            return written;
        }
        String text = String.valueOf(map.get("value"));
        try {
            return switch (String.valueOf(map.get("type"))) {
                case "byte" -> Byte.valueOf(text);
                case "short" -> Short.valueOf(text);
                case "int" -> Integer.valueOf(text);
                case "long" -> Long.valueOf(text);
                case "float" -> Float.valueOf(text);
                case "double" -> Double.valueOf(text);
                case "timestamp" -> Instant.parse(text);
                case "uuid" -> UUID.fromString(text);
                default -> text;
            };
        } catch (IllegalArgumentException | DateTimeException e) {
            return text;
        }
    }

    private static @Nullable Object value(@Nullable Object written) {
        if (written instanceof Map<?, ?> map && map.get("base64") instanceof String base64) {
            return Base64.getDecoder().decode(base64);
        }
        return written instanceof Map<?, ?> map && "value".equals(map.get("type"))
                ? property(map.get("value"))
                : written;
    }

    /** Returns the message on one line, as assertions print it. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder("#" + sequenceNumber);
        if (messageId != null) {
            line.append(" '").append(messageId).append('\'');
        }
        line.append(' ').append(state);
        if (deliveryCount > 0) {
            line.append(", delivery count ").append(deliveryCount);
        }
        if (lockedUntil != null) {
            line.append(", locked until ").append(lockedUntil);
        }
        if (state == MessageState.SCHEDULED) {
            line.append(" for ").append(scheduledEnqueueTime);
        }
        if (sessionId != null) {
            line.append(", session '").append(sessionId).append('\'');
        }
        if (subject != null) {
            line.append(", subject '").append(subject).append('\'');
        }
        if (!properties.isEmpty()) {
            line.append(", ").append(shortened(properties.toString()));
        }
        if (reason != null) {
            line.append(", dead-lettered with ").append(reason);
        }
        if (errorDescription != null) {
            line.append(" (").append(shortened(errorDescription)).append(')');
        }
        return line.append(": ").append(shortened(body())).toString();
    }

    private static String shortened(String text) {
        String oneLine = text.replaceAll("\\p{Cntrl}", "?");
        return oneLine.length() <= SHOWN_MAX ? oneLine : oneLine.substring(0, SHOWN_MAX) + "…";
    }
}
