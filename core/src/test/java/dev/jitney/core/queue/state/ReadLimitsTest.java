package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static dev.jitney.core.queue.state.QueueFixture.tinyMemory;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.transaction.state.OpenTransaction;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("QUOTA-8: one decision reads a limited number of messages")
class ReadLimitsTest {
    private static final String LARGE = "x".repeat(100_000);

    /** The large messages that are read until the limit of 4 MiB is exceeded, and some more. */
    private static final int LARGE_MAX = 50;

    @Test
    @DisplayName(
            "SCHED-4: each cancellation in a transaction reads its own message, and not those that the transaction has canceled before")
    void cancellations() {
        QueueFixture q = given(queue());
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            numbers.add(q.send(message("later").scheduledAt(60_000).build()));
        }
        OpenTransaction tx = q.begin();
        q.rows.found = 0;
        for (long number : numbers) {
            q.acceptedIn(tx, new Command.CancelScheduledMessages(List.of(number)));
        }
        assertThat(q.rows.found).isEqualTo(200);
        assertThat(q.commit(tx)).isNull();
        q.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("SCHED-4: a number that a cancellation names twice is refused before it is read again")
    void namedTwice() {
        QueueFixture q = given(queue());
        long number = q.send(message("later").scheduledAt(60_000).build());
        q.rows.found = 0;
        assertThat(q.refusedAs(new Command.CancelScheduledMessages(List.of(number, number, number))))
                .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        assertThat(q.rows.found).isEqualTo(1);
    }

    @Test
    @DisplayName("DEFER-2: a request for messages that are not deferred is refused after 4 MiB of them")
    void notDeferred() {
        QueueFixture q = given(queue());
        for (int i = 0; i < 200; i++) {
            q.send(LARGE);
        }
        List<Long> numbers = LongStream.rangeClosed(1, 200).boxed().toList();
        q.rows.found = 0;
        assertThat(q.refusedAs(new Command.ReceiveDeferredMessages(SubQueue.MAIN, numbers, ReceiveMode.PEEK_LOCK)))
                .isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
        assertThat(q.rows.found).isLessThan(LARGE_MAX);
    }

    @Test
    @DisplayName(
            "RECV-5: a read of the next messages passes 4 MiB of deferred ones at most, and finds the message behind them")
    void deferredBeforeTheNext() {
        QueueFixture q = given(queue(), Limits.of(TierProfile.STANDARD), ExpiryEnforcement.ON_RECEIVER, tinyMemory(16));
        for (int i = 0; i < 200; i++) {
            q.send(LARGE);
            q.defer(q.receiveOne());
        }
        q.send("next");
        q.restart();
        boolean searching = true;
        for (int i = 0; searching; i++) {
            assertThat(i).isLessThan(20);
            q.rows.visited = 0;
            searching = q.state.fill(Lane.MAIN, q.rows);
            assertThat(q.rows.visited).isLessThan(LARGE_MAX);
        }
        assertThat(QueueFixture.body(q.receiveOne())).isEqualTo("next");
    }

    @Test
    @DisplayName("TTL-6: a sweep reads few blocks at a time, although each of them has one expired message")
    void sweep() {
        QueueFixture q = given(queue(), Limits.of(TierProfile.STANDARD), ExpiryEnforcement.BACKGROUND, tinyMemory(16));
        for (int i = 0; i < 6_000; i++) {
            q.send(
                    i % 1_000 == 0
                            ? message("old").timeToLiveMs(1_000).build()
                            : message("live").build());
        }
        q.nowMs += 1_000;
        int expired = 0;
        int decisions = 0;
        while (q.state.earliestExpiryMs() <= q.nowMs) {
            q.rows.visited = 0;
            List<Record> records =
                    QueueDecider.decideTimers(q.state, q.situation(), 1_000).records();
            assertThat(q.rows.visited).isBetween(1L, 2_048L);
            records.forEach(q::happened);
            expired += records.size();
            decisions++;
            assertThat(decisions).isLessThan(20);
        }
        assertThat(expired).isPositive();
    }
}
