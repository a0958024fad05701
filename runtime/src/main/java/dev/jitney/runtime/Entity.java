package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.model.EntityAvailability;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityKind;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.model.rule.Rule;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A queue, topic or subscription as gateways see it: what is known about it, and where commands for it go. Any thread may
 * call it. Stays valid after the entity is deleted; commands are then rejected with
 * {@link dev.jitney.model.ErrorCode#ENTITY_NOT_FOUND}.
 */
public abstract class Entity {
    private static final MessageCounts NO_MESSAGES = new MessageCounts(0, 0, 0, 0, 0, 0, 0, 0);

    /** For those who serve entities. */
    protected Entity() {}

    /** The path as created; of a subscription {@code topic/Subscriptions/name}. */
    public abstract String path();

    /** The description in force when asked. */
    public abstract EntityDescription description();

    /** Whether it is a queue, a topic or a subscription. */
    public final EntityKind kind() {
        return description().kind();
    }

    /**
     * Whether it was deleted. It stays so: an entity that is created under the same path is another one, which
     * {@link Namespace#entity} gives.
     */
    public boolean isGone() {
        return false;
    }

    /** When it was created, milliseconds since the epoch. */
    public long createdAtMs() {
        return 0;
    }

    /** When its description was last changed, milliseconds since the epoch. */
    public long updatedAtMs() {
        return 0;
    }

    /** The last activity (CNT-4), milliseconds since the epoch, or 0 if there was none. */
    public long accessedAtMs() {
        return 0;
    }

    /** Counters as of the last commit that changed them; exact when the entity is quiet (chapter 21). Costs nothing. */
    public MessageCounts counts() {
        return NO_MESSAGES;
    }

    /** What happened to its messages since the process started, as of the last commit that changed it. Costs nothing. */
    public EntityFigures figures() {
        return EntityFigures.NONE;
    }

    /** Whether the stores it is kept in work, all of them (CNT-4, PART-58); what is known of it is shown in either case. */
    public EntityAvailability availability() {
        return EntityAvailability.AVAILABLE;
    }

    /** The subscriptions of a topic in the order of their names; none of others. */
    public List<Entity> subscriptions() {
        return List.of();
    }

    /** The rules of a subscription in the order of their names; none of others. */
    public List<Rule> rules() {
        return List.of();
    }

    /** Why no messages can be sent to it, or null if they can: a feature that this version does not have, for example. */
    public @Nullable Rejection unservedSends() {
        return null;
    }

    /** Why no messages can be received from it or its sub-queue, or null if they can. */
    public @Nullable Rejection unservedReceives(SubQueue subQueue) {
        return null;
    }

    /** Operations and bytes; those of a subscription are not counted for its topic. */
    public abstract Meter meter();

    /**
     * Whether settling many locks with one command costs less than with one command each (LOCK-13): nearly always, but not
     * where several fragments have to agree before.
     */
    public boolean settlesTogether() {
        return true;
    }

    /** Largest encoded message or batch it takes, in bytes (QUOTA-5). */
    public abstract long maxMessageSizeBytes();

    /**
     * Hands a command to the entity's shard. Sends may be rejected with {@link dev.jitney.model.ErrorCode#SERVER_BUSY}
     * while too much waits, sends, receives and peeks with {@link dev.jitney.model.ErrorCode#THROTTLED} when the
     * namespace has no throttling credits left (THR-1);
     * commands that make room never are.
     *
     * @param executor where the listener is called; calls for one executor keep their order
     */
    public abstract void submit(Command command, Executor executor, ReplyListener listener);

    /**
     * Attaches a receiver without credit.
     *
     * @param home that of the connection, on whose executor the receiver is told; what it has fetched from partitions and not
     *     asked for is there for other receivers of the home
     * @param reply told {@link dev.jitney.core.Reply.Done} or why not, before the receiver hears anything
     */
    public abstract Receiver attach(
            ConnectionReceivers home,
            SubQueue subQueue,
            ReceiveMode mode,
            ReceiverListener listener,
            ReplyListener reply);

    /** Attaches a receiver that shares nothing with others: what it has fetched and not asked for is given back when it goes. */
    public final Receiver attach(
            SubQueue subQueue, ReceiveMode mode, Executor executor, ReceiverListener listener, ReplyListener reply) {
        return attach(ConnectionReceivers.ofOne(executor), subQueue, mode, listener, reply);
    }

    /**
     * Locks a session and attaches a receiver of it without credit (SESS-4, SESS-5).
     *
     * @param sessionId the session, or null for the next available one
     * @param waitMs how long to wait for the next available one, milliseconds
     * @param reply told {@link dev.jitney.core.Reply.SessionAccepted} or why not, before the receiver hears anything;
     *     {@link Receiver#detach} before that ends the wait, and then nothing may be told at all
     */
    public abstract Receiver acceptSession(
            @Nullable String sessionId,
            ReceiveMode mode,
            long waitMs,
            Executor executor,
            ReceiverListener listener,
            ReplyListener reply);

    /** Ends a receiver of this entity. */
    protected abstract void forget(long receiverId);

    /** The receiver with a number that this entity has given. */
    protected final Receiver receiver(long receiverId) {
        return new Receiver(this, receiverId);
    }
}
