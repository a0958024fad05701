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
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.Rejection;
import dev.jitney.model.Rule;
import dev.jitney.runtime.rows.NamespaceRow;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.rows.StoreRowWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongFunction;
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
    private final Remains remains;

    /** Those whose rows this shard keeps. */
    private final List<ServedNamespace> namespaces = new ArrayList<>();

    private final ShardReceivers receivers = new ShardReceivers(effects);
    private final Set<EntitySlot> dirty = new LinkedHashSet<>();

    /** Those whose counters have to be shown anew. */
    private final List<EntitySlot> changed = new ArrayList<>();

    private final ArrayDeque<EntitySlot> ready = new ArrayDeque<>();

    /** Those of whose waiting messages none is in memory, so that it is not known how old the oldest is. */
    private final ArrayDeque<EntitySlot> headless = new ArrayDeque<>();

    private final Alarms alarms = new Alarms();
    private final Transactions transactions;
    private final Outbox outbox;
    private final Arrivals arrivals;
    private final TemporaryEntities temporary;
    private final Forwarder forwarder;
    private long nowMs;
    private long nextTrimMs;
    private boolean acceptsGrowth = true;

    ShardWork(int shardIndex, StoreRowWriter writer, StoreRowReader reader, BrokerOptions options, Random random) {
        this.options = options;
        this.writer = writer;
        this.reader = reader;
        this.budget = new MemoryBudget(options.cacheBytesMax(), options.cachedMessagesMax(), WINDOW_ENTRIES_MAX);
        this.entities = new ShardEntities(shardIndex, writer, reader);
        this.remains = new Remains(writer, reader);
        this.outbox = new Outbox(this, reader);
        this.forwarder = new Forwarder(this, reader, outbox);
        this.arrivals = new Arrivals(this, effects, reader, writer);
        this.transactions = new Transactions(this, effects, options.mailboxBytesMax());
        this.slots = new ShardSlots(writer, reader, budget, random);
        this.temporary = new TemporaryEntities(this, slots, reader, writer);
        this.tokens = new LockTokenSequence(random.nextLong(), random.nextLong());
    }

    // --- the shard's turn ---

    /** Reads the entities of the store, before the shard runs. */
    List<EntityRow> load(long now) {
        nowMs = now;
        remains.load();
        outbox.load();
        temporary.load();
        return entities.load();
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
        slots.hasRoom(accepts).forEach(alarms::arm);
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
        worked |= clearRemains();
        return worked || effects.count() > 0;
    }

    /** When time has something to do next, {@link Long#MAX_VALUE} if never. */
    long nextTimerMs() {
        long nextMs = Math.min(alarms.nextMs(), Math.min(transactions.nextTimerMs(), outbox.nextTimerMs()));
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
        for (EntitySlot slot : dirty) {
            if (slot instanceof TopicSlot topic) {
                topic.bodies.flush();
            }
            writer.putFragment(slot.state.id(), slot.state.row(writer));
        }
        return !dirty.isEmpty();
    }

    /** The commit has succeeded: shows everything to the world and lets go what waited for it. */
    void settle() {
        dirty.forEach(EntitySlot::committed);
        dirty.clear();
        entities.settle();
        for (EntitySlot slot : changed) {
            slot.changed = false;
            publish(slot);
        }
        changed.clear();
        effects.release();
        receivers.settle();
        arrivals.settle();
        outbox.depart();
    }

    /** The commit has failed: requests learn it, receivers are closed, what was applied is forgotten. */
    void fail(Rejection growing, Rejection other) {
        effects.fail(growing, other);
        Rejection closed = new Rejection(ErrorCode.DETACH_FORCED, "The messaging store is restarting.");
        receivers.closeAll(closed, other);
        effects.release();
        dirty.clear();
        changed.clear();
        ready.clear();
        headless.clear();
        alarms.clear();
        transactions.lose();
        outbox.lose();
        arrivals.lose();
        forwarder.lose();
        temporary.lose(nowMs);
        entities.forgetChanges();
    }

    /** Takes over what the store has after a failure. */
    void reload() {
        slots.clear();
        remains.load();
        outbox.load();
        entities.reload().forEach(this::open);
        namespaces.forEach(this::remember);
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
        wakeReceivers(slot);
        alarms.arm(slot);
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
        alarms.arm(topic);
    }

    private void countDuplicates(EntitySlot slot, Reply reply) {
        if (reply instanceof Reply.Sent sent && !sent.duplicates().isEmpty()) {
            slot.tally.dropped(sent.duplicates().size());
            show(slot);
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
            wakeReceivers(slot);
            alarms.arm(slot);
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
            wakeReceivers(slot);
            alarms.arm(slot);
        }
    }

    /** Does what records say without its being activity of the entity: the broker does it for itself. */
    void changeInside(EntitySlot slot, List<Record> records) {
        record(slot, records, true);
        wakeReceivers(slot);
        alarms.arm(slot);
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
    private void apply(EntitySlot slot, List<Record> records, boolean byTime) {
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
            dirty.add(slot);
        }
        show(slot);
        if (slot.topic != null) {
            touch(slot.topic);
        }
    }

    /** Has the last access written if it is in memory only. */
    void writeAccess(EntitySlot slot) {
        if (slot.unwrittenAccessMs() > 0) {
            dirty.add(slot);
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
                dirty.add(slot);
            }
        }
        if (slot.state.hasUnwritten()) {
            dirty.add(slot);
        }
        if (slot.topic != null) {
            slot.topic.count(slot.state.sizeBytes() - bytesBefore);
            if (slot.topic.bodies.isTouched()) {
                dirty.add(slot.topic);
                show(slot.topic);
            }
        }
        slot.lastUsedMs = nowMs;
        show(slot);
    }

    /** Has its counters shown after the commit. */
    private void show(EntitySlot slot) {
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
        EntitySlot slot = slots.open(entity);
        slot.state.loadTransfers(outbox.loadedCount(slot.state.id()));
        slot.loadDuplicates(reader, nowMs);
        temporary.watch(slot);
        publish(slot);
        alarms.arm(slot);
        wakeReceivers(slot); // it may have messages to hand on
    }

    /** @param template a row without an id */
    <E extends ServedEntity> E create(EntityRow template, Function<EntityRow, E> factory) {
        E entity = entities.create(template, nowMs, factory);
        serve(entity);
        return entity;
    }

    /** Numbers an entity that {@link #add} adds when its fragments are there. */
    <E extends ServedEntity> E reserve(EntityRow template, Function<EntityRow, E> factory) {
        return entities.reserve(template, nowMs, factory);
    }

    /** Adds an entity that was numbered before. */
    void add(ServedEntity entity) {
        entities.add(entity);
        serve(entity);
    }

    /** Adds a fragment of a partitioned entity. */
    ServedEntity createPart(ServedEntity whole, int fragment, LongFunction<ServedEntity> factory) {
        ServedEntity part = entities.createPart(whole, fragment, factory);
        part.list();
        serve(part);
        return part;
    }

    private void serve(ServedEntity entity) {
        EntitySlot slot = slots.create(entity);
        dirty.add(slot);
        temporary.watch(slot);
        alarms.arm(slot);
        if (slot.topic != null) {
            touch(slot.topic); // IDLE-8
        }
    }

    /** Adds a rule to a subscription or changes it; messages taken from now on are judged by it (RULE-11). */
    void putRule(ServedSubscription subscription, Rule rule) {
        boolean isNew = subscription.rule(rule.description().name()) == null;
        entities.putRule(subscription, rule);
        EntitySlot slot = slots.get(subscription.id());
        if (slot != null && slot.topic != null) {
            slot.topic.putRule(subscription.id(), rule.description());
            touch(isNew ? slot : slot.topic); // IDLE-9: only new rules
        }
    }

    /** Removes a rule of a subscription. */
    void deleteRule(ServedSubscription subscription, String name) {
        entities.deleteRule(subscription, name);
        EntitySlot slot = slots.get(subscription.id());
        if (slot != null && slot.topic != null) {
            slot.topic.removeRule(subscription.id(), name);
            touch(slot.topic);
        }
    }

    /** Tells the listener when everything done so far in this turn is durable, or is not. */
    void afterCommit(ReplyListener listener) {
        effects.reply(INLINE, listener, Reply.Done.INSTANCE, false);
    }

    void update(ServedEntity entity, EntityDescription description) {
        entities.update(entity, description, nowMs);
        follow(entity);
    }

    /** Has an entity do what its description says now. */
    void follow(ServedEntity entity) {
        EntityDescription description = entity.latest().description();
        EntitySlot slot = slots.get(entity.id());
        if (slot != null) {
            apply(slot, List.of(new Record.QueueUpdated(entity.asQueue(), nowMs)), false);
            touch(slot);
            temporary.watch(slot);
            if (slot.topic != null) {
                slot.topic.listen(slot);
            }
            if (entity.asQueue().forwardTo() != null) {
                closeReceivers(slot, slot.state.receiverIds(Lane.MAIN), forwarded(description)); // FWD-7
            }
            if (entity.asQueue().forwardDeadLetteredMessagesTo() != null) {
                closeReceivers(slot, slot.state.receiverIds(Lane.DEAD_LETTER), forwarded(description));
            }
            if (!description.status().allowsReceive()) {
                closeReceivers(
                        slot,
                        new Rejection(
                                ErrorCode.ENTITY_DISABLED,
                                "Messaging entity '" + description.path() + "' is currently disabled."));
            }
            alarms.arm(slot);
            wakeReceivers(slot);
        }
    }

    private static Rejection forwarded(EntityDescription description) {
        return new Rejection(
                ErrorCode.INVALID_OPERATION,
                "Messages of '" + description.path() + "' are forwarded to another entity now. Receive them there.");
    }

    /** Deletes an entity because somebody asked for it. */
    void delete(ServedEntity entity) {
        EntitySlot slot = slots.get(entity.id());
        if (slot != null && slot.topic != null) {
            touch(slot.topic); // IDLE-8
        }
        remove(entity);
    }

    /** Deletes an entity because nobody has used it (IDLE-13). */
    void deleteIdle(ServedEntity entity) {
        remove(entity);
        PartitionedChanges.deletePartsAfter(this, entity);
    }

    /** Has messages that the fragment of a subscription takes from now on judged by a rule of the whole, or no more. */
    void followRule(ServedSubscription part, String name, @Nullable Rule rule) {
        EntitySlot slot = slots.get(part.id());
        if (slot != null && slot.topic != null && rule != null) {
            slot.topic.putRule(part.id(), rule.description());
        } else if (slot != null && slot.topic != null) {
            slot.topic.removeRule(part.id(), name);
        }
    }

    /** Deletes an entity with everything in it, a topic with its subscriptions. */
    private void remove(ServedEntity entity) {
        if (entity instanceof ServedTopic topic) {
            for (ServedSubscription subscription : topic.allSubscriptions()) {
                takeOut(subscription);
                entities.delete(subscription);
            }
        }
        EntitySlot slot = takeOut(entity);
        if (slot != null && slot.topic != null && slot.state.counts().total() > 0) {
            entities.deleteLeaving(entity, () -> remains.leave(entity.id(), slot.topic.entity.id()));
        } else {
            entities.delete(entity);
        }
    }

    private @Nullable EntitySlot takeOut(ServedEntity entity) {
        EntitySlot slot = slots.remove(entity);
        if (slot != null) {
            closeReceivers(
                    slot,
                    new Rejection(
                            ErrorCode.ENTITY_NOT_FOUND, "The messaging entity '" + entity.path() + "' was deleted."));
            dirty.remove(slot);
            temporary.forget(slot);
            alarms.disarm(slot);
        }
        return slot;
    }

    /** Takes away a slice of what deleted subscriptions left. */
    private boolean clearRemains() {
        if (remains.isEmpty()) {
            return false;
        }
        TopicSlot topic = remains.clear(slots::topic);
        if (topic != null) {
            dirty.add(topic);
            show(topic);
        }
        return true;
    }

    private void closeReceivers(EntitySlot slot, Rejection reason) {
        closeReceivers(slot, slot.state.receiverIds(), reason);
    }

    private void closeReceivers(EntitySlot slot, Set<Long> ids, Rejection reason) {
        for (long id : ids) {
            receivers.close(id, reason);
            slot.applier.apply(new Record.ReceiverDetached(id));
        }
        if (slot.state.hasUnwritten()) {
            dirty.add(slot);
        }
    }

    private static Rejection notFound() {
        return Rejection.of(ErrorCode.ENTITY_NOT_FOUND);
    }

    // --- time ---

    private boolean runTimers() {
        boolean worked = false;
        List<EntitySlot> again = new ArrayList<>();
        while (!temporary.hasDeletedEnough()) {
            EntitySlot slot = alarms.pollDue(nowMs);
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
        again.stream().filter(slots::isCurrent).forEach(alarms::arm); // else its topic has gone meanwhile
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

    void wakeReceivers(EntitySlot slot) {
        if (!slot.ready && (forwarder.hasWork(slot) || Activity.isAwaited(slot.state))) {
            slot.ready = true;
            ready.addLast(slot);
        }
    }

    private boolean deliverReady() {
        boolean worked = false;
        for (int i = ready.size(); i > 0; i--) {
            EntitySlot slot = ready.pollFirst();
            if (slot == null) {
                break;
            }
            slot.ready = false;
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
            alarms.arm(slot);
        }
        return worked;
    }

    /** Uses an idle moment to learn how old waiting messages are, after a start above all; a few queues at a time. */
    boolean findHeads() {
        boolean found = false;
        for (int i = 0; i < HEADS_PER_TURN && !headless.isEmpty(); i++) {
            EntitySlot slot = headless.pollFirst();
            slot.headless = false;
            if (slots.isCurrent(slot)) {
                slot.state.findOldest(reader);
                show(slot);
                found = true;
            }
        }
        return found;
    }

    private void publish(EntitySlot slot) {
        slot.publish();
        if (!slot.headless && slot.state.oldestIsInStore()) {
            slot.headless = true;
            headless.addLast(slot);
        }
    }
}
