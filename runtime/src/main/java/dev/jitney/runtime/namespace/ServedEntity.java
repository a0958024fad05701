package dev.jitney.runtime.namespace;

import dev.jitney.core.Command;
import dev.jitney.core.CommandKind;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.rule.Rule;
import dev.jitney.runtime.ConnectionReceivers;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.EntityFigures;
import dev.jitney.runtime.Meter;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.Replacement;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.TransferFailure;
import dev.jitney.runtime.shard.CreditTask;
import dev.jitney.runtime.shard.EntityTasks;
import dev.jitney.runtime.shard.Shard;
import dev.jitney.runtime.shard.entity.ForwardingNotes;
import dev.jitney.runtime.shard.entity.HostedEntity;
import dev.jitney.runtime.shard.entity.ReplacementTarget;
import dev.jitney.runtime.shard.forward.ForwardingRules;
import dev.jitney.runtime.shard.turn.ShardTask;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An entity as callers use it. It throttles and counts commands and receivers, and sends them to its shard, or to its
 * fragments if it is partitioned. Any thread may call it, unless a method says otherwise.
 */
public abstract class ServedEntity extends HostedEntity {
    private static final AtomicLong RECEIVER_IDS = new AtomicLong();

    private final Shard shard;
    private final EntityDirectory namespace;
    private final OperationMeter meter;
    private final @Nullable ServedEntity whole;
    private volatile @Nullable Partitions fragments;

    ServedEntity(Shard shard, EntityRow row, EntityDirectory namespace) {
        super(shard.mailbox(), row);
        this.shard = shard;
        this.namespace = namespace;
        this.meter = new OperationMeter(namespace.nowMs());
        this.whole = null;
    }

    /** Creates a fragment of a partitioned entity, whose description it follows. */
    ServedEntity(Shard shard, long id, ServedEntity whole, int fragment) {
        super(shard.mailbox(), id, whole, fragment);
        this.shard = shard;
        this.namespace = whole.namespace;
        this.meter = new OperationMeter(whole.namespace.nowMs());
        this.whole = whole;
    }

    /** Returns the partitioned entity that this is a fragment of; null if it is no fragment. */
    public final @Nullable ServedEntity whole() {
        return whole;
    }

    /** Returns the fragments of a partitioned entity; null if it is not partitioned. */
    public final @Nullable Partitions fragments() {
        return fragments;
    }

    /** Makes it a partitioned entity, before it is visible. */
    public final void partition(Partitions parts) {
        fragments = parts;
    }

    /** Returns the shard that hosts it. */
    public final Shard shard() {
        return shard;
    }

    /** Returns its namespace. */
    public final EntityDirectory namespace() {
        return namespace;
    }

    @Override
    public final NamespaceOptions namespaceOptions() {
        return namespace.options();
    }

    @Override
    public final OperationMeter meter() {
        return meter;
    }

    // --- its description ---

    /**
     * Returns the description with the maximum size of a fragment: the whole size, or in PREMIUM its share of that
     * (PART-18, PART-20).
     */
    final QueueDescription sized(QueueDescription description) {
        if (whole == null) {
            return description;
        }
        long asked = description.maxSizeInMegabytes();
        long share = Math.max(1, fragmentBytes(asked) >> 20);
        return share == asked
                ? description
                : description.toBuilder().maxSizeInMegabytes(share).build();
    }

    /** Returns the maximum size in bytes of a fragment of an entity of that size in megabytes (QUOTA-4). */
    public final long fragmentBytes(long megabytes) {
        return namespace.partitioning().fragmentBytesMax(megabytes, true, limits().tier());
    }

    /** Returns the durable lock duration of its messages in milliseconds; 0 for a topic, which has none. */
    public final long lockDurationMs() {
        EntityDescription description = description();
        if (description instanceof QueueDescription queue) {
            return queue.lockDurationMs();
        }
        return description instanceof SubscriptionDescription subscription ? subscription.lockDurationMs() : 0;
    }

    @Override
    protected final void settled() {
        namespace.settleRules(this, super.description().accessRules());
    }

