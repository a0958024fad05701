package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.LockTokenSequence;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.Situation;
import dev.jitney.core.idle.Activity;
import dev.jitney.core.queue.MemoryBudget;
import dev.jitney.core.queue.QueueDecider;
import dev.jitney.core.topic.Publication;
import dev.jitney.core.topic.TopicDecider;
import dev.jitney.core.transaction.TransactionDecider;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What a shard does with its entities in a turn: carries out commands, changes entities, lets time do its part, hands
 * messages to receivers. Everything is applied in memory and written to the shard's batch at once, and shown to the world
 * when the shard has committed it. For the shard's thread.
 */
final class ShardWork {
    /** For listeners that only complete a future. */
    private static final Executor INLINE = Runnable::run;

    private static final int TIMER_RECORDS_PER_STEP = 500;
    private static final int DELIVERIES_PER_STEP = 256;
    private static final int WINDOW_ENTRIES_MAX = 65_536;
    private static final int HEADS_PER_TURN = 16;

    /** So that very many busy queues, which need more than there is, do not cost a walk over all of them every turn. */
    private static final long TRIM_PAUSE_MS = 100;

    private final BrokerOptions options;
    private final MemoryBudget budget;
    private final StoreRowWriter writer;
    private final StoreRowReader reader;
    private final Effects effects = new Effects();
    private final LockTokenSequence tokens;
    private final ShardSlots slots;
    private final ShardEntities entities;
    private final EntityLifecycle lifecycle;
    private final ShardReceivers receivers = new ShardReceivers(effects);
    private final Agenda agenda;
    private final Transactions transactions;
    private final Outbox outbox;
    private final Arrivals arrivals;
    private final TemporaryEntities temporary;
    private final Forwarder forwarder;
    private long nowMs;
    private long nextTrimMs;
    private boolean acceptsGrowth = true;

    ShardWork(int shardIndex, StoreRowWriter writer, StoreRowReader reader, BrokerOptions options) {
        this.options = options;
        this.writer = writer;
        this.reader = reader;
        this.budget = new MemoryBudget(options.cacheBytesMax(), options.cachedMessagesMax(), WINDOW_ENTRIES_MAX);
        this.entities = new ShardEntities(shardIndex, writer, reader);
        this.outbox = new Outbox(this, reader);
        this.forwarder = new Forwarder(this, reader, outbox);
        this.arrivals = new Arrivals(this, effects, reader, writer);
        this.transactions = new Transactions(this, effects, options.mailboxBytesMax());
        SecureRandom random = new SecureRandom();
        this.slots = new ShardSlots(writer, reader, budget, random);
        this.agenda = new Agenda(slots);
        this.temporary = new TemporaryEntities(this, slots, reader, writer);
        this.lifecycle =
                new EntityLifecycle(this, entities, slots, agenda, receivers, temporary, new Remains(writer, reader));
        this.tokens = new LockTokenSequence(random.nextLong(), random.nextLong());
    }

    // --- the shard's turn ---

    /** Reads the entities of the store, before the shard runs. */
    List<EntityRow> load(long now) {
        nowMs = now;
        outbox.load();
        temporary.load();
        return lifecycle.load();
    }

    /** A turn begins. */
    void startTurn(long now) {
        nowMs = Math.max(nowMs, now);
        temporary.startTurn(nowMs);
        forwarder.startTurn();
    }

    /** A letter was opened: what it has had entities hand on goes where it belongs. */
    void finishLetter() {
        forwarder.run();
    }

    /** The shard stops in good order: writes what a start needs and is in memory only; a commit follows. */
    void stop() {
        temporary.stop(nowMs);
    }

    /** Whether the store takes what adds messages. */
    void acceptsGrowth(boolean accepts) {
        acceptsGrowth = accepts;
        slots.hasRoom(accepts).forEach(agenda.alarms()::arm);
        if (accepts) {
            slots.all().forEach(this::wakeReceivers); // messages may wait to be handed on
        }
    }

    /**
     * Does what commands have not asked for by name.
     *
     * @return whether there was anything to do, or answers wait for the commit
     */
    boolean goOn() {
        boolean worked = transactions.runTimers(nowMs);
        worked |= outbox.runTimers(nowMs);
        worked |= forwarder.runTimers(nowMs);
        worked |= temporary.runTimers(nowMs);
        worked |= runTimers();
        forwarder.run();
        worked |= deliverReady();
        worked |= lifecycle.clearRemains();
        return worked || effects.count() > 0;
    }

    /** When time has something to do next, {@link Long#MAX_VALUE} if never. */
    long nextTimerMs() {
        long nextMs = Math.min(agenda.alarms().nextMs(), Math.min(transactions.nextTimerMs(), outbox.nextTimerMs()));
        return Math.min(nextMs, Math.min(forwarder.nextTimerMs(), temporary.nextTimerMs()));
    }

