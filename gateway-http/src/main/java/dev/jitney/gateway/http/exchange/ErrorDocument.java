package dev.jitney.gateway.http.exchange;

import dev.jitney.model.ClientText;
import dev.jitney.runtime.LogKeys;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The body of an error response: XML in the format that SDKs parse (HTTP reference 2.10), or JSON. */
final class ErrorDocument {
    static final String CONTENT_TYPE = "application/xml; charset=utf-8";
    static final String JSON = "application/json; charset=utf-8";

    private static final Logger LOG = LoggerFactory.getLogger(ErrorDocument.class);
    private static final int MAX_TRACKED_CHARACTERS = 300;
    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");

    private ErrorDocument() {}

    /**
     * Returns the document on one line, and logs it with its tracking id: refusals at DEBUG, because clients can cause
     * any number of them, and server errors at ERROR.
     *
     * @param error its status is repeated in {@code Code}; sub-code and sentence are the detail
     * @param target host and path of the request as the client sent them; not trusted
     */
    static String of(HttpError error, String target, long nowMs) {
        String timestamp = TIMESTAMP.format(
                Instant.ofEpochMilli(nowMs).truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC));
        String trackingId = logged(error, target);
        return "<Error><Code>" + error.status() + "</Code><Detail>" + escape(error.detail()) + " TrackingId:"
                + trackingId + ", SystemTracker:" + escape(shorten(target)) + ", Timestamp:" + timestamp
                + "</Detail></Error>";
    }

    /** Returns the document as JSON, and logs it in the same way. */
    static String json(HttpError error, String target) {
        JsonObject document = new JsonObject()
                .put("status", error.status())
                .put("message", error.sentence())
                .put("trackingId", logged(error, target));
        if (!error.fields().isEmpty()) {
            JsonArray fields = new JsonArray();
            error.fields()
                    .forEach(field -> fields.add(
                            new JsonObject().put("field", field.name()).put("message", field.message())));
            document.put("fields", fields);
        }
        return new JsonObject().put("error", document).encode();
    }

    /** Logs an error, and returns its tracking id. */
    private static String logged(HttpError error, String target) {
        String trackingId = UUID.randomUUID() + "_G0";
        LOG.atLevel(error.fault() ? Level.ERROR : Level.DEBUG)
                .addKeyValue(LogKeys.TRACKING_ID, trackingId)
                .addKeyValue(LogKeys.ENTITY, shorten(target))
                .log("Answered {}: {}", error.status(), error.detail());
        return trackingId;
    }

    private static String shorten(String text) {
        return ClientText.cut(text, MAX_TRACKED_CHARACTERS);
    }

    /** Returns XML text. Characters that XML 1.0 does not allow become a question mark. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '\r' -> out.append("&#xD;");
                default -> {
                    if (Character.isHighSurrogate(c)
                            && i + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(i + 1))) {
                        out.append(c).append(text.charAt(++i));
                    } else {
                        boolean carried = c >= ' ' && !Character.isSurrogate(c) && c < 0xfffe || c == '\n' || c == '\t';
                        out.append(carried ? c : '?');
                    }
                }
            }
        }
        return out.toString();
    }
}
