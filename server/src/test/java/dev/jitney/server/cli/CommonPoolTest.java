package dev.jitney.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The common pool of a node")
class CommonPoolTest {
    @Test
    @DisplayName("has two threads on one or two processors, so that no step of Ratis starts a thread")
    void twoThreads() {
        Properties properties = new Properties();
        CommonPool.set(properties, 2);
        assertThat(properties).containsEntry(CommonPool.PARALLELISM, "2");
    }

    @Test
    @DisplayName("keeps its size on more processors, and a size that was chosen")
    void keeps() {
        Properties properties = new Properties();
        CommonPool.set(properties, 3);
        assertThat(properties).isEmpty();
        properties.setProperty(CommonPool.PARALLELISM, "7");
        CommonPool.set(properties, 1);
        assertThat(properties).containsEntry(CommonPool.PARALLELISM, "7");
    }
}
