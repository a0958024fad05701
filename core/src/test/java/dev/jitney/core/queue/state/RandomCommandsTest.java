package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.MessageAct;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.state.ReferenceQueue.Item;
import dev.jitney.core.transaction.state.OpenTransaction;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random commands, clock moves, restarts and losses of memory, compared with {@link ReferenceQueue}. After every step
 * both have the same messages in the same states, and every delivery is the one that the reference expects, in its order.
 *
 * <p>{@code -Djitney.seeds=N} runs more seeds, {@code -Djitney.seed=S} one of them again.
 */
@DisplayName("STATE-1, STATE-3, STATE-5: random commands against a reference")
class RandomCommandsTest {
    private static final int STEPS = 1_500;

    static LongStream seeds() {
        Long one = Long.getLong("jitney.seed");
        return one != null ? LongStream.of(one) : LongStream.range(0, Integer.getInteger("jitney.seeds", 10));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void behavesAsTheReference(long seed) {
        Run run = new Run(seed);
        for (int step = 0; step < STEPS; step++) {
            try {
                run.step();
                run.compare();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("Seed " + seed + ", step " + step + ", " + run.last, e);
            }
        }
        run.q.replayEqualsLive();
    }

    private static final class Run {
        private final Random random;
        private final ReferenceQueue reference;
        private final QueueFixture q;
        private final List<UUID> tokens = new ArrayList<>();
        private final List<Open> open = new ArrayList<>();
        private final int sendsOfTen;
        private String last = "";

        Run(long seed) {
            random = new Random(seed);
            int maxDeliveryCount = 1 + random.nextInt(5);
            boolean keepsExpired = random.nextBoolean();
            sendsOfTen = 2 + random.nextInt(5);
            reference = new ReferenceQueue(maxDeliveryCount, 5_000, keepsExpired);
            int window = random.nextBoolean() ? 1 + random.nextInt(20) : 4_096;
            q = given(
                    queue().maxDeliveryCount(maxDeliveryCount)
                            .lockDurationMs(5_000)
                            .deadLetteringOnMessageExpiration(keepsExpired),
                    Limits.of(TierProfile.STANDARD),
                    ExpiryEnforcement.ON_RECEIVER,
                    new MemoryBudget(random.nextInt(2_000), window * 2, window));
        }

        void step() {
            if (random.nextInt(8) == 0) {
                transaction();
                return;
            }
            if (random.nextInt(10) < sendsOfTen) {
                send();
                return;
            }
            switch (random.nextInt(18)) {
                case 0, 1, 2, 3 -> receive(SubQueue.MAIN);
                case 4 -> receive(SubQueue.DEAD_LETTER);
                case 5, 6, 7, 8, 9 -> settle();
                case 10 -> receiveDeferred();
                case 11 -> cancel();
                case 12 -> batchDelete();
                case 13 -> trim();
                case 14 -> passTime();
                case 15 -> change();
                case 16 -> replace();
                default -> {
                    if (random.nextInt(8) == 0) {
                        restart();
                    } else {
                        peek();
                    }
                }
            }
        }

        private void send() {
            int count = random.nextInt(40) == 0 ? 300 : 1 + random.nextInt(3);
            last = "send " + count;
            for (int i = 0; i < count; i++) {
                long ttl = random.nextInt(3) > 0 ? MessageView.NEVER : 1 + random.nextInt(10_000);
                long due = random.nextInt(6) > 0 ? 0 : 1 + random.nextInt(20_000);
                long at = due == 0 ? 0 : q.nowMs - QueueFixture.START_MS + due;
                var message = message("m").timeToLiveMs(ttl);
                q.send(due == 0 ? message.build() : message.scheduledAt(at).build());
                reference.send(ttl, due == 0 ? 0 : q.nowMs + due, q.nowMs);
            }
        }

        private void receive(SubQueue subQueue) {
            ReceiveMode mode = random.nextInt(4) == 0 ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;
            int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 8);
            last = "receive " + count + " " + subQueue + " " + mode;
            List<Item> expected = reference.receive(lane(subQueue), mode, count, q.nowMs);
            List<MessageView> messages = q.receive(subQueue, mode, count);
            assertThat(QueueFixture.numbers(messages))
                    .isEqualTo(expected.stream().map(i -> i.number).toList());
            for (int i = 0; i < messages.size(); i++) {
                check(messages.get(i), expected.get(i), subQueue);
            }
        }

        private void receiveDeferred() {
            SubQueue subQueue = random.nextInt(4) == 0 ? SubQueue.DEAD_LETTER : SubQueue.MAIN;
            List<Item> deferred =
                    lane(subQueue).values().stream().filter(i -> i.deferred).toList();
            if (deferred.isEmpty()) {
                return;
            }
            Item item = deferred.get(random.nextInt(deferred.size()));
            ReceiveMode mode = random.nextBoolean() ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;
            last = "receive deferred " + item.number + " " + subQueue;
            Decision decision = q.when(new Command.ReceiveDeferredMessages(subQueue, List.of(item.number), mode));
            boolean expired = subQueue == SubQueue.MAIN && item.expiresAtMs <= q.nowMs;
            if (item.isLocked() || expired) {
                assertThat(Objects.requireNonNull(decision.rejection()).code()).isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
                if (!item.isLocked()) {
                    reference.expire(item);
                }
                return;
            }
            check(
                    QueueFixture.messages(Objects.requireNonNull(decision.reply()))
                            .get(0),
                    item,
                    subQueue);
            if (mode == ReceiveMode.RECEIVE_AND_DELETE) {
                reference.complete(item);
            }
        }

        private void check(MessageView message, Item item, SubQueue subQueue) {
            assertThat(item.isLocked()).as("locked already").isFalse();
            if (subQueue == SubQueue.MAIN) {
                assertThat(message.expiresAtMs()).as("expiry").isGreaterThan(q.nowMs);
            }
            assertThat(message.deliveryCount()).isEqualTo(item.deliveryCount);
            assertThat(message.enqueuedSequenceNumber()).isEqualTo(item.firstNumber);
            if (message.lockToken() != null) {
                assertThat(tokens).doesNotContain(message.lockToken());
                tokens.add(message.lockToken());
                reference.lock(item, message.lockToken(), q.nowMs);
                assertThat(message.lockedUntilMs()).isEqualTo(item.lockedUntilMs);
            }
        }

        private void settle() {
            if (tokens.isEmpty()) {
                return;
            }
            UUID token = tokens.remove(random.nextInt(tokens.size()));
            Item item = reference.locked(token);
            List<UUID> list = List.of(token);
            int kind = random.nextInt(6);
            last = "settle " + kind + " " + (item == null ? "lost" : item.number);
            Command command = settlement(kind, list);
            Decision decision = q.when(command);
            boolean heldByTransaction = item != null && item.held && (kind != 5 || item.lockedUntilMs <= q.nowMs);
            if (item == null || heldByTransaction) {
                assertThat(Objects.requireNonNull(decision.rejection()).code()).isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
                if (item != null) {
                    tokens.add(token);
                }
                return;
            }
            if (kind == 4 && reference.main.get(item.number) != item) {
                assertThat(Objects.requireNonNull(decision.rejection()).code()).isEqualTo(ErrorCode.INVALID_OPERATION);
                tokens.add(token);
                return;
            }
            assertThat(decision.rejection()).isNull();
            if (kind == 5) {
                reference.lock(item, token, q.nowMs);
                tokens.add(token);
            } else {
                settle(kind, item);
            }
        }

        private static Command settlement(int kind, List<UUID> list) {
            return switch (kind) {
                case 0 -> new Command.CompleteMessages(list);
                case 1 -> new Command.AbandonMessages(list, Map.of());
                case 2 -> new Command.ReleaseMessages(list);
                case 3 -> new Command.DeferMessages(list, Map.of());
                case 4 -> new Command.DeadLetterMessages(list, "r", null, Map.of());
                default -> new Command.RenewLocks(list);
            };
        }

        private void settle(int kind, Item item) {
            switch (kind) {
                case 0 -> reference.complete(item);
                case 1 -> reference.fail(item, q.nowMs);
                case 2 -> reference.release(item, q.nowMs);
                case 3 -> reference.defer(item);
                default -> reference.deadLetter(item, "r");
            }
        }

        // --- transactions ---

        /** An open transaction with the effects of its commit on the reference. */
        private static final class Open {
            final OpenTransaction transaction;
            final List<Runnable> settlements = new ArrayList<>();
            final List<Item> held = new ArrayList<>();
            final List<Long> cancelled = new ArrayList<>();
            final List<Runnable> sends = new ArrayList<>();
            boolean spoiled;

            Open(OpenTransaction transaction) {
                this.transaction = transaction;
            }
        }

        private void transaction() {
            if (open.size() < 3 && random.nextInt(4) == 0) {
                open.add(new Open(q.begin()));
            }
            if (open.isEmpty()) {
                return;
            }
            Open in = open.get(random.nextInt(open.size()));
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> settleIn(in);
                case 3, 4 -> sendIn(in);
                case 5 -> scheduleIn(in);
                case 6 -> cancelIn(in);
                default -> end(in);
            }
        }

