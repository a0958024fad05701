package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An entity that a shard owns. The shard's thread changes {@link #latest}; everybody else sees {@link #durable}, which
 * follows once the change is committed.
 */
abstract class ServedEntity extends Entity {
    private static final AtomicLong RECEIVER_IDS = new AtomicLong();
    private static final Totals NOTHING = new Totals(new MessageCounts(0, 0, 0, 0, 0, 0, 0, 0), 0, EntityFigures.NONE);

    private final Shard shard;
    private final long id;
    private final ServedNamespace namespace;
    private final @Nullable ServedEntity whole;
    private final int fragment;
    private volatile @Nullable Fragments fragments;

    private final UnclaimedLocks unclaimed = new UnclaimedLocks();

    private EntityRow latest;
    private volatile EntityRow durable;
    private volatile boolean known;
    private volatile boolean gone;
    private volatile boolean damaged;
    private volatile Totals totals = NOTHING;

    /** What is shown of the entity's state. */
    private record Totals(MessageCounts counts, long accessedAtMs, EntityFigures figures) {}

    ServedEntity(Shard shard, EntityRow row, ServedNamespace namespace) {
        super(namespace.nowMs());
        this.shard = shard;
        this.id = row.entityId();
        this.namespace = namespace;
        this.latest = row;
        this.durable = row;
        this.whole = null;
        this.fragment = 0;
    }

    /** A fragment of a partitioned entity, whose description it follows. */
    ServedEntity(Shard shard, long id, ServedEntity whole, int fragment) {
        super(whole.namespace.nowMs());
        this.shard = shard;
        this.id = id;
        this.namespace = whole.namespace;
        this.latest = whole.durable;
        this.durable = whole.durable;
        this.whole = whole;
        this.fragment = fragment;
    }

    /** Number of the fragment; 0 of an ordinary entity. */
    final int fragment() {
        return fragment;
    }

    /** The partitioned entity that this is a fragment of; null if it is none. */
    final @Nullable ServedEntity whole() {
        return whole;
    }

    /** The fragments of a partitioned entity; null if it is none. */
    final @Nullable Fragments fragments() {
        return fragments;
    }

    /** Makes it a partitioned entity, before anybody knows of it. */
    final void partition(Fragments parts) {
        fragments = parts;
    }

    final long id() {
        return id;
    }

    final Shard shard() {
        return shard;
    }

    final ServedNamespace namespace() {
        return namespace;
    }

    final NamespaceOptions namespaceOptions() {
        return namespace.options();
    }

    final Limits limits() {
        return namespace.limits();
    }

    // --- its description ---

    /**
     * What the shard has made of it, committed or not; of a fragment what is durable of the whole. For the shard's thread.
     */
    final EntityRow latest() {
        return whole == null ? latest : whole.durable;
    }

    private EntityRow durable() {
        return whole == null ? durable : whole.durable;
    }

    /** The latest description as the state of its messages needs it. For the shard's thread. */
    abstract QueueDescription asQueue();

    /** How large a fragment may become: as large as is asked for, in PREMIUM its share of that (PART-18, PART-20). */
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

    /** How many bytes a fragment of an entity of that size may hold (QUOTA-4). */
    final long fragmentBytes(long megabytes) {
        return namespace.partitioning().fragmentBytesMax(megabytes, true, limits().tier());
    }

    /** How long locks of its messages last, milliseconds, as it is durable; 0 of a topic, which has none. */
    final long lockDurationMs() {
        EntityDescription description = description();
        if (description instanceof QueueDescription queue) {
            return queue.lockDurationMs();
        }
        return description instanceof SubscriptionDescription subscription ? subscription.lockDurationMs() : 0;
    }

    /** Changes it in the shard. For the shard's thread. */
    final void change(EntityRow row) {
        latest = row;
    }

    /** The store has it as it is now in the shard: everybody may see it. */
    void settle() {
        if (whole == null) {
            durable = latest;
        }
        known = true;
        if (whole == null) {
            namespace.settleRules(this, durable.description().accessRules());
        }
    }

    /** Whether it is a fragment of an entity that is no more. */
    final boolean isOrphan() {
        return whole != null && whole.gone;
    }

    /** Whether its creation is committed. */
    final boolean isKnown() {
        return known;
    }

    /** The store has it: its name is taken. */
    void list() {
        if (whole == null) {
            namespace.list(this);
        }
    }

    /** The store does not have it: its name is free, and whoever still holds it hears that there is no such entity. */
    void unlist() {
        known = false;
        gone = true;
        if (whole == null) {
            namespace.unlist(this);
            namespace.settleRules(this, List.of());
        }
    }

