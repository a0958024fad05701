package dev.jitney.runtime;

import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import java.util.List;

/** Receives the events of one receiver, in order, on the executor that was given to attach it. */
public interface ReceiverListener {

    /** Receives one delivery. In peek-lock mode its lock is already running. */
    void onDelivered(MessageView message);

    /** Receives deliveries that were committed together, in order; each as in {@link #onDelivered(MessageView)}. */
    default void onDelivered(List<MessageView> messages) {
        messages.forEach(this::onDelivered);
    }

    /**
     * Receives the end of a drain.
     *
     * @param deliveryLimit the limit of the drain, which is now also the receiver's delivery count
     */
    void onDrained(long deliveryLimit);

    /**
     * Receives the end of the receiver: its entity was deleted or disabled, or its store failed and restarts. This is
     * the last call.
     *
     * @param reason {@link dev.jitney.model.ErrorCode#ENTITY_NOT_FOUND},
     *               {@link dev.jitney.model.ErrorCode#ENTITY_DISABLED} or
     *               {@link dev.jitney.model.ErrorCode#DETACH_FORCED};
     *               {@link dev.jitney.model.ErrorCode#SESSION_LOCK_LOST} when the lock of its session has ended
     *               (SESS-10)
     */
    void onClosed(Rejection reason);

    /**
     * Receives the content size of deliveries that are about to be committed. The shard's thread calls it before
     * {@link #onDelivered}, so that memory is accounted before it is used.
     *
     * @param bytes the content size, or 0 for a check only
     * @return false if the receiver must get no more deliveries until it sets its credit again
     */
    default boolean onDelivering(long bytes) {
        return true;
    }

    /** Receives the content size of announced deliveries that do not follow, because their commit failed. */
    default void onNotDelivered(long bytes) {
        // Most listeners do not count bytes.
    }

    /**
     * Receives the suspension of a receiver that holds a session: its entity delivers no more messages. The
     * receiver's credit is withdrawn. It keeps the session and its message locks until they expire (SUSP-5), or until
     * {@link #onClosed} or {@link Receiver#detach}. Every listener that accepts sessions implements this method.
     *
     * @param reason {@link dev.jitney.model.ErrorCode#ENTITY_DISABLED}
     */
    default void onSuspended(Rejection reason) {
        throw new IllegalStateException("Expected a listener that supports sessions. Implement onSuspended().");
    }

    /**
     * Returns whether events of this listener count as operations of the entity (MET-1). False for a listener that
     * only prefetches for another one, because the messages may never be delivered (PART-15).
     */
    default boolean countsHere() {
        return true;
    }

    /**
     * Returns words about the client for operators, such as its address and the name of its link; empty if nothing is known. Any
     * thread may call it.
     */
    default String holder() {
        return "";
    }
}
