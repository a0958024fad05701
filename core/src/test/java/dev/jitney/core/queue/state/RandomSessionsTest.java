package dev.jitney.core.queue.state;

import static dev.jitney.core.queue.state.QueueFixture.given;
import static dev.jitney.core.queue.state.QueueFixture.message;
import static dev.jitney.core.queue.state.QueueFixture.messages;
import static dev.jitney.core.queue.state.QueueFixture.numbers;
import static dev.jitney.core.queue.state.QueueFixture.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Output;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.SessionRow;
import dev.jitney.core.SessionHold;
import dev.jitney.core.SessionPlace;
import dev.jitney.core.SessionSummary;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.state.ReferenceSessions.Hold;
import dev.jitney.core.queue.state.ReferenceSessions.Item;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random commands on a queue with sessions, clock moves, restarts and losses of memory, compared with
 * {@link ReferenceSessions}. After every step both have the same messages in the same states and the same holds. A
 * session is granted if the reference has one, and the messages of a session arrive in order.
 *
 * <p>{@code -Djitney.seeds=N} runs more seeds, {@code -Djitney.seed=S} one of them again.
 */
@DisplayName("SESS-4 to SESS-18, TTL-29 to TTL-31: random commands on sessions against a reference")
class RandomSessionsTest {
    private static final int STEPS = 1_000;

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
        private final ReferenceSessions reference;
        private final QueueFixture q;
        private final List<UUID> tokens = new ArrayList<>();
        private final List<UUID> tokensBeforeRestart = new ArrayList<>();
        private final List<Hold> lost = new ArrayList<>();
        private final int sessionCount;
        private final int sendsOfTen;
        private final QueueDescription.Builder description;
        private long receiverIds = 1_000;
        private String last = "";

        Run(long seed) {
            random = new Random(seed);
            int maxDeliveryCount = 1 + random.nextInt(5);
            boolean keepsExpired = random.nextBoolean();
            sendsOfTen = 1 + random.nextInt(4);
            sessionCount = 1 + random.nextInt(random.nextBoolean() ? 8 : 60);
            reference = new ReferenceSessions(maxDeliveryCount, 5_000, keepsExpired);
            int window = random.nextBoolean() ? 1 + random.nextInt(20) : 4_096;
            description = queue().requiresSession(true)
                    .maxDeliveryCount(maxDeliveryCount)
                    .lockDurationMs(5_000)
                    .deadLetteringOnMessageExpiration(keepsExpired);
            q = given(
                    description,
                    Limits.of(TierProfile.STANDARD),
                    ExpiryEnforcement.ON_RECEIVER,
                    new MemoryBudget(random.nextInt(2_000), window * 2, window));
        }

        void step() {
            reference.tidyPlaces();
            if (random.nextInt(10) < sendsOfTen) {
                send();
                return;
            }
            switch (random.nextInt(24)) {
                case 0, 1, 2 -> accept(null);
                case 3 -> accept(session());
                case 4, 5, 6, 7 -> receive();
                case 8, 9, 10, 11, 12 -> settle();
                case 13 -> receiveDeferred();
                case 14 -> batchDelete();
                case 15 -> trim();
                case 16 -> passTime();
                case 17 -> close();
                case 18 -> setState();
                case 19 -> renew();
                case 20 -> list();
                case 21 -> change();
                case 22 -> browse();
                default -> {
                    int dice = random.nextInt(10);
                    if (dice == 0) {
                        restart();
                    } else if (dice < 3) {
                        update();
                    } else {
                        peek();
                    }
                }
            }
        }

        private String session() {
            return "s" + random.nextInt(sessionCount);
        }

