package dev.jitney.gateway.amqp.management;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import java.util.concurrent.Executor;

/**
 * A call that replaces one refusal by a more precise one.
 *
 * @param replaced code of the imprecise refusal
 * @param told refusal that the client receives instead
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
