package dev.jitney.gateway.amqp.management;

import dev.jitney.model.Rejection;
import java.util.concurrent.Executor;

/** A request whose arguments are read: what is left to do. */
interface Call {

    /** The memory that making the answer may take, in bytes; 0 if that is not worth a look. */
    default long answerBytes() {
        return 0;
    }

    /**
     * Does it.
     *
     * @param target where commands go
     * @param executor where the answer is told, unless nothing had to be waited for
     * @param answer told once
     */
    void start(CommandTarget target, Executor executor, Answer answer);

    /** Takes what came of a call. */
    interface Answer {
        void succeed(Result result);

        void refuse(Rejection rejection);

        /** Something broke that should not. */
        void fail(Throwable bug);
    }
}
