package dev.jitney.core.queue.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.LockTokenSequence;
import dev.jitney.core.Output;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.SessionRow;
import dev.jitney.core.Situation;
import dev.jitney.core.duplicate.Forgetting;
import dev.jitney.core.queue.decide.QueueDecider;
import dev.jitney.core.topic.FanOut;
import dev.jitney.core.transaction.Participant;
import dev.jitney.core.transaction.decide.Destination;
import dev.jitney.core.transaction.decide.ReplacementDecider;
import dev.jitney.core.transaction.decide.TransactionDecider;
import dev.jitney.core.transaction.state.OpenTransaction;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A queue that is driven like in a shard: commands are decided, their records are applied immediately, and then timers
 * and deliveries run until no work is left. Time stands still unless a test moves it.
 */
final class QueueFixture implements Participant {
    /** The time at which every test begins, milliseconds since the epoch. */
    static final long START_MS = 1_700_000_000_000L;

    static final FragmentId ID = new FragmentId(7, 0);
    private static final int STEP = 100;

    /** A step in the life of a queue, for replay. */
    private record Step(@Nullable Record record) {}

    private final ExpiryEnforcement enforcement;
    private final LockTokenSequence tokens = new LockTokenSequence(1, 2);
    private final List<Step> history = new ArrayList<>();
    private final List<Record> records = new ArrayList<>();
    private final List<Output> outputs = new ArrayList<>();
    private Limits limits;
    private MemoryBudget budget;
    private long receiverIds;

    InMemoryRows rows = new InMemoryRows();
    QueueState state;
    QueueApplier applier;
    long nowMs = START_MS;
    boolean storeAcceptsGrowth = true;
    private boolean unwritten;

    private QueueFixture(
            QueueDescription description, Limits limits, ExpiryEnforcement enforcement, MemoryBudget budget) {
        this.enforcement = enforcement;
        this.limits = limits;
        this.budget = budget;
        this.state = newState(description, budget, rows);
        this.rows.commit = this::commit;
        this.applier = new QueueApplier(state, rows);
    }

    // --- given ---

    static QueueDescription.Builder queue() {
        return QueueDescription.named("q");
    }

    static QueueFixture given(QueueDescription.Builder queue) {
        return given(queue, Limits.of(TierProfile.STANDARD), ExpiryEnforcement.ON_RECEIVER, largeMemory());
    }

    static QueueFixture given(QueueDescription.Builder queue, Limits limits) {
        return given(queue, limits, ExpiryEnforcement.ON_RECEIVER, largeMemory());
    }

    static QueueFixture given(
            QueueDescription.Builder queue, Limits limits, ExpiryEnforcement enforcement, MemoryBudget budget) {
        return new QueueFixture(queue.build(), limits, enforcement, budget);
    }

    static MemoryBudget largeMemory() {
        return new MemoryBudget(64L << 20, 1_000_000, 4_096);
    }

    /** Returns a budget for windows of that many entries and almost no content. */
    static MemoryBudget tinyMemory(int windowEntries) {
        return new MemoryBudget(100, windowEntries, windowEntries);
    }

    // --- when ---

    /** Decides a command, applies its records and all resulting work, and returns the decision. */
    Decision when(Command command) {
        records.clear();
        outputs.clear();
        state.fillReadySessions();
        Decision decision = QueueDecider.decide(state, command, situation());
        boolean waits = command instanceof Command.AcceptSession accept && accept.sessionId() == null;
        assertThat(waits || (decision.reply() == null) != (decision.rejection() == null))
                .isTrue();
        apply(decision.records());
        run();
        return decision;
    }

    Reply accepted(Command command) {
        Decision decision = when(command);
        assertThat(decision.rejection()).as("rejection of %s", command).isNull();
        Reply reply = Objects.requireNonNull(decision.reply());
        return reply instanceof Reply.Unfinished unfinished ? accepted(unfinished.rest()) : reply;
    }

    Rejection refused(Command command) {
        Decision decision = when(command);
        assertThat(decision.rejection()).as("rejection of %s", command).isNotNull();
        return Objects.requireNonNull(decision.rejection());
    }

    ErrorCode refusedAs(Command command) {
        return refused(command).code();
    }

    /** Removes everything in the queue, and returns the number of messages. */
    int reset() {
        Decision decision = QueueDecider.reset(state, situation());
        carryOut(decision.records());
        return ((Reply.Deleted) Objects.requireNonNull(decision.reply())).count();
    }

