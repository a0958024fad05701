package dev.jitney.gateway.amqp.management;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * A command to an entity.
 *
 * @param schedule whether the sequence numbers of messages to be sent are asked for
 * @param result how to tell its reply to the client
 */
record CommandCall(Entity entity, Command command, boolean schedule, Function<Reply, Result> result) implements Call {

    @Override
    public void start(CommandTarget target, Executor executor, Answer answer) {
        target.submit(entity, command, schedule, executor, new ReplyListener() {
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
