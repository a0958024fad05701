package dev.jitney.runtime.shard.entity;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Record;
import dev.jitney.core.Transfer;

/** Accepts the messages that records forward, and moves them to their destinations. For the shard's thread. */
public interface ForwardingSink {

    /** Accepts a transfer that a record has put into the outbox. */
    void queued(FragmentId source, Transfer transfer);

    /** Accepts a message that an entity forwarded. It reaches its destination before the commit. */
    void passed(EntityInShard source, Record.MessagePassed message);

    /** Returns whether messages of the entity wait to be forwarded and may be now. */
    boolean hasWork(EntityInShard entity);
}
