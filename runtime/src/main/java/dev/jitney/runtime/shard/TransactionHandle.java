package dev.jitney.runtime.shard;

import dev.jitney.model.Rejection;
import dev.jitney.runtime.shard.entity.HostedEntity;
import org.jspecify.annotations.Nullable;

/** A transaction as seen by the shard that keeps its operations. For the shard's thread. */
public interface TransactionHandle {

    /** Returns its number, unique while the process runs. */
    long id();

    /** Returns the client, such as a connection, that began it. Clients share the limits of open transactions. */
    Object client();

    /** Returns the queue, topic or fragment whose shard decides the outcome. */
    HostedEntity via();

    /** Returns the reason why the shard has ended the transaction on its own, or null. */
    @Nullable
    Rejection lost();

    /** Ends the transaction on the shard's own initiative. */
    void lose(Rejection reason);

    /** Notes that an operation was refused, so that the transaction cannot be committed (TX-16). */
    void spoil(Rejection reason);

    /** Returns the reason why an operation did not reach the shard, or null. */
    @Nullable
    Rejection failed();

    /**
     * Counts steps that rules spent on messages of the transaction. Returns a refusal if they were too many, or null.
     */
    @Nullable
    Rejection spend(long steps);
}