    @Override
    public final String path() {
        return durable().description().path();
    }

    @Override
    public EntityDescription description() {
        return durable().description();
    }

    @Override
    public final boolean isGone() {
        return gone;
    }

    @Override
    public final long createdAtMs() {
        return durable().createdAtMs();
    }

    @Override
    public final long updatedAtMs() {
        return durable().updatedAtMs();
    }

    @Override
    public EntityAvailability availability() {
        Fragments parts = fragments;
        boolean whole = parts == null || (parts.areAllAvailable() && parts.areAllIntact());
        return shard.isServing() && !damaged && whole ? EntityAvailability.AVAILABLE : EntityAvailability.LIMITED;
    }

    /** Whether it is out of service because a row of it is damaged, though the store works. */
    final boolean isDamaged() {
        return damaged;
    }

    /** It goes out of service or comes back; {@link DamagedEntities} decides. */
    final void setDamaged(boolean now) {
        damaged = now;
    }

    // --- its messages ---

    /** Shows what was committed. For the shard's thread. */
    final void publish(MessageCounts counts, long accessedAtMs, EntityFigures figures) {
        totals = new Totals(counts, accessedAtMs, figures);
    }

    @Override
    public MessageCounts counts() {
        Fragments parts = fragments;
        return parts == null ? totals.counts : parts.counts();
    }

    @Override
    public final EntityFigures figures() {
        Fragments parts = fragments;
        return parts == null ? totals.figures : parts.figures();
    }

    @Override
    public final long accessedAtMs() {
        Fragments parts = fragments;
        return parts == null ? totals.accessedAtMs : Math.max(totals.accessedAtMs, parts.accessedAtMs());
    }

    /** What is counted of a fragment is counted of the whole. */
    private Meter metered() {
        return whole == null ? meter() : whole.meter();
    }

    /** Counts a command that a shard has carried out, if it is not a share of what the whole counts once (PART-15). */
    final void countDone(Command command, Reply reply) {
        if (whole == null || !FragmentCommands.isCountedByTheWhole(command)) {
            count(command, reply);
        }
    }

    /** Counts a command that was carried out, for the meter and for throttling. */
    final void count(Command command, Reply reply) {
        metered().count(command, reply);
        namespace.meter().count(command, reply);
        namespace.throttle().count(command, reply);
    }

    final void countDelivery(MessageView message) {
        int size = message.content().sizeBytes();
        countDeliveries(1, Meter.units(size), size);
    }

    /** Counts deliveries that were made together: messages, operations, bytes. */
    final void countDeliveries(int messages, long operations, long bytes) {
        metered().countDeliveries(operations, bytes);
        namespace.meter().countDeliveries(operations, bytes);
        namespace.throttle().countDeliveries(messages);
    }

    /** A message of that size was handed on to another entity: an operation of this one (MET-1, FWD-16). */
    final void countTransfer(int sizeBytes) {
        metered().countTransfer(sizeBytes);
        namespace.meter().countTransfer(sizeBytes);
    }

    final void countEmptyReceive() {
        metered().countEmptyReceive();
        namespace.meter().countEmptyReceive();
    }

    /** Counts a call whose answer had to wait. */
    final void countCall() {
        namespace.countCall(whole == null ? this : whole);
    }

    /** Counts what was refused: free, but for a session that was waited for and did not come (MET-1). */
    final void countRefusal(Command command, Rejection rejection) {
        if (command instanceof Command.AcceptSession && rejection.code() == ErrorCode.TIMEOUT) {
            countEmptyReceive();
        }
    }

    @Override
    public final void submit(Command command, Executor executor, ReplyListener listener) {
        Rejection refusal = admit(command);
        Fragments parts = fragments;
        if (refusal != null) {
            executor.execute(() -> listener.onRejected(refusal));
        } else if (parts != null) {
            parts.commands().submit(command, executor, listener);
        } else {
            enqueue(command, executor, listener);
        }
    }

    @Override
    public final boolean settlesTogether() {
        return fragments == null;
    }

    /** Puts a command into the shard's mailbox, if it is not too full for one that adds messages. */
    final void enqueue(Command command, Executor executor, ReplyListener listener) {
        Mailbox.Letter letter = Letters.command(id, command, executor, listener);
        if (!(command instanceof Command.SendMessages)) {
            shard.mailbox().put(letter);
        } else if (!shard.mailbox().offer(letter)) {
            letter.refuse(tooMuch());
        }
    }

    /** What a send hears while too many wait. */
    static Rejection tooMuch() {
        return new Rejection(
                ErrorCode.SERVER_BUSY,
                "Too many messages wait to be stored. Error code : 50002. Please wait 10 seconds and try again.");
    }

