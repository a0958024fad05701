package dev.jitney.runtime.shard;

import dev.jitney.model.Rejection;
import dev.jitney.runtime.shard.entity.HostedEntity;
import org.jspecify.annotations.Nullable;

/** A transaction as the shard sees it that keeps everything it gathers. For the shard's thread. */
public interface TransactionHandle {

    /** Its number, unique while the process runs. */
    long id();

    /** The queue or topic, or the fragment of one, whose shard decides its outcome. */
    HostedEntity via();

    /** Why the shard has ended it by itself, or null. */
    @Nullable
    Rejection lost();

    /** The shard ends it by itself. */
    void lose(Rejection reason);

    /** An operation was refused, so that nothing can be committed any more (TX-16). */
    void spoil(Rejection reason);

    /** Why an operation did not even reach the shard, or null. */
    @Nullable
    Rejection failed();

    /** Rules have judged messages of it in so many steps; returns why that was too much, or null. */
    @Nullable
    Rejection spend(long steps);
}
