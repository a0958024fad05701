package dev.jitney.gateway.http.operator.explain;

import dev.jitney.codec.ContentReader;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of properties, and times, as JSON. Pure functions; any thread may call them. */
final class ExplainedValues {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    private static final ContentReader TYPED =
            ContentReader.typed(MessageContent.of(false, 0, false, NONE, NONE, NONE, NONE));

    private ExplainedValues() {}

    /** Returns values with their types, as the API shows the properties of messages; null for properties that are not set. */
    static JsonObject of(Map<String, @Nullable EncodedValue> values) {
        Map<String, EncodedValue> set = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            if (value != null) {
                set.put(name, value);
            }
        });
        Map<String, @Nullable Object> typed = TYPED.applicationProperties(set);
        JsonObject document = new JsonObject();
        values.keySet().forEach(name -> document.put(name, typed.get(name)));
        return document;
    }

    /** Adds a time, unless it is none. */
    static void putTime(JsonObject document, String name, long ms) {
        if (ms > 0 && ms != MessageView.NEVER) {
            try {
                document.put(name, Instant.ofEpochMilli(ms).toString());
            } catch (DateTimeException beyondTheCalendar) {
                document.put(name, Long.toString(ms));
            }
        }
    }
}
