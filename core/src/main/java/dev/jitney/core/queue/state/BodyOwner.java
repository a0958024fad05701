package dev.jitney.core.queue.state;

import dev.jitney.core.SharedBody;

/** Keeps bodies that several subscriptions share. For the shard's thread. */
@FunctionalInterface
public interface BodyOwner {

    /** One copy fewer needs the body. */
    void release(SharedBody body);

    /** For queues, whose messages never share. */
    BodyOwner NONE = body -> {
        throw new IllegalStateException("Expected no shared body in a queue, but got " + body + ".");
    };
}
