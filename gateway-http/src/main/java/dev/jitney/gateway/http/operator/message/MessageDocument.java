package dev.jitney.gateway.http.operator.message;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.jitney.codec.ContentReader;
import dev.jitney.codec.ContentReader.Body;
import dev.jitney.codec.ContentReader.BodyKind;
import dev.jitney.codec.PropertyField;
import dev.jitney.core.BodyMask;
import dev.jitney.gateway.http.exchange.JsonValues;
import dev.jitney.gateway.http.operator.privacy.BodyAccess;
import dev.jitney.gateway.http.operator.privacy.MaskedText;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message as JSON, with the names of Service Bus. It has the members of the documents that {@code jitney export} writes. Sequence
 * numbers are text, because JavaScript reads numbers with 53 bits only. A reader without access to the content gets the headers only.
 */
final class MessageDocument {
    private static final Set<String> KNOWN_ANNOTATIONS =
            Set.of("x-opt-partition-key", "x-opt-via-partition-key", "x-opt-scheduled-enqueue-time");
    static final String REASON = "DeadLetterReason";
    static final String DESCRIPTION = "DeadLetterErrorDescription";

    private MessageDocument() {}

    /**
     * Writes a message.
     *
     * @param bodyBytesMax the number of bytes of a body of data that are shown; a longer one has the member {@code bodyTruncated}.
     *     Other bodies are shown as a whole, or not at all if the encoded body is larger.
     * @param access what the reader may see
     */
    static void write(JsonGenerator out, MessageView message, long bodyBytesMax, BodyAccess access) throws IOException {
        Parts parts;
        try {
            parts = Parts.of(message);
        } catch (IllegalArgumentException unreadable) {
            damaged(out, message);
            return;
        }
        Map<PropertyField, Object> fields = parts.fields();
        Map<String, @Nullable Object> properties = parts.properties();
        out.writeStartObject();
        broker(out, message);
        text(out, "messageId", fields.get(PropertyField.MESSAGE_ID));
        text(out, "subject", fields.get(PropertyField.SUBJECT));
        text(out, "contentType", fields.get(PropertyField.CONTENT_TYPE));
        text(out, "contentEncoding", fields.get(PropertyField.CONTENT_ENCODING));
        text(out, "correlationId", fields.get(PropertyField.CORRELATION_ID));
        text(out, "sessionId", fields.get(PropertyField.GROUP_ID));
        text(out, "partitionKey", parts.annotations().get("x-opt-partition-key"));
        text(out, "to", fields.get(PropertyField.TO));
        text(out, "replyTo", fields.get(PropertyField.REPLY_TO));
        text(out, "replyToSessionId", fields.get(PropertyField.REPLY_TO_GROUP_ID));
        text(out, "userId", fields.get(PropertyField.USER_ID));
        if (!access.content()) {
            out.writeBooleanField("contentHidden", true);
            out.writeEndObject();
            return;
        }
        text(out, "deadLetterReason", properties.remove(REASON));
        text(out, "deadLetterErrorDescription", properties.remove(DESCRIPTION));
        typed(out, "applicationProperties", properties, Set.of());
        typed(out, "annotations", parts.annotations(), KNOWN_ANNOTATIONS);
        if (access.hides() && bodyBytesMax > 0) {
            boolean isJson = String.valueOf(fields.get(PropertyField.CONTENT_TYPE))
                    .toLowerCase(Locale.ROOT)
                    .contains("json");
            maskedBody(out, message, parts.body(), bodyBytesMax, access.mask(), isJson);
        } else {
            body(out, message, parts.body(), bodyBytesMax);
        }
        out.writeEndObject();
    }

    /** Writes what the broker knows of a message. */
    private static void broker(JsonGenerator out, MessageView message) throws IOException {
        out.writeStringField("sequenceNumber", Long.toString(message.sequenceNumber()));
        out.writeStringField("enqueuedSequenceNumber", Long.toString(message.enqueuedSequenceNumber()));
        out.writeStringField("state", state(message));
        time(out, "lockedUntil", message.lockedUntilMs());
        time(out, "enqueuedTime", message.enqueuedTimeMs());
        if (message.expiresAtMs() != MessageView.NEVER) {
            time(out, "expiresAt", message.expiresAtMs());
        }
        time(out, "scheduledEnqueueTime", message.scheduledEnqueueTimeMs());
        out.writeNumberField("deliveryCount", message.deliveryCount());
        out.writeNumberField("sizeInBytes", message.content().sizeBytes());
        text(out, "deadLetterSource", message.deadLetterSource());
    }

    /** Writes a message whose sender has encoded a value in a way that cannot be shown. The others of the page are not affected. */
    private static void damaged(JsonGenerator out, MessageView message) throws IOException {
        out.writeStartObject();
        broker(out, message);
        out.writeStringField("unreadable", "A value in this message is not valid AMQP.");
        out.writeEndObject();
    }

    /** The sender's parts of a message, all of which are readable. */
    private record Parts(
            Map<PropertyField, Object> fields,
            Map<String, @Nullable Object> annotations,
            Map<String, @Nullable Object> properties,
            Body body) {

        /** @throws IllegalArgumentException if a part is not readable */
        static Parts of(MessageView message) {
            ContentReader typed = ContentReader.typed(message.content());
            return new Parts(
                    new ContentReader(message.content()).properties(),
                    typed.annotations(),
                    typed.applicationProperties(message.propertyOverrides()),
                    typed.body());
        }
    }

