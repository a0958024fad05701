package dev.jitney.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClientTextTest {

    @Test
    void shortensWhatClientsSend() {
        assertThat(ClientText.abbreviate("a\nb")).isEqualTo("a?b");
        assertThat(ClientText.abbreviate("x".repeat(1_000))).hasSize(65);
    }

    @Test
    @DisplayName("HTTP 2.10: a cut never splits a surrogate pair")
    void cutsBetweenCharacters() {
        String pair = "\ud83d\ude00";
        assertThat(ClientText.cut("ab" + pair, 3)).isEqualTo("ab");
        assertThat(ClientText.cut("ab" + pair, 4)).isEqualTo("ab" + pair);
        assertThat(ClientText.cut("abcd", 3)).isEqualTo("abc");
        assertThat(ClientText.abbreviate("a".repeat(63) + pair + "b")).isEqualTo("a".repeat(63) + "…");
        assertThat(ClientText.abbreviate("a".repeat(62) + pair + "b")).isEqualTo("a".repeat(62) + pair + "…");
    }

    @Test
    void leavesNothingThatATerminalActsUpon() {
        String hostile = "a\u001b[2J\r\nb\u0085c\u2028\u202ed\u009b\u007f\te";
        assertThat(ClientText.oneLine(hostile)).isEqualTo("a\\u001b[2J b c \\u202ed\\u009b\\u007f e");
        assertThat(ClientText.abbreviate(hostile))
                .doesNotContainPattern("\\p{Cc}")
                .doesNotContain("\u2028", "\u202e");
        assertThat(ClientText.harmless(hostile)).isEqualTo("a?[2J??b?c??d???e");
        assertThat(ClientText.oneLine("wie schön: 日本 👍")).isEqualTo("wie schön: 日本 👍");
    }
}