        private void settleIn(Open in) {
            if (tokens.isEmpty()) {
                return;
            }
            UUID token = tokens.get(random.nextInt(tokens.size()));
            int kind = random.nextInt(5);
            Item item = reference.locked(token);
            last = "settle " + kind + " in " + in.transaction.id() + " " + (item == null ? "lost" : item.number);
            Decision decision = q.in(in.transaction, settlement(kind, List.of(token)), false);
            if (item == null || item.held || (kind == 4 && reference.main.get(item.number) != item)) {
                assertThat(decision.rejection()).isNotNull();
                in.spoiled = true;
                return;
            }
            assertThat(decision.rejection()).isNull();
            item.held = true;
            in.held.add(item);
            in.settlements.add(() -> settle(kind, item));
        }

        private void sendIn(Open in) {
            long ttl = random.nextBoolean() ? MessageView.NEVER : 1 + random.nextInt(10_000);
            long due = random.nextInt(3) > 0 ? 0 : q.nowMs + 1 + random.nextInt(20_000);
            last = "send in " + in.transaction.id();
            var message = message("t").timeToLiveMs(ttl);
            if (due != 0) {
                message.scheduledAt(due - QueueFixture.START_MS);
            }
            q.acceptedIn(in.transaction, new Command.SendMessages(List.of(message.build())));
            in.sends.add(() -> reference.send(ttl, due, q.nowMs));
        }