    /** Ends the locks of the queue. */
    void loseLocks() {
        carryOut(QueueDecider.loseLocks(state, situation()));
    }

    private void carryOut(Iterable<Record> decided) {
        records.clear();
        outputs.clear();
        decided.forEach(this::happened);
        run();
    }

    // --- transactions ---

    private long transactionIds;

    OpenTransaction begin() {
        return new OpenTransaction(++transactionIds, ID.entityId(), nowMs);
    }

    /** Executes an operation in a transaction, decided and kept like in the shard. */
    Decision in(OpenTransaction transaction, Command command, boolean schedule) {
        records.clear();
        outputs.clear();
        Decision decision = TransactionDecider.decide(transaction, this, command, schedule, situation());
        apply(decision.records());
        Reply reply = decision.reply();
        if (reply != null) {
            transaction.keep(entityId(), command, reply);
        } else if (decision.rejection() != null) {
            transaction.spoil(decision.rejection());
        }
        run();
        return decision;
    }

    Reply acceptedIn(OpenTransaction transaction, Command command) {
        Decision decision = in(transaction, command, false);
        assertThat(decision.rejection()).as("rejection of %s", command).isNull();
        return Objects.requireNonNull(decision.reply());
    }

    ErrorCode refusedIn(OpenTransaction transaction, Command command) {
        Decision decision = in(transaction, command, false);
        assertThat(decision.rejection()).as("rejection of %s", command).isNotNull();
        return Objects.requireNonNull(decision.rejection()).code();
    }

    long[] scheduleIn(OpenTransaction transaction, IncomingMessage... messages) {
        Decision decision = in(transaction, new Command.SendMessages(Arrays.asList(messages)), true);
        return ((Reply.Sent) Objects.requireNonNull(decision.reply())).sequenceNumbers();
    }

    /** Commits a transaction. Returns null, or the refusal after the rollback. */
    @Nullable
    Rejection commit(OpenTransaction transaction) {
        TransactionDecider.Commit commit = TransactionDecider.commit(transaction, id -> this, situation());
        if (commit.rejection() != null) {
            rollback(transaction);
        } else {
            carryOut(commit.steps());
        }
        return commit.rejection();
    }

    /** Replaces a message by one for the queue itself. Returns the new number. */
    long replace(SubQueue subQueue, long number, IncomingMessage message) {
        TransactionDecider.Commit commit = replacement(subQueue, number, message);
        assertThat(commit.rejection()).as("rejection of the replacement").isNull();
        Reply.Sent sent = Objects.requireNonNull(commit.steps().get(1).sent());
        return sent.sequenceNumbers()[0];
    }

    /** Decides a replacement by a message for the queue itself, and applies it unless it is refused. */
    TransactionDecider.Commit replacement(SubQueue subQueue, long number, IncomingMessage message) {
        TransactionDecider.Commit commit = ReplacementDecider.decide(
                new ReplacementDecider.Removed(this, subQueue, number), this, message, situation());
        carryOut(commit.steps());
        return commit;
    }

    /** Decides a replacement by a message for an entity of another shard, and applies it unless it is refused. */
    TransactionDecider.Commit replacementElsewhere(
            SubQueue subQueue, long number, Destination destination, IncomingMessage message) {
        TransactionDecider.Commit commit = ReplacementDecider.decide(
                new ReplacementDecider.Removed(this, subQueue, number), destination, message, situation());
        carryOut(commit.steps());
        return commit;
    }

    void rollback(OpenTransaction transaction) {
        carryOut(TransactionDecider.rollback(transaction, id -> this));
    }

    private void carryOut(List<TransactionDecider.Step> steps) {
        records.clear();
        outputs.clear();
        steps.forEach(step -> apply(step.records()));
        run();
    }

    @Override
    public long entityId() {
        return ID.entityId();
    }

    @Override
    public QueueState state() {
        return state;
    }

    @Override
    public FanOut send(Command.SendMessages send, Situation now) {
        Decision decision = QueueDecider.decide(state, send, now);
        return new FanOut(decision.records(), List.of(), decision.reply(), decision.rejection());
    }

    void at(long msAfterStart) {
        assertThat(START_MS + msAfterStart).isGreaterThanOrEqualTo(nowMs);
        nowMs = START_MS + msAfterStart;
        records.clear();
        outputs.clear();
        run();
    }

    void after(long ms) {
        at(nowMs - START_MS + ms);
    }

    void update(QueueDescription.Builder changed) {
        records.clear();
        apply(List.of(new Record.QueueUpdated(changed.build(), nowMs)));
        run();
    }

