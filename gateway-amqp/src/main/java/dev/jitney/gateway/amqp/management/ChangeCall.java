package dev.jitney.gateway.amqp.management;

import dev.jitney.runtime.BrokerException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** A change of the namespace, which has nothing to tell but that it is durable. */
record ChangeCall(Supplier<? extends CompletionStage<?>> change) implements Call {

    @Override
    public void start(Executor executor, Answer answer) {
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
