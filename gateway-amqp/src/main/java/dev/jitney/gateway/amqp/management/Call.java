package dev.jitney.gateway.amqp.management;

import dev.jitney.model.Rejection;
import java.util.concurrent.Executor;

/** A request whose arguments have been read, ready to run. */
interface Call {

    /** Returns the memory that creating the answer may take, in bytes; 0 if it is negligible. */
    default long answerBytes() {
        return 0;
    }

    /**
     * Runs the call.
     *
     * @param target destination of commands
     * @param executor executor that calls {@code answer}, unless the call did not need to wait
     * @param answer called once
     */
    void start(CommandTarget target, Executor executor, Answer answer);

    /** The receiver of the outcome of a call. */
    interface Answer {
        void succeed(Result result);

        void refuse(Rejection rejection);

        /** Reports an internal error. */
        void fail(Throwable bug);
    }
}
