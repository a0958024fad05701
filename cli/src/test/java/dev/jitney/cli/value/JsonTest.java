package dev.jitney.cli.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON for people. */
class JsonTest {
    @Test
    @DisplayName("A document gets a line for each value, and numbers keep their digits")
    void pretty() {
        assertThat(Json.pretty(" {\"a\":[1e3,123456789012345678901234567890],\"b\":{},\"c\":\"\\u001b\"}"))
                .isEqualTo("{\n  \"a\" : [\n    1e3,\n    123456789012345678901234567890\n  ],\n  \"b\" : { },\n"
                        + "  \"c\" : \"\\u001B\"\n}");
    }

    @ParameterizedTest
    @DisplayName("Other text, damaged documents and several documents are not formatted")
    @ValueSource(strings = {"", "text", "5", "{\"a\":1", "{\"a\":1}}", "[1] [2]", "{\"a\":1,\"a\":2}", "{'a':1}"})
    void otherText(String text) {
        assertThat(Json.pretty(text)).isNull();
    }
}
