package dev.jitney.crash.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.crash.history.Operation.Kind;
import dev.jitney.crash.history.Operation.Outcome;
import dev.jitney.crash.history.Operation.Seen;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests of the checker with histories that are correct, and with planted violations. Times are small numbers. */
final class HistoryCheckerTest {
    private static final long LOCK = 1_000;

    private final History history = new History();

    private void send(int message, long from, long to) {
        history.end(history.begin(Kind.SEND, 0, message, from), Outcome.DONE, to);
    }

    private void sendWithoutReply(int message, long from) {
        history.begin(Kind.SEND, 0, message, from);
    }

    private static Seen seen(int message) {
        return new Seen(message, message + 1, 1_000 + message);
    }

    private void take(int message, long from, long to) {
        history.end(history.begin(Kind.TAKE, 1, from), seen(message), to);
    }

    private int lock(int message, long from, long to) {
        int number = history.begin(Kind.LOCK, 2, from);
        history.end(number, seen(message), to);
        return number;
    }

    private void settle(Kind kind, int lock, Outcome outcome, long from, long to) {
        int number = history.begin(kind, 2, lock, from);
        if (outcome != Outcome.UNKNOWN) {
            history.end(number, outcome, to);
        }
    }

    private void complete(int lock, long from, long to) {
        settle(Kind.COMPLETE, lock, Outcome.DONE, from, to);
    }

    private void peek(long from, long to, boolean whole, int... messages) {
        List<Seen> all =
                IntStream.of(messages).mapToObj(HistoryCheckerTest::seen).toList();
        history.end(history.begin(Kind.PEEK, 3, from), all, whole, to);
    }

    private List<String> violations() {
        return HistoryChecker.violations(history, LOCK);
    }

    @Nested
    @DisplayName("accepts")
    final class Correct {
        @Test
        @DisplayName("messages that are sent, seen, locked, unlocked, completed, and received and deleted")
        void ordinary() {
            send(0, 0, 10);
            send(1, 11, 20);
            peek(21, 22, true, 0, 1);
            int lock = lock(0, 23, 30);
            take(1, 31, 40);
            peek(41, 42, true, 0);
            settle(Kind.ABANDON, lock, Outcome.DONE, 50, 60);
            complete(lock(0, 61, 70), 71, 80);
            peek(90, 91, true);
            assertThat(violations()).isEmpty();
        }

        @Test
        @DisplayName("operations that overlap, in any order that is possible")
        void overlapping() {
            send(0, 0, 100);
            int lock = lock(0, 5, 20);
            complete(lock, 21, 90);
            peek(30, 95, true);
            peek(30, 95, true, 0);
            assertThat(violations()).isEmpty();
        }

        @Test
        @DisplayName("a send without a reply that happened, one that happened later, and one that never happened")
        void unknownSends() {
            sendWithoutReply(0, 0);
            sendWithoutReply(1, 1);
            sendWithoutReply(2, 2);
            peek(3, 4, true, 0);
            take(0, 5, 6);
            peek(10, 11, true);
            peek(20, 21, true, 1);
            take(1, 30, 31);
            peek(40, 41, true);
            assertThat(violations()).isEmpty();
        }

        @Test
        @DisplayName("a completion without a reply, with and without an effect (CL-2)")
        void unknownCompletions() {
            send(0, 0, 1);
            send(1, 2, 3);
            settle(Kind.COMPLETE, lock(0, 4, 5), Outcome.UNKNOWN, 6, 0);
            settle(Kind.COMPLETE, lock(1, 7, 8), Outcome.UNKNOWN, 9, 0);
            history.disturbed(10, 20);
            complete(lock(1, 30, 31), 32, 33);
            peek(40, 41, true);
            assertThat(violations()).isEmpty();
        }

        @Test
        @DisplayName("a message that a receive-and-delete without a reply has removed")
        void unknownTake() {
            send(0, 0, 1);
            send(1, 2, 3);
            history.begin(Kind.TAKE, 1, 4);
            take(1, 10, 11);
            peek(20, 21, true);
            assertThat(violations()).isEmpty();
        }

