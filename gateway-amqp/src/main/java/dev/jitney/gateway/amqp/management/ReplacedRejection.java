package dev.jitney.gateway.amqp.management;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.concurrent.Executor;

/**
 * A call whose refusal can be told more precisely.
 *
 * @param replaced the refusal that says too little
 * @param told what the client gets in its place
 */
record ReplacedRejection(Call call, ErrorCode replaced, Rejection told) implements Call {

    @Override
    public void start(CommandTarget target, Executor executor, Answer answer) {
        call.start(target, executor, new Answer() {
            @Override
            public void succeed(Result result) {
                answer.succeed(result);
            }

            @Override
            public void refuse(Rejection rejection) {
                answer.refuse(rejection.code() == replaced ? told : rejection);
            }

            @Override
            public void fail(Throwable bug) {
                answer.fail(bug);
            }
        });
    }
}
