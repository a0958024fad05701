package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Semantics chapter 14 on a queue. */
final class DuplicatesTest {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long WINDOW = 10 * MINUTE;

    private final QueueFixture f = given(detecting(WINDOW));

    private static QueueDescription.Builder detecting(long windowMs) {
        return queue().requiresDuplicateDetection(true).duplicateDetectionHistoryTimeWindowMs(windowMs);
    }

    private static IncomingMessage withId(String id) {
        return message("m").id(id).build();
    }

    private Reply.Sent sent(IncomingMessage... messages) {
        return (Reply.Sent) f.accepted(new Command.SendMessages(Arrays.asList(messages)));
    }

    private boolean isDropped(String id) {
        return !sent(withId(id)).duplicates().isEmpty();
    }

    @Test
    @DisplayName("DUP-2, T-3: the second message with an id is dropped with a successful reply and leaves no trace")
    void dropsTheSecond() {
        assertThat(f.send(withId("X"))).isEqualTo(1);
        assertThat(f.records())
                .contains(new Record.MessageIdAccepted(
                        new AcceptedId(DuplicateKey.ofString("X"), QueueFixture.START_MS, QueueFixture.START_MS, 1)));
        f.after(SECOND);

        Reply.Sent again = sent(withId("X"));

        assertThat(again.duplicates()).containsExactly(0);
        assertThat(again.sequenceNumbers()).as("the number of the first").containsExactly(1);
        assertThat(f.records()).isEmpty();
        f.thenCounts(1, 0, 0);
        assertThat(f.send(withId("Y")))
                .as("SEQ-1: duplicates consume no number")
                .isEqualTo(2);
        f.replayEqualsLive();
    }

    @Test
    @DisplayName("DUP-1: a queue without duplicate detection accepts equal ids and keeps none")
    void withoutDetection() {
        QueueFixture plain = given(queue());
        plain.sendAll(withId("X"), withId("X"));
        plain.thenCounts(2, 0, 0);
        assertThat(plain.rows.acceptedIds).isEmpty();
        assertThat(plain.rows.idsAskedFor).isZero();
    }

    @Test
    @DisplayName("SCN-14: stored at 0, completed at 0:01, dropped at 9:59, stored at 10:00")
    void boundaryOfTheWindow() {
        f.send(withId("X"));
        f.at(SECOND);
        f.complete(f.receiveOne());
        f.at(WINDOW - SECOND);
        assertThat(isDropped("X")).isTrue();
        f.at(WINDOW - 1);
        assertThat(isDropped("X")).isTrue();
        f.at(WINDOW);
        assertThat(isDropped("X")).isFalse();
        f.thenCounts(1, 0, 0);
        f.replayEqualsLive();
    }