        private void send() {
            int count = random.nextInt(40) == 0 ? 600 : 1 + random.nextInt(3);
            String same = random.nextInt(20) == 0 ? session() : null;
            last = "send " + count;
            for (int i = 0; i < count; i++) {
                String session = same == null ? session() : same;
                long ttl = random.nextInt(3) > 0 ? MessageView.NEVER : 1 + random.nextInt(20_000);
                long due = random.nextInt(6) > 0 ? 0 : 1 + random.nextInt(20_000);
                long at = due == 0 ? 0 : q.nowMs - QueueFixture.START_MS + due;
                var message = message("m").sessionId(session).timeToLiveMs(ttl);
                q.send(due == 0 ? message.build() : message.scheduledAt(at).build());
                reference.send(session, ttl, due == 0 ? 0 : q.nowMs + due, q.nowMs);
                follow(Set.of());
            }
        }

        private void accept(@Nullable String session) {
            long id = ++receiverIds;
            ReceiveMode mode = random.nextInt(5) == 0 ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;
            long waitMs = random.nextBoolean() ? 0 : 1 + random.nextInt(3_000);
            last = "accept " + session + " by " + id + ", waits " + waitMs;
            Decision decision = q.when(new Command.AcceptSession(id, session, mode, waitMs));
            if (decision.rejection() != null) {
                ErrorCode code = decision.rejection().code();
                if (session != null) {
                    assertThat(code).isEqualTo(ErrorCode.SESSION_CANNOT_BE_LOCKED);
                    assertThat(reference.holds).containsKey(session);
                } else {
                    assertThat(code).isEqualTo(ErrorCode.TIMEOUT);
                    assertThat(waitMs).isZero();
                    assertThat(reference.next()).isNull();
                }
                return;
            }
            if (decision.reply() instanceof Reply.SessionAccepted accepted) {
                if (session == null) {
                    grant(id, mode, accepted.sessionId(), accepted.lockedUntilMs());
                } else {
                    assertThat(accepted.sessionId()).isEqualTo(session);
                    assertThat(reference.holds).doesNotContainKey(session);
                    reference.hold(id, session, mode, q.nowMs);
                }
                reference.sweep(q.nowMs);
            } else {
                reference.waiting.add(new ReferenceSessions.Waiting(id, mode, q.nowMs + waitMs));
                reference.sweep(q.nowMs);
            }
            follow(Set.of());
        }

        private void grant(long receiverId, ReceiveMode mode, String session, long lockedUntilMs) {
            assertThat(reference.isAvailable(session))
                    .as("%s available", session)
                    .isTrue();
            if (!reference.inexact.contains(session)) {
                assertThat(session).isEqualTo(reference.next());
            }
            Hold hold = reference.hold(receiverId, session, mode, q.nowMs);
            assertThat(lockedUntilMs).isEqualTo(hold.lockedUntilMs);
        }

        /** Checks the outputs to receivers other than deliveries. */
        private void follow(Set<Long> expectedLost) {
            Set<Long> told = new TreeSet<>();
            for (Output output : q.outputs()) {
                if (output instanceof Output.SessionLost gone) {
                    told.add(gone.receiverId());
                } else if (output instanceof Output.SessionGranted granted) {
                    var one = Objects.requireNonNull(reference.stopWaiting(granted.receiverId()));
                    grant(one.receiverId(), one.mode(), granted.sessionId(), granted.lockedUntilMs());
                } else if (output instanceof Output.AcceptTimedOut late) {
                    var one = Objects.requireNonNull(reference.stopWaiting(late.receiverId()));
                    assertThat(one.deadlineMs()).isLessThanOrEqualTo(q.nowMs);
                }
            }
            assertThat(told).as("receivers that lost their sessions").isEqualTo(expectedLost);
            if (!reference.waiting.isEmpty()) {
                assertThat(reference.next())
                        .as("a session that was not granted")
                        .isNull();
                assertThat(reference.waiting).allMatch(one -> one.deadlineMs() > q.nowMs);
            }
        }

        private @Nullable Hold anyHold() {
            List<Hold> holds = List.copyOf(reference.holds.values());
            return holds.isEmpty() ? null : holds.get(random.nextInt(holds.size()));
        }

