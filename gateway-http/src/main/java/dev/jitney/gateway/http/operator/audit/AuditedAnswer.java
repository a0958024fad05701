package dev.jitney.gateway.http.operator.audit;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The answer to a change of the broker, with its entry in the audit log. Any thread may call it. */
public final class AuditedAnswer {
    private AuditedAnswer() {}

    /**
     * Answers when the broker has made a change or refused it, and writes to the audit log.
     *
     * @param changes in the format of {@link dev.jitney.runtime.audit.Changes}
     * @param refusal the error for a refusal of the broker
     * @param document the answer after the change
     */
    public static <T> void to(
            Exchange exchange,
            CompletionStage<T> change,
            AuditedAction action,
            String changes,
            Function<Rejection, HttpError> refusal,
            Function<T, JsonObject> document) {
        change.whenCompleteAsync(
                (result, failure) -> {
                    if (failure == null) {
                        Audit.done(action, changes);
                        exchange.guarded(() ->
                                JsonAnswer.send(exchange, document.apply(result).toBuffer()));
                        return;
                    }
                    Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure;
                    if (cause instanceof BrokerException refused) {
                        Audit.refused(action, refused.rejection().description());
                        exchange.refuse(refusal.apply(refused.rejection()));
                    } else {
                        exchange.fail(cause);
                    }
                },
                exchange.executor());
    }
}
