package dev.jitney.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConsoleTest {

    @Test
    @DisplayName("A note contains no character that a terminal obeys, whatever a message or a server says")
    void notesAreHarmless() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        new Console(
                        InputStream.nullInputStream(),
                        stream,
                        stream,
                        Map.of(),
                        false,
                        false,
                        false,
                        Clock.systemUTC(),
                        new Interruption())
                .note("the reason \u001b[2J\r\n\u202etxt 日本");

        assertThat(err.toString(StandardCharsets.UTF_8).stripTrailing()).isEqualTo("the reason ·[2J···txt 日本");
    }
}