        private void receive() {
            Hold hold = anyHold();
            if (hold == null) {
                return;
            }
            int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 700 : 5);
            last = "receive " + count + " of " + hold.session;
            hold.deliveryLimit += count;
            q.accepted(new Command.SetCredit(hold.receiverId, hold.deliveryLimit, true));
            List<Item> expected = reference.receive(hold, count);
            List<MessageView> got = q.delivered(hold.receiverId);
            assertThat(numbers(got))
                    .isEqualTo(expected.stream().map(i -> i.number).toList());
            assertThat(q.outputs()).contains(new Output.Drained(hold.receiverId, hold.deliveryLimit));
            for (int i = 0; i < got.size(); i++) {
                check(got.get(i), expected.get(i), hold);
            }
            follow(Set.of());
        }

        private void check(MessageView message, Item item, Hold hold) {
            assertThat(item.isLocked()).as("locked already").isFalse();
            assertThat(message.expiresAtMs()).as("expiry").isGreaterThan(q.nowMs);
            assertThat(message.deliveryCount()).isEqualTo(item.deliveryCount);
            if (message.lockToken() != null) {
                assertThat(tokens).doesNotContain(message.lockToken());
                tokens.add(message.lockToken());
                item.token = message.lockToken();
                assertThat(message.lockedUntilMs()).isEqualTo(hold.lockedUntilMs);
            }
        }

        private void receiveDeferred() {
            List<Item> deferred =
                    reference.main.values().stream().filter(i -> i.deferred).toList();
            Hold hold = anyHold();
            if (deferred.isEmpty() || hold == null) {
                return;
            }
            Item item = deferred.get(random.nextInt(deferred.size()));
            Hold right = reference.holds.get(item.session);
            if (right != null && random.nextInt(4) > 0) {
                hold = right;
            }
            ReceiveMode mode = random.nextInt(3) == 0 ? ReceiveMode.RECEIVE_AND_DELETE : ReceiveMode.PEEK_LOCK;
            last = "receive deferred " + item.number + " of " + item.session + " in " + hold.session;
            Decision decision = q.when(new Command.ReceiveDeferredMessages(
                    SubQueue.MAIN, List.of(item.number), mode, new SessionHold(hold.receiverId, hold.session)));
            if (item.isLocked() || !item.session.equals(hold.session) || item.expiresAtMs <= q.nowMs) {
                assertThat(Objects.requireNonNull(decision.rejection()).code()).isEqualTo(ErrorCode.MESSAGE_NOT_FOUND);
                if (!item.isLocked() && item.session.equals(hold.session)) {
                    reference.expire(item);
                }
                return;
            }
            check(messages(Objects.requireNonNull(decision.reply())).get(0), item, hold);
            if (mode == ReceiveMode.RECEIVE_AND_DELETE) {
                reference.main.remove(item.number);
            }
        }

        private void settle() {
            if (!tokensBeforeRestart.isEmpty() && random.nextInt(20) == 0) {
                assertThat(q.refusedAs(new Command.CompleteMessages(
                                List.of(tokensBeforeRestart.remove(tokensBeforeRestart.size() - 1)))))
                        .isEqualTo(ErrorCode.MESSAGE_LOCK_LOST);
            }
            if (tokens.isEmpty()) {
                return;
            }
            UUID token = tokens.remove(random.nextInt(tokens.size()));
            Item item = reference.locked(token);
            List<UUID> list = List.of(token);
            int kind = random.nextInt(7);
            last = "settle " + kind + " " + (item == null ? "lost" : item.number);
            Command command = switch (kind) {
                case 0, 1 -> new Command.CompleteMessages(list);
                case 2 -> new Command.AbandonMessages(list, Map.of());
                case 3 -> new Command.ReleaseMessages(list);
                case 4 -> new Command.DeferMessages(list, Map.of());
                case 5 -> new Command.DeadLetterMessages(list, "r", null, Map.of());
                default -> new Command.RenewLocks(list);
            };
            Decision decision = q.when(command);
            if (item == null) {
                assertThat(Objects.requireNonNull(decision.rejection()).code()).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
                return;
            }
            if (kind == 6) { // SESS-8
                assertThat(Objects.requireNonNull(decision.rejection()).code()).isEqualTo(ErrorCode.INVALID_OPERATION);
                tokens.add(token);
                return;
            }
            assertThat(decision.rejection()).isNull();
            switch (kind) {
                case 0, 1 -> reference.main.remove(item.number);
                case 2 -> reference.fail(item, q.nowMs);
                case 3 -> reference.release(item, q.nowMs);
                case 4 -> reference.defer(item);
                default -> reference.deadLetter(item);
            }
            reference.sweep(q.nowMs);
        }

        private void batchDelete() {
            SubQueue subQueue = random.nextInt(3) == 0 ? SubQueue.DEAD_LETTER : SubQueue.MAIN;
            int count = 1 + random.nextInt(5);
            last = "batch delete " + count + " " + subQueue;
            q.accepted(new Command.BatchDeleteMessages(subQueue, count, Long.MAX_VALUE));
            reference.batchDelete(subQueue == SubQueue.MAIN ? reference.main : reference.deadLetter, count);
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
            int ms = random.nextInt(random.nextInt(5) == 0 ? 20_000 : 1_500);
            last = "pass " + ms;
            q.after(ms);
            List<Hold> before = List.copyOf(reference.holds.values());
            Set<Long> gone = reference.passTime(q.nowMs);
            before.stream().filter(hold -> gone.contains(hold.receiverId)).forEach(lost::add);
            follow(gone);
        }

        private void close() {
            if (!reference.waiting.isEmpty() && random.nextInt(3) == 0) {
                long id = reference.waiting.get(0).receiverId();
                last = "stop waiting " + id;
                q.accepted(new Command.DetachReceiver(id));
                reference.stopWaiting(id);
                follow(Set.of());
                return;
            }
            Hold hold = anyHold();
            if (hold != null) {
                last = "close " + hold.session;
                q.accepted(new Command.DetachReceiver(hold.receiverId));
                reference.close(hold, q.nowMs);
                reference.sweep(q.nowMs);
                lost.add(hold);
                follow(Set.of());
            }
        }

        private void setState() {
            Hold hold = anyHold();
            if (hold == null) {
                return;
            }
            byte[] state = random.nextInt(3) == 0 ? null : new byte[random.nextInt(50)];
            last = "state of " + hold.session + (state == null ? " cleared" : " set");
            SessionHold claim = new SessionHold(hold.receiverId, hold.session);
            q.accepted(new Command.SetSessionState(claim, state));
            if (state == null) {
                reference.states.remove(hold.session);
            } else {
                reference.states.put(hold.session, state);
            }
            assertThat(((Reply.SessionState) q.accepted(new Command.GetSessionState(claim.sessionId()))).state())
                    .isEqualTo(state);
        }

        private void renew() {
            if (!lost.isEmpty() && random.nextInt(3) == 0) { // SESS-10
                Hold gone = lost.remove(lost.size() - 1);
                last = "renew lost " + gone.session;
                SessionHold claim = new SessionHold(gone.receiverId, gone.session);
                assertThat(q.refusedAs(new Command.RenewSessionLock(claim))).isEqualTo(ErrorCode.SESSION_LOCK_LOST);
                assertThat(q.refusedAs(new Command.SetSessionState(claim, null)))
                        .isEqualTo(ErrorCode.SESSION_LOCK_LOST);
                return;
            }
            Hold hold = anyHold();
            if (hold != null) {
                last = "renew " + hold.session;
                q.accepted(new Command.RenewSessionLock(new SessionHold(hold.receiverId, hold.session)));
                hold.lockedUntilMs = q.nowMs + reference.lockDurationMs;
            }
        }

        private void list() {
            String after = random.nextBoolean() ? null : session();
            last = "list after " + after;
            Reply.Sessions listed =
                    (Reply.Sessions) q.accepted(new Command.ListSessions(MessageView.NEVER, after, 0, 50));
            TreeSet<String> active = new TreeSet<>();
            reference.main.values().stream().filter(Item::isActive).forEach(i -> active.add(i.session));
            assertThat(listed.sessionIds())
                    .isEqualTo((after == null ? active : active.tailSet(after, false))
                            .stream().limit(50).toList());
        }

        /** Changes a session as an operator. */
        private void change() {
            Hold any = anyHold();
            String session = any == null || random.nextInt(3) == 0 ? session() : any.session;
            boolean clears = random.nextBoolean();
            boolean unlocks = !clears || random.nextBoolean();
            last = "operator changes " + session + ", unlocks " + unlocks + ", clears " + clears;
            Hold hold = reference.holds.get(session);
            Decision decision = q.when(new Command.ChangeSession(session, unlocks, clears));
            boolean exists = reference.sessions().contains(session);
            boolean possible = hold != null ? unlocks : clears && reference.states.containsKey(session);
            if (!possible) {
                assertThat(Objects.requireNonNull(decision.rejection()).code())
                        .isEqualTo(hold == null && !exists ? ErrorCode.MESSAGE_NOT_FOUND : ErrorCode.INVALID_OPERATION);
                return;
            }
            assertThat(decision.rejection()).isNull();
            if (clears) {
                reference.states.remove(session);
            }
            if (hold != null) {
                hold.lockedUntilMs = q.nowMs;
                Set<Long> gone = reference.passTime(q.nowMs);
                assertThat(gone).containsExactly(hold.receiverId);
                lost.add(hold);
                follow(gone);
            }
        }

        /** Reads all sessions as an operator, page by page. */
        private void browse() {
            last = "browse";
            List<String> seen = new ArrayList<>();
            SessionPlace place = SessionPlace.START;
            while (place != null) {
                Reply.SessionPage page =
                        (Reply.SessionPage) q.accepted(new Command.BrowseSessions(place, "", 1 + random.nextInt(50)));
                for (SessionSummary session : page.sessions()) {
                    seen.add(session.sessionId());
                    compare(session);
                }
                place = page.next();
            }
            assertThat(seen).isEqualTo(List.copyOf(reference.sessions()));
        }

        private void compare(SessionSummary session) {
            String id = session.sessionId();
            List<Item> own = reference.main.values().stream()
                    .filter(item -> item.session.equals(id))
                    .toList();
            List<Item> active = own.stream().filter(Item::isActive).toList();
            assertThat(session.active()).isEqualTo(active.size());
            assertThat(session.deferred()).isEqualTo(own.size() - active.size());
            assertThat(session.stateSizeBytes()).isEqualTo(reference.stateSizeBytes(id));
            if (active.isEmpty() || session.firstSequenceNumber() != 0) { // 0 behind many deferred ones
                assertThat(session.firstSequenceNumber()).isEqualTo(active.isEmpty() ? 0 : active.get(0).number);
            }
            Hold hold = reference.holds.get(id);
            assertThat(session.receiverId()).isEqualTo(hold == null ? 0 : hold.receiverId);
            assertThat(session.lockedUntilMs()).isEqualTo(hold == null ? 0 : hold.lockedUntilMs);
        }

        private void update() {
            reference.lockDurationMs = 1_000 + random.nextInt(8_000);
            last = "lock duration " + reference.lockDurationMs;
            q.update(description.lockDurationMs(reference.lockDurationMs));
        }

        private void restart() {
            last = "restart";
            q.restart();
            reference.restart();
            tokensBeforeRestart.addAll(tokens);
            tokens.clear();
            lost.clear();
        }

        private void peek() {
            String session = session();
            long from = 1 + random.nextInt((int) reference.lastNumber + 2);
            last = "peek " + session + " from " + from;
            TreeMap<Long, Item> all = new TreeMap<>(reference.main);
            all.putAll(reference.scheduled);
            List<MessageView> seen = messages(q.accepted(new Command.PeekMessages(SubQueue.MAIN, from, 20, session)));
            assertThat(numbers(seen))
                    .isEqualTo(all.tailMap(from).values().stream()
                            .filter(i -> i.session.equals(session))
                            .map(i -> i.number)
                            .limit(20)
                            .toList());
        }

        void compare() {
            assertThat(q.rows.messages(Lane.MAIN).keySet()).isEqualTo(reference.main.keySet());
            assertThat(q.rows.messages(Lane.DEAD_LETTER).keySet()).isEqualTo(reference.deadLetter.keySet());
            assertThat(q.rows.messages(Lane.SCHEDULED).keySet()).isEqualTo(reference.scheduled.keySet());
            long locks = 0;
            for (Item item : reference.main.values()) {
                var row = Objects.requireNonNull(q.rows.message(QueueFixture.ID, Lane.MAIN, item.number));
                MessageLock lock = q.state.lock(Lane.MAIN, item.number);
                if (row.deferred() != item.deferred
                        || row.deliveryCount() != item.deliveryCount
                        || !Objects.equals(lock == null ? null : lock.token, item.token)
                        || row.message().expiresAtMs() != item.expiresAtMs) {
                    throw new AssertionError("Message " + item.number + " differs: " + row + ", lock " + lock);
                }
                locks += lock == null ? 0 : 1;
            }
            assertThat(q.state.locks.size(Lane.MAIN)).isEqualTo((int) locks);
            compareSessions();
            MessageCounts counts = q.counts();
            assertThat(counts.active()).isEqualTo(reference.main.size());
            assertThat(counts.deferred())
                    .isEqualTo(reference.main.values().stream()
                            .filter(i -> i.deferred)
                            .count());
            assertThat(counts.sizeBytes()).isEqualTo(storedBytes());
        }

        private void compareSessions() {
            SessionTable table = Objects.requireNonNull(q.state.sessions);
            assertThat(table.held()).hasSameSizeAs(reference.holds.values());
            for (Hold hold : reference.holds.values()) {
                HeldSession held = Objects.requireNonNull(table.held(hold.session), hold.session);
                assertThat(held.receiverId).isEqualTo(hold.receiverId);
                assertThat(held.lockedUntilMs).isEqualTo(hold.lockedUntilMs);
            }
            assertThat(q.rows.sessions.keySet()).isEqualTo(reference.sessions());
            Map<String, List<Item>> items = new TreeMap<>();
            reference
                    .main
                    .values()
                    .forEach(i -> items.computeIfAbsent(i.session, none -> new ArrayList<>())
                            .add(i));
            int heads = 0;
            for (Map.Entry<String, SessionRow> entry : q.rows.sessions.entrySet()) {
                List<Item> own = items.getOrDefault(entry.getKey(), List.of());
                List<Item> active = own.stream().filter(Item::isActive).toList();
                SessionRow row = entry.getValue();
                assertThat(row.messages()).isEqualTo(own.size());
                assertThat(row.active()).isEqualTo(active.size());
                assertThat(row.stateSizeBytes()).isEqualTo(reference.stateSizeBytes(entry.getKey()));
                if (active.isEmpty()) {
                    assertThat(row.head()).isEqualTo(SessionEntry.NO_HEAD);
                } else {
                    heads++;
                    assertThat(row.head()).isLessThanOrEqualTo(active.get(0).number);
                }
                assertThat(q.rows.sessionMessages.getOrDefault(entry.getKey(), new TreeSet<>()))
                        .containsExactlyElementsOf(
                                own.stream().map(i -> i.number).toList());
            }
            assertThat(q.rows.sessionHeads).hasSize(heads);
        }

        private long storedBytes() {
            long bytes = reference.stateBytes();
            for (Lane lane : Lane.values()) {
                for (StoredMessage message : q.rows.messages(lane).values()) {
                    bytes += message.sizeBytes();
                }
            }
            return bytes;
        }
    }
}
