package dev.jitney.runtime.shard;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The log of slow turns. */
class TurnWatchTest {
    private static final long MS = 1_000_000;

    private final AtomicLong nanos = new AtomicLong(7);
    private final AtomicLong processorNanos = new AtomicLong();
    private final AtomicLong collectorMs = new AtomicLong();
    private final TurnWatch watch = new TurnWatch(2, 20 * MS, nanos::get, processorNanos::get, collectorMs::get);
    private final Logger logger = (Logger) LoggerFactory.getLogger(TurnWatch.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    private void turn(long commitMs) {
        watch.begin();
        watch.task();
        watch.task();
        nanos.addAndGet(MS);
        watch.end(TurnWatch.Step.TASKS);
        nanos.addAndGet(2 * MS);
        watch.end(TurnWatch.Step.WORK);
        watch.commits(3, 400);
        processorNanos.addAndGet(MS / 2);
        collectorMs.addAndGet(4);
        nanos.addAndGet(commitMs * MS);
        watch.end(TurnWatch.Step.COMMIT);
        watch.end(TurnWatch.Step.RELEASE);
        watch.end(TurnWatch.Step.INDEX);
        watch.end();
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    @DisplayName("A turn at the limit is logged with its steps, its size, its processor time and the collector's time")
    void logsASlowTurn() {
        turn(16);
        assertThat(lines()).isEmpty();
        turn(17);
        assertThat(lines())
                .containsExactly("A turn of shard 2 took 20.0 ms: tasks 1.0 ms, timers and deliveries 2.0 ms, commit"
                        + " 17.0 ms, replies and deliveries released 0.0 ms, rows indexed 0.0 ms, 2 tasks, 3 rows of"
                        + " 400 bytes, processor time 0.5 ms, garbage collections 4 ms.");
    }

    @Test
    @DisplayName("Of many slow turns, one in a tenth of a second is logged, and the others are counted")
    void limitsTheLog() {
        for (int i = 0; i < 5; i++) {
            turn(37);
        }
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(0)).doesNotContain("not logged");
        assertThat(lines().get(1)).endsWith(" 2 other slow turns since the last line are not logged.");
    }

    @Test
    @DisplayName("Without a limit nothing is measured or logged")
    void isOff() {
        TurnWatch off = new TurnWatch(
                0,
                0,
                () -> {
                    throw new AssertionError("Expected no measurement.");
                },
                processorNanos::get,
                collectorMs::get);
        off.begin();
        off.task();
        off.commits(1, 1);
        off.end(TurnWatch.Step.COMMIT);
        off.end();
        assertThat(lines()).isEmpty();
    }
}
