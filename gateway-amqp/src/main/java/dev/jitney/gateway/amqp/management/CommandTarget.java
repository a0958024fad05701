package dev.jitney.gateway.amqp.management;

import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.Transaction.Work;
import java.util.concurrent.Executor;

/** Where the commands of a request go: to their entity, or into the transaction the request belongs to. */
public interface CommandTarget {

    /** No transaction. */
    CommandTarget ENTITY = new CommandTarget() {
        @Override
        public void submit(Work work, Executor executor, ReplyListener listener) {
            work.entity().submit(work.command(), executor, listener);
        }

        @Override
        public void refused(Rejection reason) {
            // Nothing depends on it.
        }
    };

    /** Has one command carried out. */
    void submit(Work work, Executor executor, ReplyListener listener);

    /** The request was refused before it became a command. */
    void refused(Rejection reason);
}
