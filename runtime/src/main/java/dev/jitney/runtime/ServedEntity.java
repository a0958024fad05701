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
    private EntityRow latest;
    private volatile EntityRow durable;
    private volatile boolean known;
    private volatile @Nullable Rejection unserved;
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

    /** What the shard has made of it, committed or not. For the shard's thread. */
    final EntityRow latest() {
        return latest;
    }

    /** The latest description as the state of its messages needs it. For the shard's thread. */
    abstract QueueDescription asQueue();

    /** Changes it in the shard. For the shard's thread. */
    final void change(EntityRow row) {
        latest = row;
    }

    /** The store has it as it is now in the shard: everybody may see it. */
    void settle() {
        durable = latest;
        unserved = ServedFeatures.refuse(latest.description());
        known = true;
    }

    /** Whether its creation is committed. */
    final boolean isKnown() {
        return known;
    }

    /** The store has it: its name is taken. */
    final void list() {
        namespace.list(this);
    }

    /** The store does not have it: its name is free, and whoever still holds it hears that there is no such entity. */
    void unlist() {
        known = false;
        unserved = null;
        namespace.unlist(this);
    }

    @Override
    public final String path() {
        return durable.description().path();
    }

    @Override
    public EntityDescription description() {
        return durable.description();
    }

    @Override
    public final long createdAtMs() {
        return durable.createdAtMs();
    }

    @Override
    public final long updatedAtMs() {
        return durable.updatedAtMs();
    }

    /** Why this version does not do what its description asks for, or null if it does. */
    final @Nullable Rejection unserved() {
        return unserved;
    }

    @Override
    public @Nullable Rejection unservedSends() {
        return unserved;
    }

    @Override
    public @Nullable Rejection unservedReceives(SubQueue subQueue) {
        return unserved;
    }

    @Override
    public EntityAvailability availability() {
        return shard.isServing() ? EntityAvailability.AVAILABLE : EntityAvailability.LIMITED;
    }

    // --- its messages ---

    /** Shows what was committed. For the shard's thread. */
    final void publish(MessageCounts counts, long accessedAtMs, EntityFigures figures) {
        totals = new Totals(counts, accessedAtMs, figures);
    }

    @Override
    public MessageCounts counts() {
        return totals.counts;
    }

    @Override
    public final EntityFigures figures() {
        return totals.figures;
    }

    @Override
    public final long accessedAtMs() {
        return totals.accessedAtMs;
    }

    /** Counts a command that was carried out, for the meter and for throttling. */
    final void count(Command command, Reply reply) {
        meter().count(command, reply);
        namespace.meter().count(command, reply);
        namespace.throttle().count(command, reply);
    }

    final void countDelivery(MessageView message) {
        meter().countDelivery(message);
        namespace.meter().countDelivery(message);
        namespace.throttle().countDelivery();
    }

    /** A message of that size was handed on to another entity: an operation of this one (MET-1, FWD-16). */
    final void countTransfer(int sizeBytes) {
        meter().countTransfer(sizeBytes);
        namespace.meter().countTransfer(sizeBytes);
    }

    final void countEmptyReceive() {
        meter().countEmptyReceive();
        namespace.meter().countEmptyReceive();
    }

    /** Counts a call whose answer had to wait. */
    final void countCall() {
        namespace.countCall(this);
    }

    /** Counts what was refused: free, but for a session that was waited for and did not come (MET-1). */
    final void countRefusal(Command command, Rejection rejection) {
        if (command instanceof Command.AcceptSession && rejection.code() == ErrorCode.TIMEOUT) {
            countEmptyReceive();
        }
    }

    @Override
    public final void submit(Command command, Executor executor, ReplyListener listener) {
        Mailbox.Letter letter = Letters.command(id, command, executor, listener);
        Rejection refusal = refuse(command);
        if (refusal == null) {
            refusal = namespace.throttle().refuse(command);
        }
        if (refusal != null) {
            letter.refuse(refusal);
        } else if (!(command instanceof Command.SendMessages)) {
            shard.mailbox().put(letter);
        } else if (!shard.mailbox().offer(letter)) {
            letter.refuse(new Rejection(
                    ErrorCode.SERVER_BUSY,
                    "Too many messages wait to be stored. Error code : 50002. Please wait 10 seconds and try again."));
        }
    }

    @Override
    public final Receiver attach(
            SubQueue subQueue, ReceiveMode mode, Executor executor, ReceiverListener listener, ReplyListener reply) {
        long receiverId = RECEIVER_IDS.incrementAndGet();
        Command.AttachReceiver command = new Command.AttachReceiver(receiverId, subQueue, mode);
        Mailbox.Letter letter = Letters.attach(id, command, executor, listener, reply);
        put(letter, command);
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
        long receiverId = RECEIVER_IDS.incrementAndGet();
        Command.AcceptSession command = new Command.AcceptSession(receiverId, sessionId, mode, waitMs);
        put(Letters.accept(id, command, executor, listener, reply), command);
        return new Receiver(this, receiverId);
    }

    private void put(Mailbox.Letter letter, Command command) {
        Rejection refusal = refuse(command);
        if (refusal == null) {
            refusal = namespace.throttle().refuse(command);
        }
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

    @Override
    final void forget(long receiverId) {
        shard.mailbox().put(Letters.detach(id, receiverId));
    }
}