    /** Ends the process and starts it again on the same rows. */
    void restart() {
        commit();
        state.discard();
        QueueState loaded = newState(state.description(), budget, rows);
        loaded.load(rows.fragment, rows);
        loaded.loadDuplicates(rows, nowMs);
        state = loaded;
        applier = new QueueApplier(state, rows);
        history.add(new Step(null));
        run();
    }

    /** Ends the process and starts it again with a clock that may have been set back. */
    void restartAt(long msAfterStart) {
        nowMs = START_MS + msAfterStart;
        restart();
    }

    void limits(Limits changed) {
        limits = changed;
        restart();
    }

    // --- short forms of commands ---

    long send(IncomingMessage message) {
        return sendAll(message)[0];
    }

    long send(String body) {
        return send(message(body).build());
    }

    long[] sendAll(IncomingMessage... messages) {
        return ((Reply.Sent) accepted(new Command.SendMessages(Arrays.asList(messages)))).sequenceNumbers();
    }

    /** Receives one message without waiting in peek-lock mode, like a client library: credit 1 and drain. */
    @Nullable
    MessageView receive() {
        List<MessageView> messages = receive(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, 1);
        return messages.isEmpty() ? null : messages.get(0);
    }

    MessageView receiveOne() {
        return Objects.requireNonNull(receive(), "Expected a message, but there is none.");
    }

    MessageView receiveDeadLetter() {
        List<MessageView> messages = receive(SubQueue.DEAD_LETTER, ReceiveMode.PEEK_LOCK, 1);
        assertThat(messages).hasSize(1);
        return messages.get(0);
    }

    List<MessageView> receive(SubQueue subQueue, ReceiveMode mode, int countMax) {
        long id = attach(subQueue, mode);
        accepted(new Command.SetCredit(id, countMax, true));
        List<MessageView> messages = delivered(id);
        assertThat(outputs()).contains(new Output.Drained(id, countMax));
        List<Record> seen = records();
        accepted(new Command.DetachReceiver(id));
        records.addAll(0, seen);
        return messages;
    }

    long attach(SubQueue subQueue, ReceiveMode mode) {
        long id = ++receiverIds;
        accepted(new Command.AttachReceiver(id, subQueue, mode));
        return id;
    }

