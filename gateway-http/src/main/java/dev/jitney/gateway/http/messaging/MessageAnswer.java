package dev.jitney.gateway.http.messaging;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.jitney.codec.ContentReader;
import dev.jitney.codec.PropertyField;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.runtime.security.PercentCoding;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as a response: body, {@code BrokerProperties}, and properties as headers (HTTP reference 3.2, 3.3). It is
 * complete before it is sent, so that a message that cannot be sent is not removed.
 *
 * @param headers all headers but the content type
 */
record MessageAnswer(MultiMap headers, @Nullable String contentType, byte[] body) {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int MS_DIGITS = 3;

    /** Some clients read headers of at most 64 KiB, and a character may need six bytes. */
    private static final int OMITTED_CHARACTERS_MAX = 2_048;

    private static final JsonFactory JSON =
            new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    /** Returns the response to a peek-lock, with the URL for settling the message. */
    static MessageAnswer locked(Exchange exchange, EntityAddress address, MessageView message, UUID token) {
        MessageAnswer answer = of(message, token);
        String entity = address.path() + address.subQueue().suffix();
        answer.headers.set(
                HttpHeaders.LOCATION,
                exchange.origin() + "/" + escaped(entity) + "/messages/" + message.sequenceNumber() + "/" + token);
        return answer;
    }

    /** Returns the memory of the response in bytes, which it needs until the client has fetched it. */
    long bytes() {
        long bytes = body.length;
        for (Map.Entry<String, String> header : headers) {
            bytes += header.getKey().length() + (long) header.getValue().length();
        }
        return bytes;
    }

    /** Responds to a peek-lock. */
    void locked(Exchange exchange) {
        send(exchange, CREATED);
    }

    /** Responds to a receive of a message that has been removed. */
    void removed(Exchange exchange) {
        send(exchange, OK);
    }

    private static String escaped(String path) {
        return PercentCoding.encode(path).replace("%2F", "/").replace("%24", "$");
    }

    /**
     * Creates the response.
     *
     * @param token the lock for the client, or null
     */
    static MessageAnswer of(MessageView message, @Nullable UUID token) {
        ContentReader content = new ContentReader(message.content());
        Map<PropertyField, Object> fields = content.properties();
        MultiMap headers = HttpHeaders.headers();
        List<String> omitted =
                PropertyHeaders.write(content.applicationProperties(message.propertyOverrides()), headers);
        String contentType = fields.get(PropertyField.CONTENT_TYPE) instanceof String text ? text : null;
        String contentTypeHeader = headerText(contentType);
        if (contentType != null && !contentType.isEmpty() && contentTypeHeader == null) {
            omitted.add(HttpHeaders.CONTENT_TYPE.toString());
        }
        headers.set("BrokerProperties", brokerProperties(message, fields, content.annotations(), token, omitted));
        return new MessageAnswer(headers, contentTypeHeader, BodyText.of(content.body()));
    }

    private void send(Exchange exchange, int status) {
        HttpServerResponse response = exchange.response();
        if (exchange.isOver()) {
            return;
        }
        response.headers().addAll(headers);
        if (exchange.request().version() == HttpVersion.HTTP_1_1) {
            // A length would be another unquoted header, which the older Python client mistakes for a property.
            response.setChunked(true);
        }
        exchange.answer(status, contentType, Buffer.buffer(body));
    }

    /** Returns the text for a header, or null if a header cannot contain it. */
    private static @Nullable String headerText(@Nullable String text) {
        return text == null || text.isEmpty() || text.chars().anyMatch(c -> c < ' ' || c >= 0x7f) ? null : text;
    }

    private static String brokerProperties(
            MessageView message,
            Map<PropertyField, Object> fields,
            Map<String, @Nullable Object> annotations,
            @Nullable UUID token,
            List<String> omitted) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            string(out, "CorrelationId", id(fields.get(PropertyField.CORRELATION_ID)));
            string(out, "DeadLetterSource", message.deadLetterSource());
            out.writeNumberField("DeliveryCount", message.deliveryCount() + 1L);
            out.writeNumberField("EnqueuedSequenceNumber", message.enqueuedSequenceNumber());
            out.writeStringField("EnqueuedTimeUtc", HttpDates.format(message.enqueuedTimeMs()));
            string(out, "Label", fields.get(PropertyField.SUBJECT));
            if (token != null) {
                out.writeStringField("LockToken", token.toString());
                out.writeStringField("LockedUntilUtc", HttpDates.format(message.lockedUntilMs()));
            }
            string(out, "MessageId", id(fields.get(PropertyField.MESSAGE_ID)));
            omitted(out, omitted);
            string(out, "PartitionKey", annotations.get("x-opt-partition-key"));
            string(out, "ReplyTo", fields.get(PropertyField.REPLY_TO));
            string(out, "ReplyToSessionId", fields.get(PropertyField.REPLY_TO_GROUP_ID));
            if (annotations.get("x-opt-scheduled-enqueue-time") instanceof Instant scheduled) {
                out.writeStringField("ScheduledEnqueueTimeUtc", HttpDates.format(scheduled.toEpochMilli()));
            }
            out.writeNumberField("SequenceNumber", message.sequenceNumber());
            string(out, "SessionId", fields.get(PropertyField.GROUP_ID));
            out.writeStringField("State", word(message.state()));
            if (message.expiresAtMs() != MessageView.NEVER) {
                out.writeNumberField("TimeToLive", seconds(message.expiresAtMs() - message.enqueuedTimeMs()));
            }
            string(out, "To", fields.get(PropertyField.TO));
            string(out, "ViaPartitionKey", annotations.get("x-opt-via-partition-key"));
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a text in memory does not fail
        }
        return text.toString().replace("\u007f", "\\u007F"); // JSON does not escape DEL, but a header cannot contain it
    }

    /** Writes the properties that the headers omit: their number, and as many names as fit. */
    private static void omitted(JsonGenerator out, List<String> names) throws IOException {
        if (names.isEmpty()) {
            return;
        }
        out.writeArrayFieldStart("OmittedProperties");
        int characters = 0;
        for (String name : names) {
            characters += name.length();
            if (characters > OMITTED_CHARACTERS_MAX) {
                break;
            }
            out.writeString(name);
        }
        out.writeEndArray();
        out.writeNumberField("OmittedPropertyCount", names.size());
    }

    private static void string(JsonGenerator out, String name, @Nullable Object value) throws IOException {
        if (value instanceof String text) {
            out.writeStringField(name, text);
        }
    }

    /** Returns an ID of any type as text, in the same form as in the broker. */
    static @Nullable String id(@Nullable Object value) {
        if (value instanceof byte[] binary) {
            return HexFormat.of().formatHex(binary);
        }
        return value == null ? null : value.toString();
    }

    private static BigDecimal seconds(long ms) {
        BigDecimal seconds = BigDecimal.valueOf(Math.max(0, ms), MS_DIGITS).stripTrailingZeros();
        return seconds.scale() < 0 ? seconds.setScale(0) : seconds;
    }

    private static String word(MessageState state) {
        return switch (state) {
            case ACTIVE -> "Active";
            case DEFERRED -> "Deferred";
            case SCHEDULED -> "Scheduled";
        };
    }
}
