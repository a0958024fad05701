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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue, topic or subscription as gateways see it: its properties, and the destination of commands for it. Any
 * thread may call it. An instance stays valid after the entity is deleted; commands are then rejected with
 * {@link dev.jitney.model.ErrorCode#ENTITY_NOT_FOUND}.
 */
public abstract class Entity {
    private static final MessageCounts NO_MESSAGES = new MessageCounts(0, 0, 0, 0, 0, 0, 0, 0);

    /** For subclasses that serve entities. */
    protected Entity() {}

    /** Returns the path as created; for a subscription, {@code topic/Subscriptions/name}. */
    public abstract String path();

    /** Returns the current description. */
    public abstract EntityDescription description();

    /** Returns whether the entity is a queue, a topic or a subscription. */
    public final EntityKind kind() {
        return description().kind();
    }

    /** Returns whether the entity has partitions, which keep its messages. A subscription is partitioned like its topic (PART-27). */
    public boolean isPartitioned() {
        return false;
    }

    /**
     * Returns whether the entity was deleted. This never changes back: an entity created later under the same path is
     * another instance, which {@link Namespace#entity} returns.
     */
    public boolean isGone() {
        return false;
    }

    /**
     * Returns the number of the entity, which is unique within the broker and stays the same over restarts. An entity created later under
     * the same path has another one.
     */
    public long id() {
        return 0;
    }

    /** Returns the creation time in milliseconds since the epoch. */
    public long createdAtMs() {
        return 0;
    }

    /** Returns the time of the last change of the description, in milliseconds since the epoch. */
    public long updatedAtMs() {
        return 0;
    }

    /** Returns the time of the last activity (CNT-4) in milliseconds since the epoch, or 0 if there was none. */
    public long accessedAtMs() {
        return 0;
    }

    /**
     * Returns the counters as of the last commit that changed them. They are exact when the entity is quiet (chapter
     * 21). Cheap to call.
     */
    public MessageCounts counts() {
        return NO_MESSAGES;
    }

    /** Returns the figures since the process started, as of the last commit that changed them. Cheap to call. */
    public EntityFigures figures() {
        return EntityFigures.NONE;
    }

    /**
     * Returns whether all stores of the entity work (CNT-4, PART-58). Its last known properties are shown in either
     * case.
     */
    public EntityAvailability availability() {
        return EntityAvailability.AVAILABLE;
    }

    /** Returns the subscriptions of a topic ordered by name; empty for other entities. */
    public List<Entity> subscriptions() {
        return List.of();
    }

    /** Returns the rules of a subscription ordered by name; empty for other entities. */
    public List<Rule> rules() {
        return List.of();
    }

    /**
     * Returns the reason why the entity accepts no messages, for example an unsupported feature, or null if it
     * accepts them.
     */
    public @Nullable Rejection unservedSends() {
        return null;
    }

    /** Returns the reason why no messages can be received from the entity or its sub-queue, or null if they can. */
    public @Nullable Rejection unservedReceives(SubQueue subQueue) {
        return null;
    }

    /**
     * Returns the queue or topic that gets the messages of this entity now, or null if it forwards none or if the destination does not
     * exist.
     */
    public @Nullable Entity forwardDestination() {
        return null;
    }

    /**
     * Returns the fate of a message that this entity forwards.
     *
     * @param refusal the refusal by the destination, or null if the destination does not exist
     */
    public abstract TransferFailure transferFailure(@Nullable Rejection refusal);

    /** Returns the meter of operations and bytes. A topic's meter does not include its subscriptions. */
    public abstract Meter meter();

    /**
     * Returns whether settling many locks with one command costs less than with one command each (LOCK-13). This is
     * false only where several fragments must first agree.
     */
    public boolean settlesTogether() {
        return true;
    }

    /** Returns the largest encoded message or batch that the entity accepts, in bytes (QUOTA-5). */
    public abstract long maxMessageSizeBytes();

    /**
     * Submits a command to the entity's shard. Sends may be rejected with
     * {@link dev.jitney.model.ErrorCode#SERVER_BUSY} while too many commands wait. Sends, receives and peeks may be
     * rejected with {@link dev.jitney.model.ErrorCode#THROTTLED} when the namespace has no throttling credits left
     * (THR-1). Commands that make room are never rejected for these reasons.
     *
     * @param executor calls the listener; calls on one executor keep their order
     */
    public abstract void submit(Command command, Executor executor, ReplyListener listener);

    /**
     * Replaces a message of this entity. Answered by {@link dev.jitney.core.Reply.Sent} with the number of the new message, or with 0 if
     * the destination is in another store. Then the message arrives a moment later. If the destination never accepts it, it comes back to
     * the dead-letter queue or to the transfer dead-letter queue of this entity. Costs no throttling credits.
     *
     * @param executor calls the listener; calls on one executor keep their order
     */
    public abstract void replace(Replacement replacement, Executor executor, ReplyListener listener);

    /**
     * Attaches a receiver without credit.
     *
     * @param home  the receivers of the connection, whose executor calls the listener. They share the messages that
     *              this receiver prefetches from partitions and does not take.
     * @param reply receives {@link dev.jitney.core.Reply.Done} or a rejection before the first call of the receiver's
     *              listener
     */
    public abstract Receiver attach(
            ConnectionReceivers home,
            SubQueue subQueue,
            ReceiveMode mode,
            ReceiverListener listener,
            ReplyListener reply);

    /**
     * Attaches a receiver that shares no prefetched messages: when it closes, the messages that it has not taken are
     * released.
     */
    public final Receiver attach(
            SubQueue subQueue, ReceiveMode mode, Executor executor, ReceiverListener listener, ReplyListener reply) {
        return attach(ConnectionReceivers.ofOne(executor), subQueue, mode, listener, reply);
    }

    /**
     * Locks a session and attaches a receiver of it without credit (SESS-4, SESS-5).
     *
     * @param sessionId the session, or null for the next available session
     * @param waitMs    the longest time to wait for the next available session, in milliseconds
     * @param reply     receives {@link dev.jitney.core.Reply.SessionAccepted} or a rejection before the first call of
     *                  the receiver's listener. {@link Receiver#detach} before that ends the wait; then the reply may
     *                  never be called.
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

    /** Returns a handle of the receiver with a number that this entity has assigned. */
    protected final Receiver receiver(long receiverId) {
        return new Receiver(this, receiverId);
    }

    /**
     * Returns a handle of the receiver with a number that this entity has assigned.
     *
     * @param credits receives the changes of its credit, instead of {@link #submit}
     */
    protected final Receiver receiver(long receiverId, Consumer<Command.SetCredit> credits) {
        return new Receiver(this, receiverId, credits);
    }
}
