package dev.jitney.gateway.http.messaging;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.ClientText;
import dev.jitney.model.IncomingMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the body of a batch (HTTP reference 3.4): an array of objects. One invalid object refuses the whole
 * batch.
 */
final class MessageBatch {
    static final String CONTENT_TYPE = "application/vnd.microsoft.servicebus.json";

    private static final int ENTRIES_MAX = 100;

    private MessageBatch() {}

    /** Returns whether a content type, without its parameters, is that of a batch. */
    static boolean isBatch(@Nullable String contentType) {
        if (contentType == null) {
            return false;
        }
        int semicolon = contentType.indexOf(';');
        String type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
        return type.strip().equalsIgnoreCase(CONTENT_TYPE);
    }

    /** Returns the messages in their order. */
    static List<IncomingMessage> read(byte[] body, MessageComposer composer, long nowMs) throws RefusedException {
        JsonNode array;
        try {
            array = BrokerProperties.JSON.readTree(body);
        } catch (JsonProcessingException malformed) {
            throw bad("Expected a JSON array of messages, but: " + BrokerProperties.reason(malformed));
        } catch (NumberFormatException tooLong) {
            throw bad("Expected a JSON array of messages, but: " + BrokerProperties.NO_NUMBER);
        } catch (IOException unreadable) {
            throw bad("Expected a JSON array of messages, but it cannot be parsed.");
        }
        if (array == null || !array.isArray() || array.isEmpty()) {
            throw bad("Expected a JSON array of at least one message.");
        }
        if (array.size() > ENTRIES_MAX) {
            throw bad("Expected at most " + ENTRIES_MAX + " messages in a batch, but got " + array.size() + ".");
        }
        List<IncomingMessage> messages = new ArrayList<>(array.size());
        for (JsonNode entry : array) {
            messages.add(message(entry, messages.size(), composer, nowMs));
        }
        return messages;
    }

    private static IncomingMessage message(JsonNode entry, int index, MessageComposer composer, long nowMs)
            throws RefusedException {
        JsonNode body = entry.get("Body");
        if (body == null || !body.isTextual()) {
            throw bad("Expected a string Body in message " + index + " of the batch.");
        }
        JsonNode broker = entry.get("BrokerProperties");
        JsonNode user = entry.get("UserProperties");
        return composer.compose(
                broker == null || broker.isNull() ? BrokerProperties.NONE : BrokerProperties.of(broker),
                null,
                user == null || user.isNull() ? Map.of() : properties(user, index),
                body.textValue().getBytes(StandardCharsets.UTF_8),
                nowMs);
    }

    private static Map<String, @Nullable Object> properties(JsonNode node, int index) throws RefusedException {
        if (!node.isObject()) {
            throw bad("Expected an object UserProperties in message " + index + " of the batch.");
        }
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        for (Iterator<Map.Entry<String, JsonNode>> fields = node.fields(); fields.hasNext(); ) {
            Map.Entry<String, JsonNode> field = fields.next();
            JsonNode value = field.getValue();
            if (value.isContainerNode()) {
                throw bad("Expected a simple value in user property '" + ClientText.abbreviate(field.getKey())
                        + "' of message " + index + " of the batch.");
            }
            properties.put(field.getKey(), value(value));
        }
        return properties;
    }

    private static @Nullable Object value(JsonNode value) {
        if (value.isNull()) {
            return null;
        }
        if (value.isBoolean()) {
            return value.booleanValue();
        }
        if (value.isNumber()) {
            return value.isIntegralNumber() && value.canConvertToLong()
                    ? (Object) value.longValue()
                    : value.doubleValue();
        }
        return value.asText();
    }

    private static RefusedException bad(String sentence) {
        return new RefusedException(HttpError.badRequest(sentence));
    }
}
