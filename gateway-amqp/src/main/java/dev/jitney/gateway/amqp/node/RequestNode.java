package dev.jitney.gateway.amqp.node;

import dev.jitney.gateway.amqp.management.CommandTarget;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;

/** A node that answers requests: {@code $cbs} or the management node of an entity. */
@FunctionalInterface
public interface RequestNode {

    /**
     * Takes one encoded request; answers once, now or later, on the event loop. Never throws.
     *
     * @param target where commands of the request go
     */
    void handle(ProtonBuffer request, CommandTarget target, Responder responder);

    /** Sends the answer on its way to the link the request named. */
    interface Responder {
        void respond(@Nullable String replyTo, ProtonBuffer response);

        /**
         * Carries out work whose answer may be large: when there is credit and memory for the answer.
         *
         * @param answerBytes the largest amount of memory that making the answer takes
         */
        void whenRoom(@Nullable String replyTo, long answerBytes, Runnable work);
    }
}