    @Override
    public void list() {
        if (whole == null) {
            namespace.list(this);
        }
    }

    @Override
    public void unlist() {
        super.unlist();
        if (whole == null) {
            namespace.unlist(this);
            namespace.settleRules(this, List.of());
        }
    }

    @Override
    public EntityAvailability availability() {
        Partitions parts = fragments;
        boolean whole = parts == null || (parts.areAllAvailable() && parts.areAllIntact());
        return shard.isServing() && !isDamaged() && whole ? EntityAvailability.AVAILABLE : EntityAvailability.LIMITED;
    }

    // --- its fragments ---

    @Override
    public final boolean isPartitioned() {
        return fragments != null;
    }

    @Override
    public final boolean areFragmentsInUse() {
        Partitions parts = fragments;
        return parts != null && parts.isInUse();
    }

    @Override
    public final boolean areFragmentsAwaited() {
        Partitions parts = fragments;
        return parts != null && parts.isAwaited();
    }

    @Override
    public final void catchUpFragments(EntityDescription shown, List<Rule> shownRules) {
        Partitions parts = fragments;
        if (parts != null) {
            parts.catchUp(shown, shownRules);
        }
    }

    @Override
    public final void deleteFragments() {
        Partitions parts = fragments;
        if (parts != null) {
            parts.deleteAll();
        }
    }

    @Override
    public final SendTarget destination(List<IncomingMessage> messages) {
        Partitions parts = fragments;
        return parts == null ? SendTarget.of(this) : parts.destination(messages);
    }

    @Override
    public final @Nullable ServedEntity sibling(String path) {
        return namespace.named(path);
    }

    // --- its forwarding ---

    private @Nullable String forwardTo() {
        EntityDescription description = description();
        if (description instanceof QueueDescription queue) {
            return queue.forwardTo();
        }
        return description instanceof SubscriptionDescription subscription ? subscription.forwardTo() : null;
    }

    @Override
    public final @Nullable Entity forwardDestination() {
        String named = forwardTo();
        ServedEntity found = named == null ? null : namespace.named(ForwardingNotes.pathOf(named));
        return found == null || !found.isKnown() || found.kind() == EntityKind.SUBSCRIPTION ? null : found;
    }

    @Override
    public final TransferFailure transferFailure(@Nullable Rejection refusal) {
        return ForwardingRules.fate(
                namespaceOptions().transferFailureTarget(),
                refusal == null ? ForwardingRules.gone(forwardTo()) : refusal);
    }

    // --- its messages ---

    @Override
    public MessageCounts counts() {
        Partitions parts = fragments;
        return parts == null ? shownCounts() : parts.counts();
    }

    @Override
    public final EntityFigures figures() {
        Partitions parts = fragments;
        return parts == null ? shownFigures() : parts.figures();
    }

    @Override
    public final long accessedAtMs() {
        Partitions parts = fragments;
        return parts == null ? shownAccessedAtMs() : Math.max(shownAccessedAtMs(), parts.accessedAtMs());
    }

    /** Returns the meter of this entity, or of the whole if this is a fragment. */
    private OperationMeter metered() {
        return whole == null ? meter : whole.meter;
    }

    /**
     * Returns whether a command counts as one call, regardless of the number of fragments that execute it (PART-15).
     */
    public static boolean isCountedByTheWhole(Command command) {
        return command.kind().metering().isOfEntity();
    }

    @Override
    public final void countDone(Command command, Reply reply) {
        if (whole == null || !isCountedByTheWhole(command)) {
            count(command, reply);
        }
    }

    @Override
    public final void count(Command command, Reply reply) {
        metered().count(command, reply);
        namespace.meter().count(command, reply);
        namespace.throttle().count(command, reply);
    }

    /** Counts a delivery. */
    public final void countDelivery(MessageView message) {
        int size = message.content().sizeBytes();
        countDeliveries(1, Meter.units(size), size);
    }

    @Override
    public final void countDeliveries(int messages, long operations, long bytes) {
        metered().countDeliveries(operations, bytes);
        namespace.meter().countDeliveries(operations, bytes);
        namespace.throttle().countDeliveries(messages);
    }

