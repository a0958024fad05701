package dev.jitney.gateway.amqp.node;

import dev.jitney.gateway.amqp.management.CommandTarget;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;

/** A node that answers requests: {@code $cbs} or the management node of an entity. */
@FunctionalInterface
public interface RequestNode {

    /**
     * Handles one encoded request and answers once, now or later, on the event loop. Never throws.
     *
     * @param target destination of the request's commands
     */
    void handle(ProtonBuffer request, CommandTarget target, Responder responder);

    /** The way of the answer to the link that the request named. */
    interface Responder {
        void respond(@Nullable String replyTo, ProtonBuffer response);

        /**
         * Runs work whose answer may be large, once there is credit and memory for the answer.
         *
         * @param answerBytes upper bound for the memory that creating the answer takes
         * @param late runs instead of the work if there is no memory for long; it answers
         * @return false if there can never be memory for the answer; then nothing runs
         */
        boolean whenRoom(@Nullable String replyTo, long answerBytes, Runnable work, Runnable late);
    }
}
