package dev.jitney.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @Test
    @DisplayName("Values of all types are read")
    void values() {
        assertThat(Json.read(" {\"a\": [1, -2.5, 1e3, true, false, null, \"x\\n\\u00fc\\\"\"], \"b\": {}} "))
                .isEqualTo(Map.of("a", Arrays.asList(1L, -2.5, 1000.0, true, false, null, "x\nü\""), "b", Map.of()));
        assertThat(Json.read("123456789012345678901234567890")).hasToString("123456789012345678901234567890");
    }

    @Test
    @DisplayName("Text that was written is read as the same value")
    void roundTrip() {
        Object value = Map.of("a \"quoted\" name\\", List.of("\u0000\t😀", 1L, 2.5, true, List.of(), Map.of()));

        assertThat(Json.read(Json.write(value))).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "[1",
                "[1,",
                "[1,]",
                "[,1]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "01",
                "-",
                "1.",
                "1e",
                "+1",
                ".5",
                "tru",
                "nul",
                "NaN",
                "\"a",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\n\"",
                "1 2",
                "{\"a\":1,\"a\":2}",
                "// no\n1",
                "[1 2]",
                "]",
                "'a'"
            })
    @DisplayName("Text that is not JSON is refused with the place")
    void refused(String text) {
        assertThatThrownBy(() -> Json.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("Expected .* at line \\d+, column \\d+, but got [\\s\\S]*");
    }

    @Test
    @DisplayName("Values that are nested too often are refused before the stack is full")
    void depth() {
        assertThat(Json.read("[".repeat(64) + "]".repeat(64))).isNotNull();
        assertThatThrownBy(() -> Json.read("[".repeat(100_000)))
                .hasMessage("Expected values nested at most 64 times at line 1, column 65, but got '['.");
    }

    @Test
    @DisplayName("A configuration file may have comments and commas at the end")
    void file() {
        assertThat(Json.readFile("// a\n{ /* b */ \"a\": [1, 2,], // c\n }")).isEqualTo(Map.of("a", List.of(1L, 2L)));
        assertThatThrownBy(() -> Json.readFile("/* no end")).hasMessageContaining("Expected '*/'");
        assertThatThrownBy(() -> Json.readFile("[,]")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("The place of an error counts lines and columns from one")
    void place() {
        assertThatThrownBy(() -> Json.read("{\n  \"a\": x}"))
                .hasMessage("Expected a value at line 2, column 8, but got 'x'.");
    }
}