    @Override
    public final void countTransfer(int sizeBytes) {
        metered().countTransfer(sizeBytes);
        namespace.meter().countTransfer(sizeBytes);
    }

    @Override
    public final void countEmptyReceive() {
        metered().countEmptyReceive();
        namespace.meter().countEmptyReceive();
    }

    @Override
    public final void countCall() {
        namespace.countCall(whole == null ? this : whole);
    }

    @Override
    public final void countRefusal(Command command, Rejection rejection) {
        if (command.kind() == CommandKind.ACCEPT_SESSION && rejection.code() == ErrorCode.TIMEOUT) {
            countEmptyReceive();
        }
    }

    @Override
    public final void submit(Command command, Executor executor, ReplyListener listener) {
        Rejection refusal = admit(command);
        Partitions parts = fragments;
        if (refusal != null) {
            executor.execute(() -> listener.onRejected(refusal));
        } else if (parts != null) {
            parts.submit(command, executor, listener);
        } else {
            enqueue(command, executor, listener);
        }
    }

    @Override
    public final void replace(Replacement replacement, Executor executor, ReplyListener listener) {
        ServedEntity holder = holder(replacement.sequenceNumber());
        SendTarget target = ReplacementTarget.of(this, holder, replacement);
        Rejection refusal = target.refusal();
        HostedEntity destination = target.entity();
        if (refusal != null || destination == null) {
            Rejection told = refusal == null ? Rejection.of(ErrorCode.ENTITY_NOT_FOUND) : refusal;
            executor.execute(() -> listener.onRejected(told));
            return;
        }
        ShardTask task = EntityTasks.replacement(
                holder.shard.replacements(), holder, destination, replacement, executor, listener);
        if (!holder.shard.mailbox().offer(task)) {
            task.refuse(tooMuch());
        }
    }

    /** Returns this entity, or its fragment that a sequence number names. */
    private ServedEntity holder(long sequenceNumber) {
        Partitions parts = fragments;
        if (parts == null) {
            return this;
        }
        int fragment = FragmentNumbers.fragment(sequenceNumber);
        return parts.part(fragment < parts.count() ? fragment : 0); // which has no message of that number
    }

    @Override
    public final boolean settlesTogether() {
        return fragments == null;
    }

    /** Puts a command into the shard's mailbox. A command that adds messages is refused if the mailbox is full. */
    public final void enqueue(Command command, Executor executor, ReplyListener listener) {
        ShardTask task = EntityTasks.command(shard.commands(), id(), command, executor, listener);
        if (!command.kind().needsCapacity()) {
            shard.mailbox().put(task);
        } else if (!shard.mailbox().offer(task)) {
            task.refuse(tooMuch());
        }
    }

    /** Returns the refusal of a send while too many messages wait. */
    public static Rejection tooMuch() {
        return new Rejection(
                ErrorCode.SERVER_BUSY,
                "Too many messages wait to be stored. Error code : 50002. Please wait 10 seconds and try again.");
    }

    /** Returns a unique number for a receiver. */
    static long nextReceiverId() {
        return RECEIVER_IDS.incrementAndGet();
    }

    @Override
    public final Receiver attach(
            ConnectionReceivers home,
            SubQueue subQueue,
            ReceiveMode mode,
            ReceiverListener listener,
            ReplyListener reply) {
        long receiverId = nextReceiverId();
        Command.AttachReceiver command = new Command.AttachReceiver(receiverId, subQueue, mode);
        Partitions parts = fragments;
        Rejection refusal = parts == null ? null : admit(command);
        if (parts != null && refusal == null) {
            parts.attach(home, command, listener, reply);
        } else if (refusal != null) {
            home.executor().execute(() -> reply.onRejected(refusal));
        } else {
            put(EntityTasks.attach(shard.commands(), id(), command, home.executor(), listener, reply), command);
        }
        return parts == null ? hosted(receiverId) : receiver(receiverId);
    }