        @Test
        @DisplayName("a second lock after the lock duration, and after a change of the leader (CL-24)")
        void voidLocks() {
            send(0, 0, 1);
            int first = lock(0, 2, 3);
            int second = lock(0, 2 + LOCK, 3 + LOCK);
            settle(Kind.COMPLETE, first, Outcome.REFUSED, 4 + LOCK, 5 + LOCK);
            history.disturbed(10 + LOCK, 20 + LOCK);
            int third = lock(0, 15 + LOCK, 16 + LOCK);
            settle(Kind.COMPLETE, second, Outcome.REFUSED, 21 + LOCK, 22 + LOCK);
            complete(third, 23 + LOCK, 24 + LOCK);
            assertThat(violations()).isEmpty();
        }

        @Test
        @DisplayName("a delivery that arrives late, after the message was completed by another client")
        void lateDelivery() {
            send(0, 0, 1);
            int late = history.begin(Kind.LOCK, 4, 2);
            history.disturbed(3, 4);
            complete(lock(0, 10, 11), 12, 13);
            history.end(late, seen(0), 20);
            peek(30, 31, true);
            assertThat(violations()).isEmpty();
        }

        @Test
        @DisplayName("messages behind those that a short peek has shown")
        void shortPeek() {
            send(0, 0, 1);
            send(1, 2, 3);
            peek(4, 5, false, 0);
            assertThat(violations()).isEmpty();
        }
    }

    @Nested
    @DisplayName("finds")
    final class Planted {
        private void isFound(String... parts) {
            assertThat(violations())
                    .isNotEmpty()
                    .allSatisfy(text -> assertThat(text).contains(parts));
        }

        @Test
        @DisplayName("a lost message (CL-1)")
        void lost() {
            send(0, 0, 1);
            peek(10, 11, true);
            isFound("Message 0 has no linearizable history");
        }

        @Test
        @DisplayName("a lost message that only a peek or a lock has confirmed")
        void lostWithoutReply() {
            sendWithoutReply(0, 0);
            lock(0, 1, 2);
            peek(10, 11, true);
            isFound("Message 0 has no linearizable history");
        }

        @Test
        @DisplayName("two lost messages, although one receive-and-delete without a reply explains either of them")
        void twoLost() {
            send(0, 0, 1);
            send(1, 2, 3);
            history.begin(Kind.TAKE, 1, 4);
            peek(10, 11, true);
            assertThat(violations()).hasSize(1);
        }

        @Test
        @DisplayName("a message that was lost before the receive-and-delete without a reply began")
        void lostEarlier() {
            send(0, 0, 1);
            peek(10, 11, true);
            history.begin(Kind.TAKE, 1, 20);
            peek(30, 31, true);
            isFound("Message 0 has no linearizable history");
        }

        @Test
        @DisplayName("a message that is back after its completion")
        void backAgain() {
            send(0, 0, 1);
            complete(lock(0, 2, 3), 4, 5);
            history.disturbed(5, 6);
            lock(0, 10, 11);
            isFound("Message 0 has no linearizable history");
        }

        @Test
        @DisplayName("a message that a peek shows after its completion")
        void shownAgain() {
            send(0, 0, 1);
            complete(lock(0, 2, 3), 4, 5);
            peek(10, 11, true, 0);
            isFound("Message 0 has no linearizable history");
        }

        @Test
        @DisplayName("a message that vanishes and returns")
        void vanishes() {
            send(0, 0, 1);
            peek(2, 3, true, 0);
            peek(4, 5, true);
            peek(6, 7, true, 0);
            isFound("Message 0 has no linearizable history");
        }

        @Test
        @DisplayName("a receive that ended before the send began")
        void tooEarly() {
            take(0, 0, 1);
            send(0, 2, 3);
            isFound("Message 0 has no linearizable history");
        }

