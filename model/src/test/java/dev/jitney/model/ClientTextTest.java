package dev.jitney.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClientTextTest {

    @Test
    void shortensWhatClientsSend() {
        assertThat(ClientText.abbreviate("a\nb")).isEqualTo("a?b");
        assertThat(ClientText.abbreviate("x".repeat(1_000))).hasSize(65);
    }
}
