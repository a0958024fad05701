package dev.jitney.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BrokerLoaderTest {
    @Test
    @DisplayName("A broker that has started after the caller was interrupted is closed")
    void interrupted() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> BrokerLoader.start(
                        options -> {
                            try {
                                release.await();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            return Map.of("close", (Runnable) closed::countDown);
                        },
                        getClass().getClassLoader(),
                        Map.of()))
                .isInstanceOf(JitneyException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).as("the interruption is kept").isTrue();
        release.countDown();
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("A broker that has started in time stays open")
    void started() {
        Runnable close = () -> {};
        assertThat(BrokerLoader.start(
                        options -> Map.of("close", close, "name", options.get("name")),
                        getClass().getClassLoader(),
                        Map.of("name", "a")))
                .isEqualTo(Map.of("close", close, "name", "a"));
    }
}