        private void scheduleIn(Open in) {
            long due = q.nowMs + random.nextInt(20_000);
            last = "schedule in " + in.transaction.id();
            long number = q.scheduleIn(
                            in.transaction,
                            message("s")
                                    .scheduledAt(due - QueueFixture.START_MS)
                                    .build())[0];
            assertThat(number).isEqualTo(++reference.lastNumber);
            in.sends.add(() -> reference.scheduled(number, MessageView.NEVER, due));
        }

        private void cancelIn(Open in) {
            if (reference.scheduled.isEmpty()) {
                return;
            }
            List<Long> numbers = List.copyOf(reference.scheduled.keySet());
            long number = numbers.get(random.nextInt(numbers.size()));
            last = "cancel " + number + " in " + in.transaction.id();
            Decision decision = q.in(in.transaction, new Command.CancelScheduledMessages(List.of(number)), false);
            if (in.cancelled.contains(number)) { // the commit checks again whether all of them are still scheduled
                assertThat(decision.rejection()).isNotNull();
                in.spoiled = true;
            } else {
                assertThat(decision.rejection()).isNull();
                in.cancelled.add(number);
            }
        }

        private void end(Open in) {
            open.remove(in);
            boolean commit = random.nextInt(3) > 0;
            last = (commit ? "commit " : "roll back ") + in.transaction.id();
            boolean possible = !in.spoiled && reference.scheduled.keySet().containsAll(in.cancelled);
            if (commit) {
                assertThat(q.commit(in.transaction) == null).isEqualTo(possible);
            } else {
                q.rollback(in.transaction);
            }
            in.held.forEach(item -> item.held = false);
            if (commit && possible) {
                in.settlements.forEach(Runnable::run);
                in.cancelled.forEach(reference.scheduled::remove);
                in.sends.forEach(Runnable::run);
            }
            reference.passTime(q.nowMs);
        }

