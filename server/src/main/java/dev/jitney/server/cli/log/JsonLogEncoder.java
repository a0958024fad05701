package dev.jitney.server.cli.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * The encoder of log events as JSON, one object per line: {@code time}, {@code level}, {@code logger}, {@code thread},
 * {@code message}, {@code exception} if there is one, and the event's own fields ({@link dev.jitney.runtime.LogKeys}).
 * Characters that a terminal interprets are escaped. Appenders call it one event at a time.
 */
final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {
    private static final Set<String> OWN = Set.of("time", "level", "logger", "thread", "message", "exception");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);

    /** Limits of texts, because a message with values from a client or a deep stack trace can be very long. */
    private static final int MESSAGE_CHARACTERS_MAX = 8 * 1024;

    private static final int EXCEPTION_CHARACTERS_MAX = 32 * 1024;

    private final JsonFactory json = new JsonFactory().setCharacterEscapes(new InertCharacters());

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        try (JsonGenerator out = json.createGenerator(line)) {
            out.writeStartObject();
            out.writeStringField("time", TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
            out.writeStringField("level", event.getLevel().toString());
            out.writeStringField("logger", event.getLoggerName());
            out.writeStringField("thread", event.getThreadName());
            out.writeStringField("message", shorten(event.getFormattedMessage(), MESSAGE_CHARACTERS_MAX));
            fields(out, event.getKeyValuePairs());
            IThrowableProxy thrown = event.getThrowableProxy();
            if (thrown != null) {
                out.writeStringField(
                        "exception", shorten(ThrowableProxyUtil.asString(thrown), EXCEPTION_CHARACTERS_MAX));
            }
            out.writeEndObject();
            out.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
        return line.toByteArray();
    }

    private static void fields(JsonGenerator out, @Nullable List<KeyValuePair> pairs) throws IOException {
        if (pairs == null) {
            return;
        }
        for (KeyValuePair pair : pairs) {
            Object value = pair.value;
            if (OWN.contains(pair.key) || value == null || value.toString().isEmpty()) {
                continue;
            }
            out.writeFieldName(pair.key);
            if (value instanceof Integer || value instanceof Long) {
                out.writeNumber(((Number) value).longValue());
            } else {
                out.writeString(shorten(value.toString(), MESSAGE_CHARACTERS_MAX));
            }
        }
    }

    private static String shorten(@Nullable String text, int charactersMax) {
        if (text == null) {
            return "";
        }
        return text.length() <= charactersMax ? text : text.substring(0, charactersMax) + "…";
    }
}
