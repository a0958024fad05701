package dev.jitney.gateway.amqp.management;

import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.Transaction.Work;
import java.util.concurrent.Executor;

/** The destination of a request's commands: their entity, or the transaction of the request. */
public interface CommandTarget {

    /** The target of requests without a transaction. */
    CommandTarget ENTITY = new CommandTarget() {
        @Override
        public void submit(Work work, Executor executor, ReplyListener listener) {
            work.entity().submit(work.command(), executor, listener);
        }

        @Override
        public void refused(Rejection reason) {
            // No transaction depends on it.
        }
    };

    /** Submits one command. */
    void submit(Work work, Executor executor, ReplyListener listener);

    /** Called when the request was refused before it became a command. */
    void refused(Rejection reason);
}
