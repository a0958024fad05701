package dev.jitney.core.queue.state;

import dev.jitney.core.SharedBody;

/** The owner of bodies that several subscriptions share. For the shard's thread. */
@FunctionalInterface
public interface BodyOwner {

    /** Releases a shared body because a copy was removed. */
    void release(SharedBody body);

    /**
     * Returns the bytes that count towards the quota of an entity whose bodies it owns (QUOTA-2).
     *
     * @param ownBytes the size of the entity itself
     */
    default long usedBytes(long ownBytes) {
        return ownBytes;
    }

    /** The owner for queues, whose messages never share bodies. */
    BodyOwner NONE = body -> {
        throw new IllegalStateException("Expected no shared body in a queue, but got " + body + ".");
    };
}
