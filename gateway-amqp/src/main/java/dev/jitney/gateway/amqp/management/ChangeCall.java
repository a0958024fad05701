package dev.jitney.gateway.amqp.management;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** A change of the namespace whose answer reports only that the change is durable. */
record ChangeCall(Supplier<? extends CompletionStage<?>> change) implements Call {

    @Override
    public void start(CommandTarget target, Executor executor, Answer answer) {
        if (target.isTransaction()) {
            Rejection refusal = new Rejection(
                    ErrorCode.INVALID_OPERATION,
                    "Rules cannot be changed in a transaction. Change them outside of it.");
            target.refused(refusal);
            answer.refuse(refusal);
            return;
        }
        change.get()
                .whenCompleteAsync(
                        (done, failure) -> {
                            Throwable cause =
                                    failure instanceof CompletionException wrapped && wrapped.getCause() != null
                                            ? wrapped.getCause()
                                            : failure;
                            if (cause == null) {
                                answer.succeed(Result.EMPTY);
                            } else if (cause instanceof BrokerException refused) {
                                answer.refuse(refused.rejection());
                            } else {
                                answer.fail(cause);
                            }
                        },
                        executor);
    }
}
