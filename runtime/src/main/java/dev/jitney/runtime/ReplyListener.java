package dev.jitney.runtime;

import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;

/**
 * Waits for the answer to one command. Exactly one method is called, once, on the executor given with the command,
 * after everything the answer stands on is durable.
 */
public interface ReplyListener {

    void onReply(Reply reply);

    void onRejected(Rejection rejection);

    /**
     * Whether the answer to a settlement may come some milliseconds later than it could, because nobody waits for it: then it
     * is committed together with what comes next.
     */
    default boolean allowsDelay() {
        return false;
    }

    /** For commands whose answer nobody needs. */
    ReplyListener IGNORE = new ReplyListener() {
        @Override
        public void onReply(Reply reply) {}

        @Override
        public void onRejected(Rejection rejection) {}
    };
}