    /** A number for a receiver that nobody else has. */
    static long nextReceiverId() {
        return RECEIVER_IDS.incrementAndGet();
    }

    @Override
    public final Receiver attach(
            ReceiverHome home, SubQueue subQueue, ReceiveMode mode, ReceiverListener listener, ReplyListener reply) {
        long receiverId = nextReceiverId();
        Command.AttachReceiver command = new Command.AttachReceiver(receiverId, subQueue, mode);
        Fragments parts = fragments;
        Rejection refusal = parts == null ? null : admit(command);
        if (parts != null && refusal == null) {
            parts.receivers().attach(home, command, listener, reply);
        } else if (refusal != null) {
            home.executor().execute(() -> reply.onRejected(refusal));
        } else {
            put(Letters.attach(id, command, home.executor(), listener, reply), command);
        }
        return new Receiver(this, receiverId);
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
        Fragments parts = fragments;
        Rejection refusal = parts == null ? null : admit(command);
        if (parts != null && refusal == null) {
            parts.receivers().acceptSession(command, executor, listener, reply);
        } else if (refusal != null) {
            executor.execute(() -> reply.onRejected(refusal));
        } else {
            put(Letters.accept(id, command, executor, listener, reply), command);
        }
        return new Receiver(this, receiverId);
    }

    /** Attaches a receiver to this fragment for one of the whole. */
    final Receiver attachPart(
            SubQueue subQueue, ReceiveMode mode, Executor executor, ReceiverListener listener, ReplyListener reply) {
        long receiverId = nextReceiverId();
        Command.AttachReceiver command = new Command.AttachReceiver(receiverId, subQueue, mode);
        shard.mailbox().put(Letters.attach(id, command, executor, listener, reply));
        return new Receiver(this, receiverId);
    }

    /** Asks this fragment for a session for somebody who asked the whole. */
    final Receiver acceptPart(
            @Nullable String sessionId,
            ReceiveMode mode,
            long waitMs,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply) {
        long receiverId = nextReceiverId();
        Command.AcceptSession command = new Command.AcceptSession(receiverId, sessionId, mode, waitMs);
        shard.mailbox().put(Letters.accept(id, command, executor, listener, reply));
        return new Receiver(this, receiverId);
    }

    /** Locks of this fragment whose messages nobody has got. */
    final UnclaimedLocks unclaimed() {
        return unclaimed;
    }

    /** A message of this fragment is locked for a connection that has not asked for it; another receiver may have (PART-60). */
    final void keep(UUID token) {
        if (unclaimed.keep(token)) {
            shard.mailbox().put(Letters.recall(id));
        }
    }

    /** What was to become of a lock that was claimed has become of it, or was refused. */
    final void finish(UUID token, @Nullable Rejection refusal) {
        if (refusal != null && refusal.code() == ErrorCode.MESSAGE_LOCK_LOST) {
            // Its time may be over although the fragment has not ended it yet: until then this is not forgotten.
            shard.mailbox().put(Letters.forget(this, token));
        } else {
            unclaimed.forget(token);
        }
    }

    /** Why a command is not taken, or null; what is taken has its credits. */
    private @Nullable Rejection admit(Command command) {
        Rejection refusal = refuse(command);
        return refusal == null ? namespace.throttle().refuse(command) : refusal;
    }

    private void put(Mailbox.Letter letter, Command command) {
        Rejection refusal = admit(command);
        if (refusal != null) {
            letter.refuse(refusal);
        } else {
            shard.mailbox().put(letter);
        }
    }

    /** What this kind of entity never takes, or does not take in this version; what makes room always is. */
    @Nullable
    Rejection refuse(Command command) {
        if (command instanceof Command.SendMessages) {
            return unservedSends();
        } else if (command instanceof Command.AttachReceiver attach) {
            return unservedReceives(attach.subQueue());
        } else if (command instanceof Command.AcceptSession) {
            return unservedReceives(SubQueue.MAIN);
        } else if (command instanceof Command.ReceiveDeferredMessages receive) {
            return unservedReceives(receive.subQueue());
        }
        return null;
    }

    /** Ends a receiver of this fragment that nobody knows of; its session keeps its place (SESS-5). */
    final void giveBack(long receiverId) {
        shard.mailbox().put(Letters.detach(id, new Command.DetachReceiver(receiverId, true)));
    }

    @Override
    final void forget(long receiverId) {
        Fragments parts = fragments;
        if (parts != null) {
            parts.receivers().forget(receiverId);
            return;
        }
        shard.mailbox().put(Letters.detach(id, new Command.DetachReceiver(receiverId)));
    }
}
