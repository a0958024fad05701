package dev.jitney.runtime;

import dev.jitney.core.Command;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import java.util.concurrent.Executor;

/**
 * A queue as gateways see it: where commands for it go. Any thread may call it. Stays valid after the entity is deleted;
 * commands are then rejected with {@link dev.jitney.model.ErrorCode#ENTITY_NOT_FOUND}.
 */
public abstract class Entity {

    private final Meter meter = new Meter();

    Entity() {}

    /** The path as created. */
    public abstract String path();

    /** The description in force when asked. */
    public abstract QueueDescription description();

    /** Operations and bytes since the process started. */
    public final Meter meter() {
        return meter;
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
     * @param reply told {@link dev.jitney.core.Reply.Done} or why not, before the receiver hears anything
     */
    public abstract Receiver attach(
            SubQueue subQueue, ReceiveMode mode, Executor executor, ReceiverListener listener, ReplyListener reply);

    abstract void forget(long receiverId);
}
