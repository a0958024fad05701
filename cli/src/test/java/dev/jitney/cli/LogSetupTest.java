package dev.jitney.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LogSetupTest {
    @Test
    @DisplayName("A log line is a single line without control characters, whatever text a server or a message contains")
    void inert() {
        LoggerContext context = new LoggerContext();
        PatternLayout layout = new PatternLayout();
        layout.setContext(context);
        layout.setPattern(LogSetup.PATTERN);
        layout.start();
        String hostile = "a\u001b[2J\u0085b\u2028c\r\nd";
        LoggingEvent event = new LoggingEvent(
                "",
                context.getLogger("a.Logger"),
                Level.WARN,
                "Hostile {}",
                new IllegalStateException("x\u001b[2Jy\u0085z"),
                new Object[] {hostile});
        String text = layout.doLayout(event);
        assertThat(text.lines().findFirst().orElseThrow()).endsWith("Logger: Hostile a [2J b c d");
        assertThat(text).contains("x [2Jy z").contains("\n\tat ").endsWith("\n");
    }
}
