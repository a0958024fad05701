package dev.jitney.runtime;

import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import java.util.List;

/** Hears what one receiver gets, in order, on the executor given when it was attached. */
public interface ReceiverListener {

    /** One delivery; in peek-lock mode its lock is already running. */
    void onDelivered(MessageView message);

    /** Deliveries that were committed together, in order; each as in {@link #onDelivered(MessageView)}. */
    default void onDelivered(List<MessageView> messages) {
        messages.forEach(this::onDelivered);
    }

    /**
     * A drain is done.
     *
     * @param deliveryLimit the limit of the drain; the receiver's delivery count now stands there
     */
    void onDrained(long deliveryLimit);

    /**
     * The receiver is no more: its entity was deleted or disabled, or its store failed and starts anew. Nothing follows.
     *
     * @param reason {@link dev.jitney.model.ErrorCode#ENTITY_NOT_FOUND}, {@link dev.jitney.model.ErrorCode#ENTITY_DISABLED}
     *     or {@link dev.jitney.model.ErrorCode#DETACH_FORCED}, and {@link dev.jitney.model.ErrorCode#SESSION_LOCK_LOST}
     *     when the lock of its session has ended (SESS-10)
     */
    void onClosed(Rejection reason);

    /**
     * Deliveries of so many bytes of content are about to be committed. Called on the thread of the shard, before
     * {@link #onDelivered}; so memory can be counted before it is used up.
     *
     * @param bytes 0 to ask only
     * @return false if the receiver is to get nothing more until it sets its credit again
     */
    default boolean onDelivering(long bytes) {
        return true;
    }

    /** Deliveries of so many bytes do not come, because their commit has failed. */
    default void onNotDelivered(long bytes) {
        // Most listeners count nothing.
    }

    /**
     * The entity of a receiver that holds a session gives no messages any more. Its credit is taken back; the session stays its
     * own for what is left of the lock, and so do the locks of messages (SUSP-5), until {@link #onClosed} or
     * {@link Receiver#detach}. Whoever accepts sessions implements it.
     *
     * @param reason {@link dev.jitney.model.ErrorCode#ENTITY_DISABLED}
     */
    default void onSuspended(Rejection reason) {
        throw new IllegalStateException("Expected a listener that knows of sessions.");
    }

    /**
     * Whether what this listener hears is an operation of the entity (MET-1). Not if it only fetches for another one, who may
     * or may not get it (PART-15).
     */
    default boolean countsHere() {
        return true;
    }
}