    MemoryBudget budget() {
        return budget;
    }

    Effects effects() {
        return effects;
    }

    /** Gives back memory if there is little left. */
    void spareMemory() {
        if (budget.isTight() && nowMs >= nextTrimMs) {
            nextTrimMs = nowMs + TRIM_PAUSE_MS;
            slots.giveBackMemory(options);
        }
    }

    /** Writes the rows that are due with every batch; returns whether there are any. */
    boolean writeTotals() {
        forwarder.park();
        return agenda.writeTotals(writer);
    }

    /** The commit has succeeded: shows everything to the world and lets go what waited for it. */
    void settle() {
        agenda.committed();
        entities.settle();
        agenda.publishChanged();
        effects.release();
        arrivals.settle();
        outbox.depart();
    }

    /** The commit has failed: requests learn it, receivers are closed, what was applied is forgotten. */
    void fail(Rejection growing, Rejection other) {
        effects.fail(growing, other);
        Rejection closed = new Rejection(ErrorCode.DETACH_FORCED, "The messaging store is restarting.");
        receivers.closeAll(closed, other);
        effects.release();
        agenda.clear();
        transactions.lose();
        outbox.lose();
        arrivals.lose();
        forwarder.lose();
        temporary.lose(nowMs);
        entities.forgetChanges();
    }

    /** Takes over what the store has after a failure. */
    void reload() {
        outbox.load();
        lifecycle.reload();
    }

    // --- commands ---

    /** Decides and applies a command; the answer waits for the commit. */
    void execute(long entityId, Command command, Executor executor, ReplyListener listener) {
        EntitySlot slot = slots.get(entityId);
        if (slot == null) {
            effects.reject(executor, listener, notFound());
            return;
        }
        if (slot instanceof TopicSlot topic) {
            if (command instanceof Command.SendMessages send) {
                publish(topic, send, executor, listener);
                return;
            }
            if (command instanceof Command.GetCounts) {
                MessageCounts counts = topic.state.counts().withSizeBytes(topic.usedBytes());
                effects.reply(executor, listener, new Reply.Counts(counts), false);
                return;
            }
        }
        Decision decision = decideAndApply(slot, command, executor, listener);
        if (Activity.of(command, decision)) {
            touch(slot);
        }
        Reply reply = decision.reply();
        if (reply != null) {
            if (command instanceof Command.SetCredit credit) {
                receivers.credit(credit);
            }
            slot.entity.count(command, reply);
            countDuplicates(slot, reply);
            if (command instanceof Command.ReceiveDeferredMessages && reply instanceof Reply.Messages received) {
                received.messages().forEach(slot.tally::delivered);
            }
            effects.reply(executor, listener, reply, command instanceof Command.SendMessages);
        } else if (decision.rejection() != null) {
            slot.entity.countRefusal(command, decision.rejection());
            effects.reject(executor, listener, decision.rejection());
        }
        wake(slot);
    }

    /** Hands messages to the subscriptions of a topic, which is one commit with the answer. */
    private void publish(TopicSlot topic, Command.SendMessages send, Executor executor, ReplyListener listener) {
        Publication publication;
        try {
            publication = topic.send(send, situation());
            apply(topic, publication, false);
        } catch (RuntimeException e) {
            effects.reject(executor, listener, Rejection.of(ErrorCode.INTERNAL));
            throw e;
        }
        Reply reply = publication.reply();
        if (reply instanceof Reply.Sent sent) {
            touch(topic);
            topic.tally.published(send.messages(), sent, nowMs);
            topic.entity.count(send, reply);
            countDuplicates(topic, reply);
            effects.reply(executor, listener, reply, true);
        } else if (publication.rejection() != null) {
            effects.reject(executor, listener, publication.rejection());
        }
        agenda.alarms().arm(topic);
    }

    private void countDuplicates(EntitySlot slot, Reply reply) {
        if (reply instanceof Reply.Sent sent && !sent.duplicates().isEmpty()) {
            slot.tally.dropped(sent.duplicates().size());
            agenda.show(slot);
        }
    }

    private void apply(TopicSlot topic, Publication publication, boolean byTime) {
        apply(topic, publication.records(), byTime);
        apply(publication.copies(), byTime);
    }

    private void apply(List<Publication.Copy> copies, boolean byTime) {
        for (Publication.Copy copy : copies) {
            EntitySlot slot = slots.get(copy.subscriber().entityId());
            if (slot == null) {
                throw new IllegalStateException(
                        "Expected subscription " + copy.subscriber().entityId() + ".");
            }
            record(slot, List.of(copy.record()), byTime); // IDLE-9: no activity of the subscription
            wake(slot);
        }
    }

