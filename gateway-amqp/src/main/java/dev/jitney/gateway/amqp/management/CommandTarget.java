package dev.jitney.gateway.amqp.management;

import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.Transaction.Work;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

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

        @Override
        public boolean isTransaction() {
            return false;
        }
    };

    /**
     * Returns a target for the commands of a client that may disappear.
     *
     * @param client stands for the client
     * @param isGone returns whether the client has gone; any thread calls it
     */
    static CommandTarget ofClient(CommandTarget target, Object client, BooleanSupplier isGone) {
        return new CommandTarget() {
            @Override
            public void submit(Work work, Executor executor, ReplyListener listener) {
                target.submit(work, executor, new ReplyListener() {
                    @Override
                    public void onReply(Reply reply) {
                        listener.onReply(reply);
                    }

                    @Override
                    public void onRejected(Rejection rejection) {
                        listener.onRejected(rejection);
                    }

                    @Override
                    public boolean allowsDelay() {
                        return listener.allowsDelay();
                    }

                    @Override
                    public boolean isAbandoned() {
                        return isGone.getAsBoolean();
                    }

                    @Override
                    public Object client() {
                        return client;
                    }
                });
            }

            @Override
            public void refused(Rejection reason) {
                target.refused(reason);
            }

            @Override
            public boolean isTransaction() {
                return target.isTransaction();
            }
        };
    }

    /** Submits one command. */
    void submit(Work work, Executor executor, ReplyListener listener);

    /** Returns whether commands become a part of a transaction. */
    boolean isTransaction();

    /** Called when the request was refused before it became a command. */
    void refused(Rejection reason);
}
