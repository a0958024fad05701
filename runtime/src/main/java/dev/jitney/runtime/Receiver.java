package dev.jitney.runtime;

import dev.jitney.core.Command;
import java.util.function.Consumer;

/** A receiver attached to an entity. Any thread may call it. */
public final class Receiver {
    private final Entity entity;
    private final long id;
    private final Consumer<Command.SetCredit> credits;

    Receiver(Entity entity, long id) {
        this(entity, id, credit -> entity.submit(credit, Runnable::run, ReplyListener.IGNORE));
    }

    Receiver(Entity entity, long id, Consumer<Command.SetCredit> credits) {
        this.entity = entity;
        this.id = id;
        this.credits = credits;
    }

    /**
     * Returns its number, unique while the process runs. Commands for the session that it holds contain this number.
     */
    public long id() {
        return id;
    }

    /**
     * Sets the total number of messages requested since the receiver was attached. If the shard is slower than the
     * changes, only the newest one counts.
     *
     * @param deliveryLimit a count that includes all deliveries so far; a lower value than before withdraws credit
     * @param drain         whether {@link ReceiverListener#onDrained} is called as soon as no more messages are
     *                      available
     */
    public void setCredit(long deliveryLimit, boolean drain) {
        credits.accept(new Command.SetCredit(id, deliveryLimit, drain));
    }

    /**
     * Ends the receiver. Deliveries in progress may still arrive. Message locks stay valid (LOCK-9), except those of
     * a session, which is released immediately (LOCK-10).
     */
    public void detach() {
        entity.forget(id);
    }
}