    /** Attaches a permanent receiver with credit. */
    long receiver(int credit) {
        long id = attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK);
        accepted(new Command.SetCredit(id, credit, false));
        return id;
    }

    void complete(MessageView message) {
        accepted(new Command.CompleteMessages(token(message)));
    }

    void abandon(MessageView message) {
        accepted(new Command.AbandonMessages(token(message), Map.of()));
    }

    void release(MessageView message) {
        accepted(new Command.ReleaseMessages(token(message)));
    }

    void defer(MessageView message) {
        accepted(new Command.DeferMessages(token(message), Map.of()));
    }

    void deadLetter(MessageView message) {
        accepted(new Command.DeadLetterMessages(token(message), "because", "it had to", Map.of()));
    }

    List<MessageView> receiveDeferred(Long... numbers) {
        return messages(accepted(
                new Command.ReceiveDeferredMessages(SubQueue.MAIN, Arrays.asList(numbers), ReceiveMode.PEEK_LOCK)));
    }

    List<MessageView> peek(SubQueue subQueue) {
        return peek(subQueue, 0, 250);
    }

    List<MessageView> peek(SubQueue subQueue, long from, int countMax) {
        return messages(accepted(new Command.PeekMessages(subQueue, from, countMax, null)));
    }

    MessageCounts counts() {
        Decision decision = QueueDecider.decide(state, new Command.GetCounts(), situation());
        return ((Reply.Counts) Objects.requireNonNull(decision.reply())).counts();
    }

    static List<MessageView> messages(Reply reply) {
        return ((Reply.Messages) reply).messages();
    }

    static List<UUID> token(MessageView message) {
        return List.of(Objects.requireNonNull(message.lockToken()));
    }

    static List<Long> numbers(List<MessageView> messages) {
        return messages.stream().map(MessageView::sequenceNumber).toList();
    }

    static List<String> bodies(List<MessageView> messages) {
        return messages.stream().map(QueueFixture::body).toList();
    }

    static String body(MessageView message) {
        return StandardCharsets.UTF_8.decode(message.content().body()).toString();
    }

    static @Nullable String reason(MessageView message) {
        return text(message.propertyOverrides().get("DeadLetterReason"));
    }

    static @Nullable String description(MessageView message) {
        return text(message.propertyOverrides().get("DeadLetterErrorDescription"));
    }

    static @Nullable String text(@Nullable EncodedValue value) {
        if (value == null) {
            return null;
        }
        int skip = value.encoding()[0] == (byte) 0xa1 ? 2 : 5;
        return new String(value.encoding(), skip, value.encoding().length - skip, StandardCharsets.UTF_8);
    }

    // --- then ---

    /** Returns the records since the last command or move of the clock, in order. */
    List<Record> records() {
        return new ArrayList<>(records);
    }

    /** Returns the records that write rows. */
    List<Record> durableRecords() {
        return records.stream().filter(r -> !(r instanceof Record.Volatile)).toList();
    }

    List<Output> outputs() {
        return new ArrayList<>(outputs);
    }

    List<MessageView> delivered(long receiverId) {
        List<MessageView> out = new ArrayList<>();
        for (Output output : outputs) {
            if (output instanceof Output.Delivered delivered && delivered.receiverId() == receiverId) {
                out.add(delivered.message());
            }
        }
        return out;
    }

    /** Returns the bytes of all filters of message ids. */
    long filterBytes() {
        return budget.filterBytes();
    }

    /** Returns the number of entries that the memory budget counts. */
    int memoryEntries() {
        return budget.entries();
    }

    /** Asserts the counters: active, dead-lettered, scheduled. */
    void thenCounts(long active, long deadLetter, long scheduled) {
        MessageCounts counts = counts();
        assertThat(List.of(counts.active(), counts.deadLetter(), counts.scheduled()))
                .as("active, dead-lettered, scheduled")
                .containsExactly(active, deadLetter, scheduled);
    }

    /** Replays all records on an empty queue with unlimited memory and compares rows, counters and locks. */
    void replayEqualsLive() {
        InMemoryRows again = new InMemoryRows();
        QueueState replayed = newState(state.description(), new MemoryBudget(0, 1 << 30, 1 << 30), again);
        QueueApplier player = new QueueApplier(replayed, again);
        for (Step step : history) {
            if (step.record != null) {
                player.apply(step.record);
            } else {
                again.putFragment(ID, replayed.row(again));
                replayed = newState(replayed.description(), new MemoryBudget(0, 1 << 30, 1 << 30), again);
                replayed.load(again.fragment, again);
                player = new QueueApplier(replayed, again);
            }
            for (Lane lane : List.of(Lane.MAIN, Lane.DEAD_LETTER)) {
                while (replayed.hasMoreInStore(lane)) {
                    page(replayed, lane, again);
                }
            }
            if (replayed.sessions != null) {
                for (HeldSession held : replayed.sessions.held()) {
                    while (held.window.horizon() != MessageWindow.COMPLETE) {
                        replayed.sessions.page(held);
                    }
                }
            }
        }
        again.putFragment(ID, replayed.row(again));
        assertThat(withoutHeads(again)).isEqualTo(withoutHeads(rows));
        assertThat(again.sessionMessages).isEqualTo(rows.sessionMessages);
        assertThat(again.sessionStates).isEqualTo(rows.sessionStates);
        assertThat(again.messages).isEqualTo(rows.messages);
        assertThat(again.changes).isEqualTo(rows.changes);
        assertThat(again.timers).isEqualTo(rows.timers);
        assertThat(again.acceptedIds).isEqualTo(rows.acceptedIds);
        assertThat(replayed.counts()).isEqualTo(state.counts());
        assertThat(replayed.lastSequenceNumber()).isEqualTo(state.lastSequenceNumber());
        for (Lane lane : List.of(Lane.MAIN, Lane.DEAD_LETTER)) {
            QueueState other = replayed;
            state.locks.forEach(lane, lock -> {
                MessageLock same = Objects.requireNonNull(other.lock(lock.token));
                assertThat(same.message.sequenceNumber).isEqualTo(lock.message.sequenceNumber);
                assertThat(same.lockedUntilMs()).isEqualTo(lock.lockedUntilMs());
                assertThat(same.transactionId).isEqualTo(lock.transactionId);
            });
        }
    }

    /** Returns sessions without their heads, whose precision depends on the contents of memory. */
    private static Map<String, SessionRow> withoutHeads(InMemoryRows of) {
        Map<String, SessionRow> out = new TreeMap<>();
        of.sessions.forEach((id, row) -> out.put(
                id,
                new SessionRow(
                        row.head() == SessionEntry.NO_HEAD ? row.head() : 0,
                        row.place(),
                        row.active(),
                        row.messages(),
                        row.stateSizeBytes(),
                        row.stateChangedAtMs())));
        return out;
    }

    /** Reads all messages of the store into a window of any size. */
    private static void page(QueueState state, Lane lane, InMemoryRows rows) {
        MessageWindow window = state.window(lane);
        Pager pager = new Pager(window, state.locks, lane, Integer.MAX_VALUE);
        rows.scan(ID, lane, window.horizon(), MessageWindow.COMPLETE, pager);
        pager.close();
    }

    // --- internals ---

    private QueueState newState(QueueDescription description, MemoryBudget memory, InMemoryRows of) {
        return new QueueState(ID, description, limits, enforcement, memory, BodyOwner.NONE, of);
    }

    Situation situation() {
        return new Situation(nowMs, storeAcceptsGrowth, rows, tokens);
    }

    /** Applies a record that the runtime decides. */
    void happened(Record record) {
        apply(List.of(record));
    }

    private void apply(List<Record> decided) {
        for (Record record : decided) {
            applier.apply(record);
            records.add(record);
            history.add(new Step(record));
            unwritten |= !(record instanceof Record.Volatile);
        }
        unwritten |= state.hasUnwritten();
    }

    private void run() {
        boolean worked = true;
        while (worked) {
            worked = false;
            if (state.nextTimerMs() <= nowMs) {
                state.fillTimers(rows);
                Decision timers = QueueDecider.decideTimers(state, situation(), STEP);
                apply(timers.records());
                outputs.addAll(timers.outputs());
                worked = true;
            }
            List<Record> forgotten = Forgetting.decide(
                    state.duplicates(), state.description().duplicateDetectionHistoryTimeWindowMs(), nowMs, rows);
            apply(forgotten);
            worked |= !forgotten.isEmpty();
            for (Lane lane : List.of(Lane.MAIN, Lane.DEAD_LETTER, Lane.TRANSFER_DEAD_LETTER)) {
                if (state.isWaitedFor(lane)) {
                    worked |= state.fill(lane, rows);
                }
            }
            Decision deliveries = QueueDecider.decideDeliveries(state, situation(), STEP);
            apply(deliveries.records());
            outputs.addAll(deliveries.outputs());
            worked |= !deliveries.outputs().isEmpty();
        }
        commit();
    }

    /** Commits like a shard: only after records that write rows. */
    private void commit() {
        state.committed();
        if (unwritten) {
            unwritten = false;
            rows.putFragment(ID, state.row(rows));
        }
    }

    // --- messages ---

    static Message message(String body) {
        return new Message(body);
    }

    /** A message to send. */
    static final class Message {
        private final String body;
        private @Nullable String messageId;
        private @Nullable String sessionId;
        private @Nullable String partitionKey;
        private long timeToLiveMs = MessageView.NEVER;
        private long scheduledMs;
        private boolean ping;
        private int encodedSizeBytes = -1;
        private int headerSizeBytes;
        private int largestPropertySizeBytes;

        private Message(String body) {
            this.body = body;
        }

        Message id(String value) {
            messageId = value;
            return this;
        }

        Message sessionId(String value) {
            sessionId = value;
            return this;
        }

        Message partitionKey(String value) {
            partitionKey = value;
            return this;
        }

        Message timeToLiveMs(long value) {
            timeToLiveMs = value;
            return this;
        }

        /** Sets the scheduled time in milliseconds after the start of the test. */
        Message scheduledAt(long value) {
            scheduledMs = START_MS + value;
            return this;
        }

        Message ping() {
            ping = true;
            return this;
        }

        Message encodedSizeBytes(int value) {
            encodedSizeBytes = value;
            return this;
        }

        Message headerSizeBytes(int value) {
            headerSizeBytes = value;
            return this;
        }

        Message largestPropertySizeBytes(int value) {
            largestPropertySizeBytes = value;
            return this;
        }

        IncomingMessage build() {
            ByteBuffer nothing = ByteBuffer.allocate(0);
            MessageContent content =
                    MessageContent.of(true, 4, false, nothing, nothing, nothing, StandardCharsets.UTF_8.encode(body));
            return IncomingMessage.of(content)
                    .messageId(messageId)
                    .partitionKey(partitionKey)
                    .timeToLiveMs(timeToLiveMs)
                    .ping(ping)
                    .sizes(
                            encodedSizeBytes < 0 ? content.sizeBytes() : encodedSizeBytes,
                            headerSizeBytes,
                            largestPropertySizeBytes)
                    .sent(sessionId, scheduledMs)
                    .build();
        }
    }
}