    @Override
    public final Receiver acceptSession(
            @Nullable String sessionId,
            ReceiveMode mode,
            long waitMs,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        long receiverId = nextReceiverId();
        Command.AcceptSession command = new Command.AcceptSession(receiverId, sessionId, mode, waitMs);
        Partitions parts = fragments;
        Rejection refusal = parts == null ? null : admit(command);
        if (parts != null && refusal == null) {
            parts.acceptSession(command, executor, listener, reply);
        } else if (refusal != null) {
            executor.execute(() -> reply.onRejected(refusal));
        } else {
            put(EntityTasks.accept(shard.commands(), id(), command, executor, listener, reply), command);
        }
        return parts == null ? hosted(receiverId) : receiver(receiverId);
    }

    /** Attaches a receiver to this fragment on behalf of a receiver of the whole. */
    public final Receiver attachPart(
            SubQueue subQueue, ReceiveMode mode, Executor executor, ReceiverListener listener, ReplyListener reply) {
        long receiverId = nextReceiverId();
        Command.AttachReceiver command = new Command.AttachReceiver(receiverId, subQueue, mode);
        shard.mailbox().put(EntityTasks.attach(shard.commands(), id(), command, executor, listener, reply));
        return hosted(receiverId);
    }

    /** Accepts a session in this fragment on behalf of a receiver of the whole. */
    public final Receiver acceptPart(
            @Nullable String sessionId,
            ReceiveMode mode,
            long waitMs,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        long receiverId = nextReceiverId();
        Command.AcceptSession command = new Command.AcceptSession(receiverId, sessionId, mode, waitMs);
        shard.mailbox().put(EntityTasks.accept(shard.commands(), id(), command, executor, listener, reply));
        return hosted(receiverId);
    }

    /** Returns a handle of a receiver at this entity's own shard. */
    private Receiver hosted(long receiverId) {
        return receiver(receiverId, new CreditTask(shard.commands(), shard.mailbox(), id()));
    }

    /**
     * Keeps the lock of a prefetched message that its connection did not take. Another receiver may recall it
     * (PART-60).
     */
    public final void keep(UUID token) {
        if (unclaimed().keep(token)) {
            shard.mailbox().put(EntityTasks.recall(shard.commands(), id()));
        }
    }

    /** Ends the claim of a prefetched lock after its settlement succeeded or was refused. */
    public final void finish(UUID token, @Nullable Rejection refusal) {
        if (refusal != null && refusal.code() == ErrorCode.MESSAGE_LOCK_LOST) {
            // The lock may have expired before the fragment has ended it. The entry stays until the fragment has
            // processed this task.
            shard.mailbox().put(EntityTasks.forget(shard.commands(), this, token));
        } else {
            unclaimed().forget(token);
        }
    }

    /** Returns the refusal of a command, or null. A command that is not refused has taken its credits. */
    private @Nullable Rejection admit(Command command) {
        Rejection refusal = refuse(command);
        return refusal == null ? namespace.throttle().refuse(command) : refusal;
    }

    private void put(ShardTask task, Command command) {
        Rejection refusal = admit(command);
        if (refusal != null) {
            task.refuse(refusal);
        } else {
            shard.mailbox().put(task);
        }
    }

    /** Returns the refusal of a command that this kind of entity does not support; null for commands that make room. */
    @Nullable
    Rejection refuse(Command command) {
        return switch (command.kind().direction()) {
            case IN -> unservedSends();
            case OUT -> unservedReceives(((Command.NamesSubQueue) command).subQueue());
            case NEITHER -> null;
        };
    }

    /**
     * Ends a receiver of this fragment that no caller has seen yet. The session keeps its position in the queue
     * (SESS-5).
     */
    public final void giveBack(long receiverId) {
        shard.mailbox().put(EntityTasks.detach(shard.commands(), id(), new Command.DetachReceiver(receiverId, true)));
    }

    @Override
    protected final void forget(long receiverId) {
        Partitions parts = fragments;
        if (parts != null) {
            parts.forget(receiverId);
            return;
        }
        shard.mailbox().put(EntityTasks.detach(shard.commands(), id(), new Command.DetachReceiver(receiverId)));
    }
}