        private void cancel() {
            if (reference.scheduled.isEmpty()) {
                return;
            }
            List<Long> numbers = List.copyOf(reference.scheduled.keySet());
            long number = numbers.get(random.nextInt(numbers.size()));
            last = "cancel " + number;
            q.accepted(new Command.CancelScheduledMessages(List.of(number)));
            reference.scheduled.remove(number);
        }

        private void batchDelete() {
            SubQueue subQueue = random.nextInt(3) == 0 ? SubQueue.DEAD_LETTER : SubQueue.MAIN;
            int count = 1 + random.nextInt(5);
            last = "batch delete " + count + " " + subQueue;
            q.accepted(new Command.BatchDeleteMessages(subQueue, count, Long.MAX_VALUE));
            TreeMap<Long, Item> lane = lane(subQueue);
            lane.values().stream()
                    .filter(i -> !i.isLocked() && !i.deferred)
                    .limit(count)
                    .toList()
                    .forEach(i -> lane.remove(i.number));
        }

        /** Returns a message in any state, or null if there is none. */
        private @Nullable Item any(TreeMap<Long, Item> lane) {
            return lane.isEmpty() ? null : List.copyOf(lane.values()).get(random.nextInt(lane.size()));
        }

        private void change() {
            MessageAct act = MessageAct.values()[random.nextInt(MessageAct.values().length)];
            SubQueue subQueue = random.nextInt(3) == 0 ? SubQueue.DEAD_LETTER : SubQueue.MAIN;
            TreeMap<Long, Item> lane =
                    subQueue == SubQueue.MAIN && random.nextInt(3) == 0 ? reference.scheduled : lane(subQueue);
            Item item = any(lane);
            if (item == null) {
                return;
            }
            last = act + " " + item.number + " " + subQueue;
            Decision decision = q.when(new Command.ChangeMessage(subQueue, item.number, act, "r", null));
            boolean possible = switch (act) {
                case DELETE -> !item.isLocked();
                case DEAD_LETTER -> !item.isLocked() && lane == reference.main;
                case UNLOCK -> item.isLocked() && !item.held;
            };
            assertThat(decision.rejection() == null).isEqualTo(possible);
            if (possible) {
                switch (act) {
                    case DELETE -> lane.remove(item.number);
                    case DEAD_LETTER -> reference.deadLetter(item, "r");
                    case UNLOCK -> {
                        tokens.remove(item.token);
                        reference.release(item, q.nowMs);
                    }
                }
            }
        }

        private void replace() {
            SubQueue subQueue = random.nextBoolean() ? SubQueue.DEAD_LETTER : SubQueue.MAIN;
            TreeMap<Long, Item> lane =
                    subQueue == SubQueue.MAIN && random.nextInt(3) == 0 ? reference.scheduled : lane(subQueue);
            Item item = any(lane);
            if (item == null) {
                return;
            }
            last = "replace " + item.number + " " + subQueue;
            boolean possible = !item.isLocked();
            assertThat(q.replacement(subQueue, item.number, message("n").build())
                                    .rejection()
                            == null)
                    .isEqualTo(possible);
            if (possible) {
                lane.remove(item.number);
                reference.send(MessageView.NEVER, 0, q.nowMs);
            }
        }

        private void trim() {
            int keep = random.nextInt(4);
            if (random.nextInt(3) == 0) {
                last = "halve";
                q.state.halve();
                return;
            }
            last = "trim " + keep;
            q.state.trim(keep);
        }

