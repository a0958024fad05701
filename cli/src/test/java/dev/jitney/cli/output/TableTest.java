package dev.jitney.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TableTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);

    @Test
    @DisplayName("Columns are as wide as their widest cell, without blanks at the end of a line")
    void aligns() {
        Table table = new Table("NAME", "N");
        assertThat(table.add("orders", "1")).isEmpty();
        assertThat(table.add("x", "")).isEmpty();
        assertThat(table.flush()).isEqualTo("NAME    N\norders  1\nx\n");
        assertThat(table.add("much-longer-name", "2")).isEqualTo("much-longer-name  2\n");
    }

    @Test
    @DisplayName("Control characters are shown as dots, and long cells are cut")
    void harmless() {
        Table table = new Table("BODY");
        table.add("a\u001b[31mred\r\nb\u202e\u0007");
        table.add("x".repeat(100));
        assertThat(table.flush().lines()).containsExactly("BODY", "a·[31mred··b··", "x".repeat(59) + "…");
    }

    @Test
    @DisplayName("A full page is printed, so that a stream is never held in memory")
    void pages() {
        Table table = new Table("N");
        StringBuilder printed = new StringBuilder();
        for (int i = 0; i < 99; i++) {
            printed.append(table.add(String.valueOf(i)));
        }
        assertThat(printed).isEmpty();
        assertThat(table.add("99").lines()).hasSize(101);
    }

    @Test
    @DisplayName("One document is a list of names and values, or a line of JSON; durations are in the short form"
            + " or ISO 8601")
    void single() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", "orders");
        document.put("lockDuration", Duration.ofSeconds(90));
        document.put("filter", Map.of("type", "true"));
        Report.single(out, OutputFormat.TABLE, document);
        assertThat(text()).isEqualTo("name          orders\nlockDuration  1m30s\nfilter        {\"type\":\"true\"}\n");
        bytes.reset();
        Report.single(out, OutputFormat.JSON, document);
        assertThat(text().strip())
                .isEqualTo("{\"name\":\"orders\",\"lockDuration\":\"PT1M30S\",\"filter\":{\"type\":\"true\"}}");
    }

    @Test
    @DisplayName("A report without documents prints nothing")
    void nothing() {
        Report.of(out, OutputFormat.TABLE, List.of(new Report.Column("NAME", "name")))
                .close();
        assertThat(text()).isEmpty();
    }

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
