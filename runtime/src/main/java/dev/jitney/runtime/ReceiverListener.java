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
     * Whether what this listener hears is an operation of the entity (MET-1). Not if it only fetches for another one, who may
     * or may not get it (PART-15).
     */
    default boolean countsHere() {
        return true;
    }
}
