package dev.jitney.runtime;

import dev.jitney.core.Command;

/** A receiver attached to an entity. Any thread may call it. */
public final class Receiver {
    private final Entity entity;
    private final long id;

    Receiver(Entity entity, long id) {
        this.entity = entity;
        this.id = id;
    }

    /** Its number, unique while the process runs; commands about the session it holds name it. */
    public long id() {
        return id;
    }

    /**
     * Tells how many messages are wanted in all since the receiver was attached.
     *
     * @param deliveryLimit a count that includes everything delivered so far; less than before takes credit back
     * @param drain whether {@link ReceiverListener#onDrained} is to follow as soon as nothing more is available
     */
    public void setCredit(long deliveryLimit, boolean drain) {
        entity.submit(new Command.SetCredit(id, deliveryLimit, drain), Runnable::run, ReplyListener.IGNORE);
    }

    /**
     * Ends the receiver; deliveries already on their way may still arrive. Locks live on (LOCK-9), but for those of a
     * session, which is free at once (LOCK-10).
     */
    public void detach() {
        entity.forget(id);
    }
}