    private Decision decideAndApply(EntitySlot slot, Command command, Executor executor, ReplyListener listener) {
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

    /** The queue, topic or subscription of that number as transactions see it, or null if it is gone. */
    @Nullable
    EntitySlot participant(long entityId) {
        return slots.get(entityId);
    }

    /** What leaves for other entities. */
    Outbox outbox() {
        return outbox;
    }

    /** What hands messages on to other entities. */
    Forwarder forwarder() {
        return forwarder;
    }

    /** What comes from other entities. */
    Arrivals arrivals() {
        return arrivals;
    }

    /** What transactions do in this shard. */
    Transactions transactions() {
        return transactions;
    }

    /** As {@link #carryOut}, as activity of the entity: what somebody asked for, not what became of it later. */
    void use(TransactionDecider.Step step) {
        carryOut(step);
        if (step.participant() instanceof EntitySlot slot) {
            touch(slot);
        }
    }

    /** Does a part of what the outcome of a transaction means, or of what an operation in it does at once. */
    void carryOut(TransactionDecider.Step step) {
        if (step.participant() instanceof EntitySlot slot) {
            apply(slot, step.records(), false);
            apply(step.copies(), false);
            Reply.Sent sent = step.sent();
            if (sent != null && slot instanceof TopicSlot topic) {
                topic.tally.published(step.messages(), sent, nowMs);
            }
            if (sent != null) {
                countDuplicates(slot, sent);
            }
            wake(slot);
        }
    }

    /** Does what records say without its being activity of the entity: the broker does it for itself. */
    void changeInside(EntitySlot slot, List<Record> records) {
        record(slot, records, true);
        wake(slot);
    }

    /** What a decision may know now. */
    Situation situation() {
        return new Situation(nowMs, acceptsGrowth, reader, tokens);
    }

    /**
     * Does what records say.
     *
     * @param byTime whether time has brought them about, not a command
     */
    void apply(EntitySlot slot, List<Record> records, boolean byTime) {
        if (!records.isEmpty()) {
            record(slot, records, byTime);
        }
    }

    /**
     * Remembers that an entity is used (IDLE-7 to IDLE-9), and with it its topic (IDLE-8). If nothing else is written about it,
     * this is, now and then (STATE-4).
     */
    void touch(EntitySlot slot) {
        slot.state.touch(nowMs);
        if (slot.unwrittenAccessMs() >= TemporaryEntities.ACCESS_PAUSE_MS) {
            agenda.write(slot);
        }
        agenda.show(slot);
        if (slot.topic != null) {
            touch(slot.topic);
        }
    }

    /** Has the last access written if it is in memory only. */
    void writeAccess(EntitySlot slot) {
        if (slot.unwrittenAccessMs() > 0) {
            agenda.write(slot);
        }
    }

    private void record(EntitySlot slot, List<Record> records, boolean byTime) {
        long bytesBefore = slot.state.sizeBytes();
        for (Record record : records) {
            slot.applier.apply(record);
            if (!(record instanceof Record.Volatile)) {
                slot.tally.count(record, byTime);
                if (record instanceof Record.TransferQueued queued) {
                    outbox.queued(slot.state.id(), queued.transfer());
                } else if (record instanceof Record.MessagePassed passed) {
                    forwarder.passed(slot, passed);
                }
                agenda.write(slot);
            }
        }
        if (slot.state.hasUnwritten()) {
            agenda.write(slot);
        }
        if (slot.topic != null) {
            slot.topic.count(slot.state.sizeBytes() - bytesBefore);
            if (slot.topic.bodies.isTouched()) {
                agenda.write(slot.topic);
                agenda.show(slot.topic);
            }
        }
        slot.lastUsedMs = nowMs;
        agenda.show(slot);
    }

    void attach(
            long entityId,
            Command.AttachReceiver command,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        execute(entityId, command, executor, reply);
        EntitySlot slot = slots.get(entityId);
        if (slot != null && slot.state.hasReceiver(command.receiverId())) {
            receivers.attach(command.receiverId(), executor, listener);
        }
    }

    void acceptSession(
            long entityId,
            Command.AcceptSession command,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        EntitySlot slot = slots.get(entityId);
        if (slot != null) {
            slot.state.fillReadySessions();
            // Before the answer: the grant may come with the deliveries of this very turn.
            receivers.await(command.receiverId(), new PendingAccept(command.waitMs(), executor, listener, reply));
        }
        execute(entityId, command, executor, reply);
        if (slot != null && slot.state.hasReceiver(command.receiverId())) {
            receivers.stopWaiting(command.receiverId());
            receivers.attach(command.receiverId(), executor, listener);
        } else if (slot != null && !slot.state.isWaiting(command.receiverId())) {
            receivers.stopWaiting(command.receiverId());
        }
    }

    void detach(long entityId, long receiverId) {
        receivers.forget(receiverId);
        EntitySlot slot = slots.get(entityId);
        if (slot != null && Activity.isAwaited(slot.state)) {
            touch(slot); // a receive ends that may have gone on for long
        }
        execute(entityId, new Command.DetachReceiver(receiverId), INLINE, ReplyListener.IGNORE);
    }

    // --- entities ---

    /** The entities and the rows that describe them. */
    ShardEntities entities() {
        return entities;
    }

    /** What creates, changes and removes them. */
    EntityLifecycle lifecycle() {
        return lifecycle;
    }

    /** The time of this turn, milliseconds since the epoch. */
    long nowMs() {
        return nowMs;
    }

    /** Tells the listener when everything done so far in this turn is durable, or is not. */
    void afterCommit(ReplyListener listener) {
        effects.reply(INLINE, listener, Reply.Done.INSTANCE, false);
    }

    private static Rejection notFound() {
        return Rejection.of(ErrorCode.ENTITY_NOT_FOUND);
    }

    // --- time ---

    private boolean runTimers() {
        boolean worked = false;
        List<EntitySlot> again = new ArrayList<>();
        while (!temporary.hasDeletedEnough()) {
            EntitySlot slot = agenda.alarms().pollDue(nowMs);
            if (slot == null) {
                break;
            }
            if (!slots.isCurrent(slot)) {
                continue;
            }
            if (temporary.deleteIfIdle(slot, nowMs)) {
                worked = true;
                continue;
            }
            if (slot.nextTimerMs() <= nowMs) {
                worked = true;
                List<Record> forgotten = slot.forgetIds(reader, nowMs);
                if (!forgotten.isEmpty()) {
                    record(slot, forgotten, true); // no activity of the entity
                }
                if (slot.nextMoveMs() <= nowMs) {
                    slot.state.fillTimers(reader);
                    runTimers(slot);
                }
            }
            again.add(slot);
        }
        again.stream().filter(slots::isCurrent).forEach(agenda.alarms()::arm); // else its topic has gone meanwhile
        return worked;
    }

    /** PART-60: locks of messages that nobody has got end without counting. */
    private void endKept(EntitySlot slot) {
        List<UUID> kept = slot.entity.takeKept(slot.state.endedLockTokens(nowMs, TIMER_RECORDS_PER_STEP));
        if (!kept.isEmpty()) {
            changeInside(
                    slot,
                    kept.stream()
                            .map(token -> (Record) new Record.MessageReleased(token))
                            .toList());
        }
    }

    private void runTimers(EntitySlot slot) {
        endKept(slot);
        if (slot instanceof TopicSlot topic) {
            int copiesPerMessage = Math.max(1, topic.audience.subscriberCount());
            Publication publication = TopicDecider.publishDue(
                    topic.state,
                    topic.description(),
                    topic.audience,
                    situation(),
                    Math.max(1, TIMER_RECORDS_PER_STEP / copiesPerMessage));
            apply(topic, publication, true);
            if (Activity.ofTime(publication.records())) {
                touch(topic);
            }
        } else {
            boolean awaited = Activity.isAwaited(slot.state);
            Decision decision = QueueDecider.decideTimers(slot.state, situation(), TIMER_RECORDS_PER_STEP);
            apply(slot, decision.records(), true);
            if (awaited || Activity.ofTime(decision.records())) {
                touch(slot);
            }
            decision.outputs().forEach(output -> receivers.tell(slot, output));
            wakeReceivers(slot);
        }
    }

    // --- deliveries ---

    /** Something has changed about an entity: its receivers may have something to get, and time something to do. */
    void wake(EntitySlot slot) {
        wakeReceivers(slot);
        agenda.alarms().arm(slot);
    }

    void wakeReceivers(EntitySlot slot) {
        if (!slot.ready && (forwarder.hasWork(slot) || Activity.isAwaited(slot.state))) {
            agenda.deliver(slot);
        }
    }

    private boolean deliverReady() {
        boolean worked = false;
        for (int i = agenda.readyCount(); i > 0; i--) {
            EntitySlot slot = agenda.pollReady();
            if (slot == null) {
                break;
            }
            if (!slots.isCurrent(slot)) {
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
            if (!decision.outputs().isEmpty()) {
                touch(slot);
            }
            decision.outputs().forEach(output -> receivers.tell(slot, output));
            searching |= forwarder.pump(slot);
            forwarder.run();
            if (searching || !decision.outputs().isEmpty()) {
                worked = true;
                wakeReceivers(slot); // others get their turn first
            }
            agenda.alarms().arm(slot);
        }
        return worked;
    }

    /** Uses an idle moment to learn how old waiting messages are, after a start above all; a few queues at a time. */
    boolean findHeads() {
        return agenda.findHeads(reader, HEADS_PER_TURN);
    }
}