    private static String state(MessageView message) {
        if (message.lockedUntilMs() > 0) {
            return message.state() == MessageState.DEFERRED ? "LockedDeferred" : "Locked";
        }
        return switch (message.state()) {
            case ACTIVE -> "Active";
            case DEFERRED -> "Deferred";
            case SCHEDULED -> "Scheduled";
        };
    }

    /** Writes a text, or an id of another type as text. */
    private static void text(JsonGenerator out, String name, @Nullable Object value) throws IOException {
        if (value instanceof byte[] binary) {
            out.writeStringField(name, HexFormat.of().formatHex(binary));
        } else if (value instanceof Map<?, ?> typed) {
            text(out, name, typed.get("value"));
        } else if (value != null) {
            out.writeStringField(name, value.toString());
        }
    }

    private static void time(JsonGenerator out, String name, long ms) throws IOException {
        if (ms > 0) {
            try {
                out.writeStringField(name, Instant.ofEpochMilli(ms).toString());
            } catch (DateTimeException beyondTheCalendar) {
                out.writeStringField(name, Long.toString(ms));
            }
        }
    }

    private static void typed(JsonGenerator out, String name, Map<String, @Nullable Object> values, Set<String> without)
            throws IOException {
        if (without.containsAll(values.keySet())) {
            return;
        }
        out.writeObjectFieldStart(name);
        for (Map.Entry<String, @Nullable Object> entry : values.entrySet()) {
            if (!without.contains(entry.getKey())) {
                out.writeFieldName(entry.getKey());
                JsonValues.write(out, entry.getValue());
            }
        }
        out.writeEndObject();
    }

    /** Writes a body without hidden values. A body that is not text is hidden as a whole, because it may be compressed JSON. */
    private static void maskedBody(
            JsonGenerator out, MessageView message, Body body, long bytesMax, BodyMask mask, boolean isJson)
            throws IOException {
        boolean isData = body.kind() == BodyKind.DATA || body.kind() == BodyKind.NONE;
        byte[] data = isData ? body.data() : new byte[0];
        String text = null;
        if (isData && data.length <= MaskedText.CHARACTERS_MAX) {
            text = utf8(data, data.length);
        } else if (body.kind() == BodyKind.VALUE
                && body.values().size() == 1
                && body.values().get(0) instanceof String value) {
            text = value;
        }
        MaskedText shown = text == null ? MaskedText.HIDDEN : MaskedText.of(mask, text, isJson);
        if (shown.masked()) {
            out.writeBooleanField("bodyMasked", true);
        }
        String visible = shown.text();
        if (!shown.masked()) {
            body(out, message, body, bytesMax);
        } else if (visible != null) {
            byte[] bytes = visible.getBytes(StandardCharsets.UTF_8);
            out.writeNumberField(
                    "bodySizeInBytes",
                    isData ? data.length : message.content().body().remaining());
            if (isData) {
                data(out, bytes, (int) Math.min(bytes.length, bytesMax));
            } else if (bytes.length <= bytesMax) {
                out.writeObjectFieldStart("body");
                out.writeStringField("type", "value");
                out.writeStringField("value", visible);
                out.writeEndObject();
            }
            if (bytes.length > bytesMax) {
                out.writeBooleanField("bodyTruncated", true);
            }
        } else {
            out.writeNumberField(
                    "bodySizeInBytes",
                    isData ? data.length : message.content().body().remaining());
        }
    }

    private static void body(JsonGenerator out, MessageView message, Body body, long bytesMax) throws IOException {
        int encoded = message.content().body().remaining();
        if (body.kind() == BodyKind.DATA || body.kind() == BodyKind.NONE) {
            byte[] data = body.data();
            out.writeNumberField("bodySizeInBytes", data.length);
            data(out, data, (int) Math.min(data.length, bytesMax));
            if (data.length > bytesMax) {
                out.writeBooleanField("bodyTruncated", true);
            }
            return;
        }
        out.writeNumberField("bodySizeInBytes", encoded);
        if (encoded > bytesMax) {
            out.writeBooleanField("bodyTruncated", true);
            return;
        }
        out.writeObjectFieldStart("body");
        out.writeStringField("type", body.kind() == BodyKind.VALUE ? "value" : "sequence");
        out.writeFieldName("value");
        if (body.kind() == BodyKind.VALUE && body.values().size() == 1) {
            JsonValues.write(out, body.values().get(0));
        } else {
            JsonValues.write(out, elements(body));
        }
        out.writeEndObject();
    }

    /** Returns the elements of all sections of a sequence as one list. */
    private static List<@Nullable Object> elements(Body body) {
        List<@Nullable Object> elements = new ArrayList<>();
        for (Object section : body.values()) {
            if (section instanceof Map<?, ?> list && list.get("value") instanceof List<?> values) {
                elements.addAll(values);
            } else {
                elements.add(section);
            }
        }
        return elements;
    }

    /** Writes bytes as text if they are UTF-8, and otherwise in base64. A truncated text ends between two characters. */
    private static void data(JsonGenerator out, byte[] data, int count) throws IOException {
        int end = count;
        while (end > 0 && end < data.length && count - end < 3 && (data[end] & 0xc0) == 0x80) {
            end--;
        }
        String text = utf8(data, end);
        if (text != null) {
            out.writeStringField("body", text);
            return;
        }
        out.writeObjectFieldStart("body");
        out.writeStringField("type", "data");
        out.writeStringField("base64", Base64.getEncoder().encodeToString(Arrays.copyOf(data, count)));
        out.writeEndObject();
    }

    private static @Nullable String utf8(byte[] data, int count) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(data, 0, count))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
