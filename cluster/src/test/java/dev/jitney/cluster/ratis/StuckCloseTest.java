package dev.jitney.cluster.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.util.AwaitToRun;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A Ratis server that waits for its own lock when it closes")
class StuckCloseTest {
    @Test
    @DisplayName("closes anyway (CL-42)")
    void closes() throws Exception {
        Object lock = new Object();
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(1);
        AwaitToRun eviction = new AwaitToRun("eviction", () -> {
            running.countDown();
            synchronized (lock) {
                locked.countDown();
            }
        });
        eviction.start();
        Thread closing = new Thread(
                () -> {
                    synchronized (lock) {
                        signalUntil(running, eviction);
                        eviction.close();
                    }
                },
                "a.01-impl-thread1");
        StuckClose watch = new StuckClose("a.01");
        closing.start();
        watch.begun();
        closing.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(closing.isAlive()).isFalse();
        watch.ended();
        assertThat(locked.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** A signal before the thread waits for it has no effect. */
    private static void signalUntil(CountDownLatch running, AwaitToRun eviction) {
        try {
            do {
                eviction.signal();
            } while (!running.await(10, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
