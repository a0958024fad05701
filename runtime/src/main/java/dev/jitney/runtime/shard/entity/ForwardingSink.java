package dev.jitney.runtime.shard.entity;

import dev.jitney.core.FragmentId;
import dev.jitney.core.Record;
import dev.jitney.core.Transfer;

/** Hears of messages that records hand on to other entities, and takes them there. For the shard's thread. */
public interface ForwardingSink {

    /** A record has put a transfer into the outbox. */
    void queued(FragmentId source, Transfer transfer);

    /** An entity has handed a message on, which is brought to its destination before the commit. */
    void passed(EntityInShard source, Record.MessagePassed message);

    /** Whether messages of the entity wait to be handed on, and may be now. */
    boolean hasWork(EntityInShard entity);
}
