package dev.jitney.gateway.http.messaging;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.jitney.codec.ContentReader.Body;
import dev.jitney.codec.ContentReader.BodyKind;
import dev.jitney.gateway.http.exchange.JsonValues;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response. Data sections are the bytes as sent. An AMQP value that is text is sent in UTF-8, a binary
 * value as its bytes (HTTP reference 3.1). Other values, which only AMQP clients can send, become JSON: maps as
 * objects, lists and sequences as arrays, numbers and booleans as themselves, binaries in base64, everything else as
 * its text. A single value that is no map or list is that text alone.
 */
final class BodyText {
    private static final JsonFactory JSON = new JsonFactory();

    private BodyText() {}

    static byte[] of(Body body) {
        if (body.kind() == BodyKind.DATA || body.kind() == BodyKind.NONE) {
            return body.data();
        }
        if (body.kind() == BodyKind.VALUE && body.values().size() == 1) {
            Object value = body.values().get(0);
            if (value instanceof byte[] binary) {
                return binary;
            }
            if (!(value instanceof Map) && !(value instanceof List)) {
                return String.valueOf(value == null ? "" : value).getBytes(StandardCharsets.UTF_8);
            }
            return json(value);
        }
        // A sequence is one list, even if it has several sections.
        List<@Nullable Object> all = new java.util.ArrayList<>();
        for (Object section : body.values()) {
            if (body.kind() == BodyKind.SEQUENCE && section instanceof List<?> list) {
                all.addAll(list);
            } else {
                all.add(section);
            }
        }
        return json(all);
    }

    private static byte[] json(@Nullable Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            JsonValues.write(out, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
        return bytes.toByteArray();
    }
}