        private void passTime() {
            int ms = random.nextInt(random.nextInt(5) == 0 ? 20_000 : 1_000);
            last = "pass " + ms;
            q.after(ms);
            reference.passTime(q.nowMs);
        }

        private void restart() {
            last = "restart";
            q.restart();
            open.clear();
            reference.restart();
        }

        private void peek() {
            long from = 1 + random.nextInt((int) reference.lastNumber + 2);
            last = "peek " + from;
            TreeMap<Long, Item> all = new TreeMap<>(reference.main);
            all.putAll(reference.scheduled);
            List<MessageView> messages = q.peek(SubQueue.MAIN, from, 20);
            assertThat(QueueFixture.numbers(messages))
                    .isEqualTo(all.tailMap(from).keySet().stream().limit(20).toList());
            for (MessageView message : messages) {
                Item item = Objects.requireNonNull(all.get(message.sequenceNumber()));
                MessageState state = item.deferred ? MessageState.DEFERRED : MessageState.ACTIVE;
                assertThat(message.state())
                        .isEqualTo(reference.scheduled.containsValue(item) ? MessageState.SCHEDULED : state);
                assertThat(message.deliveryCount()).isEqualTo(item.deliveryCount);
                assertThat(message.lockToken()).isNull();
            }
        }

        private TreeMap<Long, Item> lane(SubQueue subQueue) {
            return subQueue == SubQueue.MAIN ? reference.main : reference.deadLetter;
        }

        void compare() {
            compareLane(Lane.MAIN, reference.main);
            compareLane(Lane.DEAD_LETTER, reference.deadLetter);
            assertThat(q.rows.messages(Lane.SCHEDULED).keySet()).isEqualTo(reference.scheduled.keySet());
            assertThat(q.rows.timers).hasSize(reference.scheduled.size());
            MessageCounts counts = q.counts();
            assertThat(counts.active()).isEqualTo(reference.main.size());
            assertThat(counts.deadLetter()).isEqualTo(reference.deadLetter.size());
            assertThat(counts.scheduled()).isEqualTo(reference.scheduled.size());
            assertThat(counts.deferred())
                    .isEqualTo(reference.main.values().stream()
                            .filter(i -> i.deferred)
                            .count());
            assertThat(q.state.lastSequenceNumber()).isEqualTo(reference.lastNumber);
            assertThat(counts.sizeBytes()).isEqualTo(storedBytes());
        }

        private long storedBytes() {
            long bytes = 0;
            for (Lane lane : Lane.values()) {
                for (StoredMessage message : q.rows.messages(lane).values()) {
                    bytes += message.sizeBytes();
                }
            }
            return bytes;
        }

        private void compareLane(Lane lane, TreeMap<Long, Item> items) {
            assertThat(q.rows.messages(lane).keySet())
                    .as("messages of %s", lane)
                    .isEqualTo(items.keySet());
            long locks = 0;
            for (Item item : items.values()) {
                var row = Objects.requireNonNull(q.rows.message(QueueFixture.ID, lane, item.number));
                MessageLock lock = q.state.lock(lane, item.number);
                if (row.deferred() != item.deferred
                        || row.deliveryCount() != item.deliveryCount
                        || !Objects.equals(lock == null ? null : lock.token, item.token)
                        || row.message().expiresAtMs() != item.expiresAtMs) {
                    throw new AssertionError("Message " + item.number + " differs: " + row + ", lock " + lock);
                }
                if (lock != null) {
                    locks++;
                    assertThat(lock.lockedUntilMs()).isEqualTo(item.lockedUntilMs);
                }
                if (lane == Lane.DEAD_LETTER) {
                    assertThat(row.message().propertyOverrides().get("DeadLetterReason"))
                            .isNotNull();
                    assertThat(QueueFixture.text(
                                    row.message().propertyOverrides().get("DeadLetterReason")))
                            .isEqualTo(item.reason);
                }
            }
            assertThat(q.state.locks.size(lane)).isEqualTo((int) locks);
        }
    }
}
