package dev.jitney.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node that has stopped taking part")
class RestartPauseTest {
    @Test
    @DisplayName("tries again at once at first, and then after growing pauses (CL-42)")
    void pauses() {
        NodeWatch.RestartPause pause = new NodeWatch.RestartPause(0);
        for (int i = 0; i < 3; i++) {
            pause.failed(0);
            assertThat(pause.isOver(0)).isTrue();
        }
        pause.failed(0);
        assertThat(pause.isOver(NodeWatch.RestartPause.PAUSE_MS - 1)).isFalse();
        assertThat(pause.isOver(NodeWatch.RestartPause.PAUSE_MS)).isTrue();
        for (int i = 0; i < 20; i++) {
            pause.failed(0);
        }
        assertThat(pause.isOver(NodeWatch.RestartPause.PAUSE_MAX_MS - 1)).isFalse();
        assertThat(pause.isOver(NodeWatch.RestartPause.PAUSE_MAX_MS)).isTrue();
        pause.failed(100_000);
        assertThat(pause.isOver(100_000)).isTrue();
    }
}
