package dev.jitney.gateway.amqp.management;

import dev.jitney.core.Command;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import java.util.concurrent.Executor;

/** Where the commands of a request go: to their entity, or into the transaction the request belongs to. */
public interface CommandTarget {

    /** No transaction. */
    CommandTarget ENTITY = new CommandTarget() {
        @Override
        public void submit(
                Entity entity, Command command, boolean schedule, Executor executor, ReplyListener listener) {
            entity.submit(command, executor, listener);
        }

        @Override
        public void refused(Rejection reason) {
            // Nothing depends on it.
        }
    };

    /** @param schedule whether the sequence numbers of messages to be sent are asked for */
    void submit(Entity entity, Command command, boolean schedule, Executor executor, ReplyListener listener);

    /** The request was refused before it became a command. */
    void refused(Rejection reason);
}