        @Test
        @DisplayName("a message that was never sent, and one whose send was refused")
        void neverSent() {
            history.end(history.begin(Kind.SEND, 0, 1, 0), Outcome.REFUSED, 1);
            peek(2, 3, true, 0, 1);
            assertThat(violations()).hasSize(2);
        }

        @Test
        @DisplayName("a message that was received and deleted twice (CL-27)")
        void twice() {
            send(0, 0, 1);
            take(0, 2, 10);
            take(0, 3, 11);
            isFound("Message 0 has no linearizable history");
        }

        @Test
        @DisplayName("two completions of a message that were both confirmed")
        void completedTwice() {
            send(0, 0, 1);
            int first = lock(0, 2, 3);
            history.disturbed(4, 5);
            int second = lock(0, 6, 7);
            complete(first, 8, 20);
            complete(second, 9, 21);
            isFound("Message 0 has no linearizable history");
        }

        @Test
        @DisplayName("two holders of a lock at the same time (STATE-8)")
        void twoHolders() {
            send(0, 0, 1);
            int first = lock(0, 2, 3);
            lock(0, 4, 5);
            complete(first, 6, 7);
            isFound("Message 0 has no linearizable history");
        }

        @Test
        @DisplayName("a completion that was refused as late while its lock was valid")
        void refused() {
            send(0, 0, 1);
            int lock = lock(0, 2, 3);
            settle(Kind.COMPLETE, lock, Outcome.REFUSED, 4, 5);
            isFound("Message 0 has no linearizable history");
        }

        @Test
        @DisplayName("a sequence number that is smaller than that of a message whose send began later (SEQ-6)")
        void orderInverted() {
            send(1, 0, 1);
            send(0, 2, 3);
            peek(4, 5, true, 0, 1);
            isFound("SEQ-6", "was stored before the send");
        }

        @Test
        @DisplayName("an EnqueuedTime that falls while sequence numbers rise (SEQ-6, CL-13)")
        void timeRunsBack() {
            send(0, 0, 1);
            send(1, 2, 3);
            history.end(history.begin(Kind.PEEK, 3, 4), List.of(new Seen(0, 1, 1_000), new Seen(1, 2, 999)), true, 5);
            isFound("SEQ-6", "enqueued 1 ms earlier");
        }

        @Test
        @DisplayName("a number of two messages, and a message with two numbers (CL-25)")
        void numbers() {
            send(0, 0, 1);
            send(1, 0, 1);
            Stream.of(new Seen(0, 1, 1_000), new Seen(1, 1, 1_000), new Seen(1, 2, 1_000))
                    .forEach(seen -> history.end(history.begin(Kind.LOCK, 3, 4), seen, 2_000));
            assertThat(violations()).anySatisfy(text -> assertThat(text).contains("now it has 2"));
            History other = new History();
            other.end(other.begin(Kind.SEND, 0, 0, 0), Outcome.DONE, 1);
            other.end(other.begin(Kind.SEND, 0, 1, 0), Outcome.DONE, 1);
            other.end(other.begin(Kind.LOCK, 3, 4), new Seen(0, 1, 1_000), 5);
            other.end(other.begin(Kind.LOCK, 3, 4), new Seen(1, 1, 1_000), 5);
            assertThat(HistoryChecker.violations(other, LOCK))
                    .anySatisfy(text -> assertThat(text).contains("Messages 0 and 1 have sequence number 1"));
        }

        @Test
        @DisplayName("a receive that passes over an earlier message which was available")
        void passedOver() {
            send(0, 0, 1);
            send(1, 2, 3);
            take(1, 10, 11);
            take(0, 20, 21);
            isFound("Message 1", "while message 0");
        }

        @Test
        @DisplayName("a peek that is not in order")
        void peekOrder() {
            send(0, 0, 1);
            send(1, 0, 1);
            peek(10, 11, true, 1, 0);
            isFound("A peek has shown");
        }
    }
}