    @Test
    @DisplayName("DUP-4: the window runs from the first acceptance; a dropped duplicate does not extend it")
    void duplicatesDoNotExtendTheWindow() {
        f.send(withId("X"));
        for (int minute = 1; minute <= 9; minute++) {
            f.at(minute * MINUTE);
            assertThat(isDropped("X")).isTrue();
        }
        f.at(WINDOW + SECOND);
        assertThat(isDropped("X")).isFalse();
        f.at(2 * WINDOW);
        assertThat(isDropped("X"))
                .as("the second acceptance has its own window")
                .isTrue();
        f.at(2 * WINDOW + SECOND);
        assertThat(isDropped("X")).isFalse();
        f.replayEqualsLive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"completed", "received and deleted", "expired", "dead-lettered", "deferred", "purged"})
    @DisplayName("DUP-5: an id counts after any end of its message")
    void idsOutliveMessages(String fate) {
        f.send(message("m").id("X").timeToLiveMs(MINUTE).build());
        switch (fate) {
            case "completed" -> f.complete(f.receiveOne());
            case "received and deleted" -> f.receive(SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 1);
            case "expired" -> {
                f.after(2 * MINUTE);
                assertThat(f.receive()).isNull();
            }
            case "dead-lettered" -> f.deadLetter(f.receiveOne());
            case "deferred" -> f.defer(f.receiveOne());
            default -> f.accepted(new Command.BatchDeleteMessages(SubQueue.MAIN, 10, MessageView.NEVER));
        }
        assertThat(isDropped("X")).isTrue();
    }

    @Test
    @DisplayName("DUP-6: ids are compared case-sensitively and unchanged")
    void comparesWithCase() {
        sent(withId("X"), withId("x"), withId("X "), withId("\u00e4"), withId("a\u0308"));
        f.thenCounts(5, 0, 0);
        assertThat(isDropped("x")).isTrue();
    }

    @Test
    @DisplayName("DUP-7: messages without an id, or with an empty one, are not checked")
    void withoutId() {
        f.sendAll(message("a").build(), message("b").build(), withId(""), withId(""));
        f.send("c");
        f.thenCounts(5, 0, 0);
        assertThat(f.rows.acceptedIds).isEmpty();
    }

    @Test
    @DisplayName("DUP-2, DUP-8: of messages with equal ids in one batch the first is stored and the others are dropped")
    void withinABatch() {
        f.send(withId("old"));
        Reply.Sent sent = sent(withId("a"), withId("old"), withId("b"), withId("a"), withId("a"), withId("c"));
        assertThat(sent.sequenceNumbers()).containsExactly(2, 1, 3, 2, 2, 4);
        assertThat(sent.duplicates()).containsExactly(1, 3, 4);
        f.thenCounts(4, 0, 0);
        f.replayEqualsLive();
    }

    @Test
    @DisplayName("DUP-9: ids of earlier decisions are known before their commit")
    void knowsWhatIsNotCommitted() {
        Command.SendMessages send = new Command.SendMessages(List.of(withId("X")));
        Decision first = QueueDecider.decide(f.state, send, f.situation());
        first.records().forEach(f.applier::apply);
        f.rows.acceptedIds.clear(); // a store shows committed rows only
        Decision second = QueueDecider.decide(f.state, send, f.situation());
        assertThat(((Reply.Sent) second.reply()).duplicates()).containsExactly(0);
    }

    @Test
    @DisplayName(
            "SCHED-9: the check runs when a message is scheduled; a second schedule returns the number of the first")
    void scheduled() {
        long[] first = f.sendAll(message("m").id("X").scheduledAt(MINUTE).build());
        Reply.Sent again = sent(message("m").id("X").scheduledAt(2 * MINUTE).build());
        assertThat(again.sequenceNumbers()).isEqualTo(first);
        assertThat(isDropped("X")).isTrue();
        f.thenCounts(0, 0, 1);
        f.at(MINUTE);
        f.thenCounts(1, 0, 0);
        assertThat(isDropped("X"))
                .as("the activation does not count as acceptance")
                .isTrue();
        f.at(WINDOW);
        assertThat(isDropped("X")).isFalse();
        f.replayEqualsLive();
    }

    @Test
    @DisplayName("DUP-5: a canceled schedule still counts")
    void cancelled() {
        long number = f.send(message("m").id("X").scheduledAt(MINUTE).build());
        f.accepted(new Command.CancelScheduledMessages(List.of(number)));
        assertThat(isDropped("X")).isTrue();
        f.thenCounts(0, 0, 0);
    }

    @Test
    @DisplayName("DUP-12: refused sends and pings add no ids")
    void refusedSends() {
        f.storeAcceptsGrowth = false;
        assertThat(f.refusedAs(new Command.SendMessages(List.of(withId("X"))))).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        f.storeAcceptsGrowth = true;
        assertThat(f.refusedAs(new Command.SendMessages(List.of(
                        withId("X"), message("m").id("Y").timeToLiveMs(0).build()))))
                .isEqualTo(ErrorCode.ARGUMENT);
        f.update(detecting(WINDOW).status(EntityStatus.SEND_DISABLED));
        assertThat(f.refusedAs(new Command.SendMessages(List.of(withId("X"))))).isEqualTo(ErrorCode.ENTITY_DISABLED);
        f.update(detecting(WINDOW));
        assertThat(sent(message("m").id("X").ping().build()).duplicates()).isEmpty();
        assertThat(f.rows.acceptedIds).isEmpty();

        assertThat(isDropped("X")).isFalse();
        assertThat(sent(message("m").id("X").ping().build()).duplicates())
                .as("a ping is no duplicate")
                .isEmpty();
        f.thenCounts(1, 0, 0);
    }

    @Test
    @DisplayName("DUP-11: a restart does not change how long ids count")
    void restart() {
        f.send(withId("X"));
        f.at(6 * MINUTE);
        f.send(withId("Y"));
        f.at(7 * MINUTE);
        f.restart();
        assertThat(isDropped("X")).isTrue();
        f.at(WINDOW);
        assertThat(isDropped("X")).isFalse();
        assertThat(isDropped("Y")).isTrue();
        f.at(16 * MINUTE);
        assertThat(isDropped("Y")).isFalse();
        f.replayEqualsLive();
    }

    @Test
    @DisplayName("DUP-11: after a restart with a clock that was set back, ids count for the whole window")
    void restartWithAnEarlierClock() {
        f.at(20 * MINUTE);
        f.send(withId("X"));
        f.at(24 * MINUTE);
        f.send(withId("Y"));
        f.restartAt(MINUTE);
        f.at(20 * MINUTE + WINDOW);
        assertThat(isDropped("Y")).as("six minutes old").isTrue();
        f.at(24 * MINUTE + WINDOW - 1);
        assertThat(isDropped("Y")).isTrue();
        f.at(24 * MINUTE + WINDOW);
        assertThat(isDropped("Y")).isFalse();
    }

    @Test
    @DisplayName("DUP-3: the current window decides, after it was made smaller and larger")
    void windowChanges() {
        f.send(withId("X"));
        f.at(MINUTE);
        f.update(detecting(30 * SECOND));
        assertThat(isDropped("X")).as("60 s old, window 30 s").isFalse();
        f.at(MINUTE + 29 * SECOND);
        assertThat(isDropped("X")).isTrue();
        f.update(detecting(2 * MINUTE));
        f.at(2 * MINUTE + 59 * SECOND);
        assertThat(isDropped("X")).as("119 s old, window 120 s").isTrue();
        f.at(3 * MINUTE);
        assertThat(isDropped("X")).isFalse();
        f.replayEqualsLive();
    }

    @Test
    @DisplayName("DUP-11: ids that left the window are deleted by time, without a send; few of them one by one")
    void forgetsFew() {
        f.sendAll(withId("a"), withId("b"));
        f.at(WINDOW - 1);
        assertThat(f.rows.acceptedIds).hasSize(1);
        f.at(WINDOW);
        assertThat(f.durableRecords())
                .singleElement()
                .isInstanceOfSatisfying(
                        Record.MessageIdsForgotten.class,
                        forgotten -> assertThat(forgotten.keys())
                                .containsExactlyInAnyOrder(DuplicateKey.ofString("a"), DuplicateKey.ofString("b")));
        assertThat(f.rows.acceptedIds).isEmpty();
        f.thenCounts(2, 0, 0);
        f.replayEqualsLive();
    }

    @Test
    @DisplayName("very many ids are deleted by one record that does not name them")
    void forgetsMany() {
        for (int i = 0; i < 1_000; i++) {
            f.send(withId("id-" + i));
        }
        f.at(WINDOW);
        assertThat(f.durableRecords()).containsExactly(new Record.MessageIdsForgotten(QueueFixture.START_MS, null));
        assertThat(f.rows.acceptedIds).isEmpty();
        f.replayEqualsLive();
    }

    @Test
    @DisplayName("after a long stop all old ids are deleted, and the check of a new id reads only a few places")
    void afterALongStop() {
        for (int minute = 0; minute < 100; minute++) {
            f.at(minute * MINUTE);
            f.send(withId("id-" + minute));
            assertThat(f.rows.acceptedIds.size()).as("generations").isLessThanOrEqualTo(4);
            f.rows.idsAskedFor = 0;
            assertThat(isDropped("id-" + minute)).isTrue();
            f.send(withId("other-" + minute));
            assertThat(f.rows.idsAskedFor).isLessThanOrEqualTo(8);
        }
        f.at(1_000 * MINUTE);
        f.restart();
        f.at(1_000 * MINUTE + WINDOW);
        assertThat(f.rows.acceptedIds).isEmpty();
        f.replayEqualsLive();
    }

    @Test
    @DisplayName("DUP-2: new ids are not looked up in the store; after a restart they are, for one and a half windows")
    void newIdsNeedNoLookup() {
        for (int i = 0; i < 100; i++) {
            f.send(withId("a-" + i));
        }
        assertThat(f.rows.idsAskedFor).isLessThan(10);
        f.restart();
        f.send(withId("b"));
        assertThat(f.rows.idsAskedFor).isPositive();
        f.at(WINDOW);
        f.send(withId("c"));
        f.at(WINDOW + WINDOW / 2);
        f.rows.idsAskedFor = 0;
        for (int i = 0; i < 100; i++) {
            f.send(withId("d-" + i));
        }
        assertThat(f.rows.idsAskedFor).isLessThan(10);
        assertThat(isDropped("c")).isTrue();
        assertThat(f.rows.idsAskedFor).isPositive();
    }

    @Test
    @DisplayName("DUP-2: without memory for filters ids are looked up in the store, with the same results")
    void withoutMemoryForFilters() {
        QueueFixture small = given(
                detecting(WINDOW),
                Limits.of(TierProfile.STANDARD),
                ExpiryEnforcement.ON_RECEIVER,
                QueueFixture.tinyMemory(100));
        small.send(withId("X"));
        small.send(withId("Y"));
        assertThat(small.rows.idsAskedFor).isPositive();
        Reply.Sent again = (Reply.Sent) small.accepted(new Command.SendMessages(List.of(withId("X"))));
        assertThat(again.duplicates()).containsExactly(0);
    }

    @Test
    @DisplayName("filters give their memory back when their ids are deleted, and when the queue is deleted")
    void filtersGiveMemoryBack() {
        f.send(withId("X"));
        assertThat(f.filterBytes()).isPositive();
        f.at(WINDOW);
        assertThat(f.rows.acceptedIds).isEmpty();
        assertThat(f.filterBytes()).isZero();
        f.send(withId("Y"));
        f.state.discard();
        assertThat(f.filterBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @DisplayName("DUP-2 to DUP-5: random sends, restarts and windows have the same results as a plain map of times")
    void randomRuns(long seed) {
        Random random = new Random(seed);
        Map<String, Long> acceptedAt = new HashMap<>();
        long windowMs = WINDOW;
        long largestKeptMs = WINDOW;
        for (int step = 0; step < 2_000; step++) {
            int what = random.nextInt(100);
            if (what == 0) {
                f.restart();
            } else if (what == 1) {
                // The window grows only after every old id is deleted: ids dropped by a smaller window do not come
                // back.
                long changed = 20 * SECOND + random.nextInt((int) WINDOW);
                if (changed > windowMs) {
                    f.after(2 * largestKeptMs);
                    acceptedAt.clear();
                }
                windowMs = changed;
                f.update(detecting(windowMs));
            } else if (what < 20) {
                f.after(random.nextInt((int) (windowMs / 4)));
            } else {
                String id = "id-" + random.nextInt(40);
                Long first = acceptedAt.get(id);
                boolean duplicate = first != null && f.nowMs - first < windowMs;
                assertThat(isDropped(id))
                        .as("seed %d, step %d, id %s", seed, step, id)
                        .isEqualTo(duplicate);
                if (!duplicate) {
                    acceptedAt.put(id, f.nowMs);
                }
            }
        }
        f.replayEqualsLive();
    }
}
