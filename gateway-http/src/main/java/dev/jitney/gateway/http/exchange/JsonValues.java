package dev.jitney.gateway.http.exchange;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of messages as JSON. Any thread may call it. */
public final class JsonValues {
    private JsonValues() {}

    /**
     * Writes a value. Maps become objects, binaries base64, and values without a form in JSON their text. The decoder of messages limits
     * the nesting depth.
     */
    public static void write(JsonGenerator out, @Nullable Object value) throws IOException {
        if (value == null) {
            out.writeNull();
        } else if (value instanceof Map<?, ?> map) {
            out.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.writeFieldName(String.valueOf(entry.getKey()));
                write(out, entry.getValue());
            }
            out.writeEndObject();
        } else if (value instanceof List<?> list) {
            out.writeStartArray();
            for (Object element : list) {
                write(out, element);
            }
            out.writeEndArray();
        } else if (value instanceof Boolean truth) {
            out.writeBoolean(truth);
        } else if (value instanceof Number number && isFinite(number)) {
            out.writeRawValue(number.toString());
        } else if (value instanceof byte[] binary) {
            out.writeString(Base64.getEncoder().encodeToString(binary));
        } else {
            out.writeString(value.toString());
        }
    }

    private static boolean isFinite(Number number) {
        return !(number instanceof Double || number instanceof Float) || Double.isFinite(number.doubleValue());
    }
}
