package dev.jitney.gateway.amqp.management;

import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.Transaction.Work;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * A command to an entity.
 *
 * @param work the command and its entity, with the other data that a transaction needs
 * @param result converts the reply for the client
 */
record CommandCall(Work work, Function<Reply, Result> result) implements Call {

    @Override
    public void start(CommandTarget target, Executor executor, Answer answer) {
        target.submit(work, executor, new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                Result told;
                try {
                    told = result.apply(reply);
                } catch (RuntimeException bug) {
                    answer.fail(bug);
                    return;
                }
                answer.succeed(told);
            }

            @Override
            public void onRejected(Rejection rejection) {
                answer.refuse(rejection);
            }
        });
    }
}
