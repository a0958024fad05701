package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.LockTokenSequence;
import dev.jitney.core.Output;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.MemoryBudget;
import dev.jitney.core.queue.QueueDecider;
import dev.jitney.core.queue.QueueState;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.NamespaceRow;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreBatch;
import dev.jitney.runtime.store.StoreException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One message broker with one messaging store: the thread that owns a set of queues.
 *
 * <p>A turn takes what is in the mailbox, decides and applies it, lets the clock do its part, hands messages to
 * receivers, commits all rows of that as one batch, and only then lets replies and deliveries go. While it commits, the
 * next turn's letters gather: that is the group commit. Without a load a turn is one letter, so nothing waits.
 *
 * <p>{@link #turn()} may also be driven by the caller instead of a thread; tests do that.
 *
 * <p>If the store fails, the turn's effects fail with a retryable error, receivers are closed, memory is dropped and read
 * again from the store as soon as that works.
 */
final class Shard {
    private static final Logger LOG = LoggerFactory.getLogger(Shard.class);

    /** For listeners that only complete a future. */
    private static final Executor INLINE = Runnable::run;

    private static final int LETTERS_PER_TURN = 1_024;
    private static final long BATCH_BYTES_MAX = 4L << 20;
    private static final int TIMER_RECORDS_PER_STEP = 500;
    private static final int DELIVERIES_PER_STEP = 256;
    private static final int WINDOW_ENTRIES_MAX = 65_536;
    private static final int TRIMMED_WINDOW = 64;
    private static final int HEADS_PER_TURN = 16;

    /** So that very many busy queues, which need more than there is, do not cost a walk over all of them every turn. */
    private static final long TRIM_PAUSE_MS = 100;

    private static final long RECOVERY_PAUSE_NANOS = 250_000_000L;

    private final int index;
    private final MessagingStore store;
    private final Clock clock;
    private final BrokerOptions options;
    private final Mailbox mailbox;
    private final MemoryBudget budget;
    private final ShardMeter meter = new ShardMeter();
    private final StoreBatch batch;
    private final StoreRowWriter writer;
    private final StoreRowReader reader;
    private final Effects effects = new Effects();
    private final LockTokenSequence tokens;
    private final Map<Long, QueueSlot> slots = new HashMap<>();
    private final ShardEntities entities;

    /** Those whose rows this shard keeps. */
    private final List<ServedNamespace> namespaces = new ArrayList<>();

    private final Map<Long, AttachedReceiver> receivers = new HashMap<>();
    private final Set<QueueSlot> dirty = new LinkedHashSet<>();

    /** Queues whose counters have to be shown anew. */
    private final List<QueueSlot> changed = new ArrayList<>();

    private final ArrayDeque<QueueSlot> ready = new ArrayDeque<>();

    /** Queues of whose waiting messages none is in memory, so that it is not known how old the oldest is. */
    private final ArrayDeque<QueueSlot> headless = new ArrayDeque<>();

    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(Comparator.comparingLong(Alarm::atMs));
    private long nowMs;
    private long nextTrimMs;
    private boolean diskFull;
    private volatile boolean acceptsGrowth = true;
    private volatile boolean stopping;
    private volatile @Nullable String trouble;
    private @Nullable Thread thread;

    /** When a slot's timers want to be looked at. */
    private record Alarm(long atMs, QueueSlot slot) {}

    Shard(int index, MessagingStore store, Clock clock, BrokerOptions options) {
        this.index = index;
        this.store = store;
        this.clock = clock;
        this.options = options;
        this.mailbox = new Mailbox(options.mailboxBytesMax(), options.mailboxCommandsMax());
        this.budget = new MemoryBudget(options.cacheBytesMax(), options.cachedMessagesMax(), WINDOW_ENTRIES_MAX);
        this.batch = store.newBatch();
        this.writer = new StoreRowWriter(batch);
        this.reader = new StoreRowReader(store, this::commit);
        this.entities = new ShardEntities(index, writer, reader);
        SecureRandom random = new SecureRandom();
        this.tokens = new LockTokenSequence(random.nextLong(), random.nextLong());
    }

    private LoggingEventBuilder log(Level level) {
        return LOG.atLevel(level).addKeyValue(LogKeys.SHARD, index);
    }

    Mailbox mailbox() {
        return mailbox;
    }

    /** Null while all is well. Any thread may ask. */
    @Nullable
    String trouble() {
        String failed = trouble;
        if (failed != null) {
            return failed;
        }
        return acceptsGrowth ? null : "The disk of messaging store " + index + " is full; sends are refused.";
    }

    /** How the shard and its store are doing. Any thread may ask. */
    ShardFigures figures() {
        return meter.figures(index, mailbox, trouble == null, acceptsGrowth);
    }

    // --- life ---

    /** Reads the entities of the store, before the shard runs. */
    List<EntityRow> load() throws StoreException {
        try {
            nowMs = clock.nowMs();
            return entities.load();
        } catch (StoreFault e) {
            throw e.fault();
        }
    }

    void start() {
        Thread t = new Thread(this::run, "jitney-shard-" + index);
        thread = t;
        mailbox.ownedBy(t);
        t.start();
    }

    /** Commits what waits and ends the thread; letters that come later are refused. */
    void stop() {
        stopping = true;
        mailbox.wake();
        Thread t = thread;
        if (t != null) {
            boolean interrupted = false;
            while (t.isAlive()) {
                try {
                    t.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        trouble = "The server is shutting down.";
        diskFull = false;
        mailbox.close(refusal(false));
        batch.close();
    }

    private void run() {
        try {
            serve();
        } catch (Throwable e) {
            // Out of memory or worse: nothing more can be promised here, and health has to say so.
            log(Level.ERROR)
                    .setCause(e)
                    .log("Shard {} has ended; restart the server to have its queues served.", index);
            diskFull = false;
            trouble = "Shard " + index + " has ended: " + e + ". Restart the server.";
            mailbox.close(refusal(false));
            throw e;
        }
    }

    private void serve() {
        while (!stopping || !mailbox.isEmpty()) {
            boolean worked = turn();
            if (!worked && !stopping) {
                long waitMs = alarms.isEmpty() ? Long.MAX_VALUE : alarms.peek().atMs - clock.nowMs();
                if (waitMs > 0) {
                    mailbox.await(Math.min(waitMs, clock.lookAgainMs()) * 1_000_000L);
                }
            }
        }
    }

    /**
     * Does everything that can be done now.
     *
     * @return whether there was anything to do
     */
    boolean turn() {
        if (trouble != null && !recover()) {
            return true;
        }
        try {
            nowMs = Math.max(nowMs, clock.nowMs());
            checkRoom();
            boolean worked = openLetters();
            worked |= runTimers();
            worked |= deliverReady();
            worked |= effects.count() > 0;
            if (!worked) {
                worked = findHeads();
            }
            commit();
            meter.memory(budget.contentBytes(), budget.entries());
            if (budget.isTight() && nowMs >= nextTrimMs) {
                nextTrimMs = nowMs + TRIM_PAUSE_MS;
                giveBackMemory();
            }
            return worked;
        } catch (StoreFault e) {
            fail(e.fault());
        } catch (RuntimeException e) {
            log(Level.ERROR).setCause(e).log("Shard {} met a bug; its memory is read again from the store.", index);
            fail(new StoreException(StoreException.Reason.IO, "The shard failed: " + e, e));
        }
        return true;
    }

    /** Asked in every turn, idle ones too: that is how the store notices that there is room again. */
    private void checkRoom() {
        boolean accepts = store.acceptsGrowth();
        if (accepts != acceptsGrowth) {
            acceptsGrowth = accepts;
            if (accepts) {
                log(Level.INFO).log("Messaging store {} has room again; sends are accepted.", index);
            } else {
                log(Level.WARN)
                        .log("The disk of messaging store {} is full; sends are refused until there is room.", index);
            }
        }
    }

    /** Uses an idle moment to learn how old waiting messages are, after a start above all; a few queues at a time. */
    private boolean findHeads() {
        boolean found = false;
        for (int i = 0; i < HEADS_PER_TURN && !headless.isEmpty(); i++) {
            QueueSlot slot = headless.pollFirst();
            slot.headless = false;
            if (slots.get(slot.state.id().entityId()) == slot) {
                slot.state.findOldest(reader);
                show(slot);
                found = true;
            }
        }
        return found;
    }

    private boolean openLetters() {
        for (int i = 0; i < LETTERS_PER_TURN; i++) {
            Mailbox.Letter letter = mailbox.poll();
            if (letter == null) {
                return i > 0;
            }
            letter.open(this);
            if (batch.sizeBytes() > BATCH_BYTES_MAX) {
                return true;
            }
        }
        return true;
    }

    // --- commands ---

    /** Decides and applies a command; the answer waits for the commit. */
    void execute(long entityId, Command command, Executor executor, ReplyListener listener) {
        QueueSlot slot = slots.get(entityId);
        if (slot == null) {
            effects.reject(executor, listener, notFound());
            return;
        }
        Decision decision = decideAndApply(slot, command, executor, listener);
        Reply reply = decision.reply();
        if (reply != null) {
            if (command instanceof Command.SetCredit credit) {
                AttachedReceiver receiver = receivers.get(credit.receiverId());
                if (receiver != null) {
                    receiver.credit(credit.deliveryLimit());
                }
            }
            slot.entity.count(command, reply);
            if (command instanceof Command.ReceiveDeferredMessages && reply instanceof Reply.Messages received) {
                received.messages().forEach(slot.tally::delivered);
            }
            effects.reply(executor, listener, reply, command instanceof Command.SendMessages);
        } else if (decision.rejection() != null) {
            effects.reject(executor, listener, decision.rejection());
        }
        wakeReceivers(slot);
        arm(slot);
    }

    private Decision decideAndApply(QueueSlot slot, Command command, Executor executor, ReplyListener listener) {
        try {
            Decision decision = QueueDecider.decide(slot.state, command, situation());
            apply(slot, decision.records(), false);
            return decision;
        } catch (RuntimeException e) {
            // The answer must not get lost with the batch that the exception ends.
            effects.reject(executor, listener, Rejection.of(ErrorCode.INTERNAL));
            throw e;
        }
    }

    private Situation situation() {
        return new Situation(nowMs, acceptsGrowth, reader, tokens);
    }

    /** @param byTime whether time has brought them about, not a command */
    private void apply(QueueSlot slot, List<Record> records, boolean byTime) {
        for (Record record : records) {
            slot.applier.apply(record);
            if (!(record instanceof Record.Volatile)) {
                slot.tally.count(record, byTime);
                dirty.add(slot);
            }
        }
        if (!records.isEmpty()) {
            slot.lastUsedMs = nowMs;
            slot.state.touch(nowMs);
            show(slot);
        }
    }

    /** Has its counters shown after the commit. */
    private void show(QueueSlot slot) {
        if (!slot.changed) {
            slot.changed = true;
            changed.add(slot);
        }
    }

    void attach(
            long entityId,
            Command.AttachReceiver command,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        execute(entityId, command, executor, reply);
        QueueSlot slot = slots.get(entityId);
        if (slot != null && slot.state.hasReceiver(command.receiverId())) {
            receivers.put(command.receiverId(), new AttachedReceiver(executor, listener));
        }
    }

    void detach(long entityId, long receiverId) {
        receivers.remove(receiverId);
        execute(entityId, new Command.DetachReceiver(receiverId), INLINE, ReplyListener.IGNORE);
    }

    // --- entities ---

    ShardEntities entities() {
        return entities;
    }

    /** The time of this turn, milliseconds since the epoch. */
    long nowMs() {
        return nowMs;
    }

    /** Adds an entity that the store has. */
    void adopt(ServedEntity entity) {
        entities.adopt(entity);
        open(entity);
    }

    /** Takes over what the store has about a namespace, before the shard runs; what is new is written with the first batch. */
    void adopt(ServedNamespace namespace) {
        namespaces.add(namespace);
        remember(namespace);
    }

    private void remember(ServedNamespace namespace) {
        NamespaceRow stored = entities.namespace(namespace.name());
        NamespaceRow row = NamespaceRow.startingFrom(stored, namespace.options().accessRules(), nowMs);
        namespace.settle(row);
        if (!row.equals(stored)) {
            entities.putNamespace(namespace, row);
        }
    }

    private void open(ServedEntity entity) {
        if (entity instanceof ServedQueue queue) {
            QueueSlot slot = newSlot(queue);
            slot.state.load(reader.fragment(slot.state.id()), reader);
            publish(slot);
            arm(slot);
        }
    }

    /** @param template a row without an id */
    <E extends ServedEntity> E create(EntityRow template, Function<EntityRow, E> factory) {
        E entity = entities.create(template, nowMs, factory);
        if (entity instanceof ServedQueue queue) {
            QueueSlot slot = newSlot(queue);
            dirty.add(slot);
        }
        return entity;
    }

    /** Tells the listener when everything done so far in this turn is durable, or is not. */
    void afterCommit(ReplyListener listener) {
        effects.reply(INLINE, listener, Reply.Done.INSTANCE, false);
    }

    void update(ServedEntity entity, EntityDescription description) {
        entities.update(entity, description, nowMs);
        QueueSlot slot = slots.get(entity.id());
        if (slot != null && description instanceof QueueDescription queue) {
            apply(slot, List.of(new Record.QueueUpdated(queue, nowMs)), false);
            Rejection unserved = ServedFeatures.refuse(queue);
            if (unserved != null) {
                closeReceivers(slot, unserved);
            } else if (!queue.status().allowsReceive()) {
                closeReceivers(
                        slot,
                        new Rejection(
                                ErrorCode.ENTITY_DISABLED,
                                "Messaging entity '" + queue.path() + "' is currently disabled."));
            }
            arm(slot);
        }
    }

    void delete(ServedEntity entity) {
        QueueSlot slot = slots.remove(entity.id());
        if (slot != null) {
            closeReceivers(
                    slot,
                    new Rejection(
                            ErrorCode.ENTITY_NOT_FOUND, "The messaging entity '" + entity.path() + "' was deleted."));
            dirty.remove(slot);
            slot.state.discard();
        }
        entities.delete(entity);
    }

    private QueueSlot newSlot(ServedQueue entity) {
        NamespaceOptions namespace = entity.namespaceOptions();
        QueueState state = new QueueState(
                new FragmentId(entity.id(), 0),
                (QueueDescription) entity.latest().description(),
                namespace.limits(),
                namespace.expiryEnforcement(),
                budget);
        QueueSlot slot = new QueueSlot(entity, state, writer);
        slots.put(entity.id(), slot);
        return slot;
    }

    private void closeReceivers(QueueSlot slot, Rejection reason) {
        for (long id : slot.state.receiverIds()) {
            AttachedReceiver receiver = receivers.remove(id);
            if (receiver != null) {
                effects.closed(receiver.executor(), receiver.listener(), reason);
            }
            slot.applier.apply(new Record.ReceiverDetached(id));
        }
    }

    private static Rejection notFound() {
        return Rejection.of(ErrorCode.ENTITY_NOT_FOUND);
    }

    // --- time ---

    private void arm(QueueSlot slot) {
        long atMs = slot.state.nextTimerMs();
        if (atMs < slot.armedAtMs) {
            slot.armedAtMs = atMs;
            alarms.add(new Alarm(atMs, slot));
        }
    }

    private boolean runTimers() {
        boolean worked = false;
        List<QueueSlot> again = new ArrayList<>();
        while (!alarms.isEmpty() && alarms.peek().atMs <= nowMs) {
            Alarm alarm = alarms.poll();
            QueueSlot slot = alarm.slot;
            if (slots.get(slot.state.id().entityId()) != slot || alarm.atMs != slot.armedAtMs) {
                continue; // deleted, or armed anew for an earlier time that was served already
            }
            slot.armedAtMs = Long.MAX_VALUE;
            if (slot.state.nextTimerMs() <= nowMs) {
                worked = true;
                slot.state.fillTimers(reader);
                Decision decision = QueueDecider.decideTimers(slot.state, situation(), TIMER_RECORDS_PER_STEP);
                apply(slot, decision.records(), true);
                wakeReceivers(slot);
            }
            again.add(slot);
        }
        again.forEach(this::arm);
        return worked;
    }

    // --- deliveries ---

    private void wakeReceivers(QueueSlot slot) {
        if (!slot.ready && isWaitedFor(slot)) {
            slot.ready = true;
            ready.addLast(slot);
        }
    }

    private static boolean isWaitedFor(QueueSlot slot) {
        return slot.state.isWaitedFor(Lane.MAIN)
                || slot.state.isWaitedFor(Lane.DEAD_LETTER)
                || slot.state.isWaitedFor(Lane.TRANSFER_DEAD_LETTER);
    }

    private boolean deliverReady() {
        boolean worked = false;
        for (int i = ready.size(); i > 0; i--) {
            QueueSlot slot = ready.pollFirst();
            if (slot == null) {
                break;
            }
            slot.ready = false;
            if (slots.get(slot.state.id().entityId()) != slot) {
                continue;
            }
            boolean searching = false;
            for (Lane lane : List.of(Lane.MAIN, Lane.DEAD_LETTER, Lane.TRANSFER_DEAD_LETTER)) {
                if (slot.state.isWaitedFor(lane)) {
                    searching |= slot.state.fill(lane, reader);
                }
            }
            Decision decision = QueueDecider.decideDeliveries(slot.state, situation(), DELIVERIES_PER_STEP);
            apply(slot, decision.records(), false);
            for (Output output : decision.outputs()) {
                tell(slot, output);
            }
            if (searching || !decision.outputs().isEmpty()) {
                worked = true;
                wakeReceivers(slot); // others get their turn first
            }
            arm(slot);
        }
        return worked;
    }

    private void tell(QueueSlot slot, Output output) {
        AttachedReceiver receiver = receivers.get(output.receiverId());
        if (receiver == null) {
            return; // its locks run out by themselves
        }
        if (output instanceof Output.Delivered delivered) {
            receiver.delivered();
            slot.entity.countDelivery(delivered.message());
            slot.tally.delivered(delivered.message());
            effects.deliver(receiver.executor(), receiver.listener(), delivered.message());
        } else if (output instanceof Output.Drained drained) {
            if (receiver.drained(drained.deliveryLimit())) {
                slot.entity.countEmptyReceive();
            }
            effects.drained(receiver.executor(), receiver.listener(), drained.deliveryLimit());
        }
    }

    // --- commit and failure ---

    /** Makes everything applied so far durable and lets go what waited for it. */
    private void commit() {
        if (!dirty.isEmpty() || !batch.isEmpty()) {
            for (QueueSlot slot : dirty) {
                writer.putFragment(slot.state.id(), slot.state.row(writer));
            }
            dirty.clear();
            int rows = writer.takeRowCount();
            long bytes = batch.sizeBytes();
            long startNanos = System.nanoTime();
            try {
                store.commit(batch);
                meter.committed(System.nanoTime() - startNanos, rows, bytes, effects.count());
            } catch (StoreException e) {
                throw new StoreFault(e);
            } finally {
                batch.clear();
            }
        }
        entities.settle();
        for (QueueSlot slot : changed) {
            slot.changed = false;
            publish(slot);
        }
        changed.clear();
        effects.release();
    }

    private void publish(QueueSlot slot) {
        slot.publish();
        if (!slot.headless && slot.state.oldestIsInStore()) {
            slot.headless = true;
            headless.addLast(slot);
        }
    }

    private void fail(StoreException fault) {
        diskFull = fault.reason() == StoreException.Reason.DISK_FULL;
        trouble = diskFull
                ? "The disk of messaging store " + index + " is full."
                : "Messaging store " + index + " failed: " + fault.getMessage();
        meter.failed();
        log(Level.ERROR).setCause(fault).log("{} Requests are refused until it works again.", trouble);
        effects.fail(refusal(true), refusal(false));
        Rejection closed = new Rejection(ErrorCode.DETACH_FORCED, "The messaging store is restarting.");
        receivers.values().forEach(r -> effects.closed(r.executor(), r.listener(), closed));
        effects.release();
        receivers.clear();
        batch.clear();
        writer.takeRowCount();
        dirty.clear();
        changed.clear();
        ready.clear();
        headless.clear();
        alarms.clear();
        entities.forgetChanges();
    }

    /** What requests hear while the store does not work: sends that the disk is full, if it is, others to try again. */
    private Rejection refusal(boolean grows) {
        return new Rejection(
                grows && diskFull ? ErrorCode.QUOTA_EXCEEDED : ErrorCode.SERVER_BUSY, trouble + " Try again later.");
    }

    /** Tries to get the store back; meanwhile everything is refused with a retryable error. */
    private boolean recover() {
        try {
            store.reopen();
            slots.values().forEach(slot -> slot.state.discard());
            slots.clear();
            entities.reload().forEach(this::open);
            namespaces.forEach(this::remember);
            trouble = null;
            log(Level.INFO).log("Messaging store {} works again.", index);
            return true;
        } catch (StoreException | RuntimeException e) {
            log(Level.DEBUG).setCause(e).log("Messaging store {} does not work yet.", index);
            trouble = "Messaging store " + index + " does not work yet: " + e.getMessage();
            refuseAll();
            if (!stopping) {
                mailbox.await(RECOVERY_PAUSE_NANOS);
            }
            return false;
        }
    }

    private void refuseAll() {
        for (Mailbox.Letter letter = mailbox.poll(); letter != null; letter = mailbox.poll()) {
            letter.refuse(refusal(letter.grows()));
        }
    }

    /** Trims the queues nobody has used for longest until there is room again. */
    private void giveBackMemory() {
        List<QueueSlot> byAge = new ArrayList<>(slots.values());
        byAge.sort(Comparator.comparingLong(slot -> slot.lastUsedMs));
        for (QueueSlot slot : byAge) {
            slot.state.trim(TRIMMED_WINDOW);
            if (budget.contentBytes() < options.cacheBytesMax() / 2
                    && budget.entries() < options.cachedMessagesMax() / 2) {
                return;
            }
        }
    }
}
