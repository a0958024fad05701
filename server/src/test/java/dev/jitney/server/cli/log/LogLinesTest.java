package dev.jitney.server.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LogLinesTest {
    private final LoggerContext context = new LoggerContext();
    private final Logger logger = context.getLogger("dev.jitney.Something");

    @Test
    @DisplayName("A JSON line is one object on one line, for any text and fields")
    void json() throws Exception {
        LoggingEvent event = event(Level.WARN, "Hostile \"{}\"", "a\nb\r\u0000\u2028\ud800\\");
        event.addKeyValuePair(new KeyValuePair("entity", "q\n{\"level\":\"ERROR\"}"));
        event.addKeyValuePair(new KeyValuePair("shard", 3));
        event.addKeyValuePair(new KeyValuePair("connection", ""));
        event.addKeyValuePair(new KeyValuePair("level", "forged"));
        String line = json(event);
        assertThat(line).endsWith("\n").hasLineCount(1);
        JsonNode object = new ObjectMapper().readTree(line);
        assertThat(object.get("time").asText()).isEqualTo("2023-11-14T22:13:20.123Z");
        assertThat(object.get("level").asText()).isEqualTo("WARN");
        assertThat(object.get("logger").asText()).isEqualTo("dev.jitney.Something");
        assertThat(object.get("thread").asText()).isEqualTo("a-thread");
        assertThat(object.get("message").asText()).startsWith("Hostile \"a\nb\r");
        assertThat(object.get("entity").asText()).isEqualTo("q\n{\"level\":\"ERROR\"}");
        assertThat(object.get("shard").isInt()).isTrue();
        assertThat(object.has("connection")).as("an empty field").isFalse();
        assertThat(object.has("exception")).isFalse();
    }

    @Test
    @DisplayName("A JSON line has the stack trace, up to a maximum length")
    void exception() throws Exception {
        LoggingEvent event = new LoggingEvent(
                "", logger, Level.ERROR, "x".repeat(100_000), new IllegalStateException("y".repeat(100_000)), null);
        event.setThreadName("a-thread");
        String line = json(event);
        JsonNode object = new ObjectMapper().readTree(line);
        assertThat(object.get("exception").asText()).startsWith("java.lang.IllegalStateException: yyy");
        assertThat(line.length()).isLessThan(50_000);
    }

    @Test
    @DisplayName("A line for people stays one line and shows the fields that have a value")
    void text() {
        LoggingEvent event = event(Level.INFO, "Hello", null);
        FieldsConverter fields = new FieldsConverter();
        assertThat(fields.convert(event)).isEmpty();
        event.addKeyValuePair(new KeyValuePair("entity", "a\nb"));
        event.addKeyValuePair(new KeyValuePair("namespace", ""));
        event.addKeyValuePair(new KeyValuePair("connection", "c_G1"));
        assertThat(fields.convert(event)).isEqualTo(" [entity=a b, connection=c_G1]");
    }

    @Test
    @DisplayName("Control characters are escaped and line breaks removed, in text and in JSON")
    void inert() {
        String hostile = "a\u001b[2J\u0085b\u2028c\u2029d\u009b31me\u007ff\u202eg\r\n2026-01-01 00:00:00.000 ERROR";
        LoggingEvent event = new LoggingEvent(
                "",
                logger,
                Level.WARN,
                "Hostile {}",
                new IllegalStateException(hostile, new IllegalArgumentException(hostile)),
                new Object[] {hostile});
        event.setThreadName("a-thread");
        event.addKeyValuePair(new KeyValuePair("entity", hostile));
        String text = new String(LogSetup.forPeople(context).encode(event), StandardCharsets.UTF_8);
        assertThat(text.lines().findFirst().orElseThrow())
                .contains("Hostile a\\u001b[2J b c d\\u009b31me\\u007ff\\u202eg 2026-01-01 00:00:00.000 ERROR")
                .contains("entity=a\\u001b[2J b");
        assertThat(text).contains("\n\tat dev.jitney.server").contains("\nCaused by: java.lang.Illegal");
        assertThat(text.replace("\n", "").replace("\t", "")).doesNotContainPattern("[\\p{Cc}\\u2028\\u2029\\u202e]");
        assertThat(text.lines().skip(1)).as("lines behind the first").noneMatch(line -> line.startsWith("2026"));
        String json = json(event);
        assertThat(json).hasLineCount(1);
        assertThat(json.strip()).doesNotContainPattern("[\\p{Cc}\\u2028\\u2029\\u202e]");
    }

    @Test
    @DisplayName("Lines from one place are limited, and the next line has the number of suppressed ones; DEBUG passes")
    void flood() {
        FloodFilter filter = new FloodFilter();
        int passed = 0;
        for (int i = 0; i < 1_000; i++) {
            LoggingEvent event = event(Level.INFO, "Connection {} failed", "c" + i);
            passed += filter.decide(event) == FilterReply.DENY ? 0 : 1;
            assertThat(filter.decide(event(Level.DEBUG, "Connection {} failed", "c" + i)))
                    .isEqualTo(FilterReply.NEUTRAL);
        }
        assertThat(passed).isEqualTo(50);
        assertThat(filter.decide(event(Level.INFO, "Another place", null))).isEqualTo(FilterReply.NEUTRAL);
        LoggingEvent later = event(Level.INFO, "Connection {} failed", "c");
        later.setInstant(java.time.Instant.ofEpochMilli(1_700_000_010_123L));
        assertThat(filter.decide(later)).isEqualTo(FilterReply.NEUTRAL);
        assertThat(new FieldsConverter().convert(later)).isEqualTo(" [leftOut=950]");
    }

    @Test
    @DisplayName("Audit lines about completed actions are never suppressed; those about refusals are limited")
    void audit() {
        FloodFilter filter = new FloodFilter();
        int refused = 0;
        for (int i = 0; i < 1_000; i++) {
            assertThat(filter.decide(event(context.getLogger("audit"), "Done: create queue")))
                    .isEqualTo(FilterReply.NEUTRAL);
            refused += filter.decide(event(context.getLogger("audit.refused"), "Refused")) == FilterReply.DENY ? 0 : 1;
        }
        assertThat(refused).isEqualTo(50);
    }

    private static LoggingEvent event(Logger logger, String text) {
        LoggingEvent event = new LoggingEvent("", logger, Level.INFO, text, null, null);
        event.setInstant(java.time.Instant.ofEpochMilli(1_700_000_000_123L));
        return event;
    }

    private LoggingEvent event(Level level, String text, @Nullable Object argument) {
        LoggingEvent event =
                new LoggingEvent("", logger, level, text, null, argument == null ? null : new Object[] {argument});
        event.setThreadName("a-thread");
        event.setInstant(java.time.Instant.ofEpochMilli(1_700_000_000_123L));
        return event;
    }

    private static String json(LoggingEvent event) {
        return new String(new JsonLogEncoder().encode(event), StandardCharsets.UTF_8);
    }
}
