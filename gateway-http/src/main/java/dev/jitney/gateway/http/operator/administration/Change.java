package dev.jitney.gateway.http.operator.administration;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.audit.AuditedAnswer;
import dev.jitney.gateway.http.operator.request.StrictJson;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A change of the administration with its author, its answer and its entry in the audit log. For the event loop of its exchange. */
final class Change {
    /** Each setting is short. */
    private static final int BODY_BYTES_MAX = 256 << 10;

    private final Exchange exchange;
    private final Grant grant;
    private final EntityAddress address;
    private final String client;

    /**
     * Creates a change, after the check of its right.
     *
     * @param address of the entity; with the empty path, of the namespace
     */
    Change(Exchange exchange, Grant grant, EntityAddress address) {
        this.exchange = exchange;
        this.grant = grant;
        this.address = address;
        this.client = exchange.client(); // the socket may be closed when the change is durable
    }

    /** Work with the members of the body. */
    @FunctionalInterface
    interface Work {
        void on(Map<String, @Nullable Object> members) throws RefusedException;
    }

    Exchange exchange() {
        return exchange;
    }

    Namespace namespace() {
        return exchange.namespace();
    }

    EntityAddress address() {
        return address;
    }

    /** Reads the body and works with its members. */
    void withBody(Work work) {
        exchange.body(BODY_BYTES_MAX)
                .onFailure(exchange::fail)
                .onSuccess(body -> exchange.guarded(() -> work.on(StrictJson.object(body.getBytes()))));
    }

    /**
     * Returns the entity of the address as it is now.
     *
     * @throws RefusedException with 404 if there is none, with 400 if the address is that of a part of an entity
     */
    Entity entity() throws RefusedException {
        return entity(exchange, address);
    }

    static Entity entity(Exchange exchange, EntityAddress address) throws RefusedException {
        if (address.management() || address.subQueue() != SubQueue.MAIN) {
            throw new RefusedException(HttpError.badRequest("Expected the path of an entity, but '"
                    + ClientText.abbreviate(address.path())
                    + address.subQueue().suffix() + "' is a part of one, which has no settings of its own."));
        }
        Entity entity = exchange.namespace().entity(address.path());
        if (entity == null) {
            throw new RefusedException(HttpError.notFound("The messaging entity '"
                    + exchange.namespace().name() + ":" + ClientText.abbreviate(address.path())
                    + "' could not be found."));
        }
        return entity;
    }

    private AuditedAction action(String what, String rule) {
        return new AuditedAction(what, grant.holder(), client, exchange.namespace(), address.path(), rule);
    }

    /** Writes to the audit log that something was done. */
    void audit(String what, String rule) {
        Audit.done(action(what, rule), "");
    }

    /**
     * Answers when the broker has made a change or refused it, and writes to the audit log.
     *
     * @param what a verb and its object
     * @param rule the name of the access rule, or an empty text
     * @param changes in the format of {@link dev.jitney.runtime.audit.Changes}
     * @param refusal the error for a refusal of the broker
     */
    <T> void finish(
            CompletionStage<T> made,
            String what,
            String rule,
            String changes,
            Function<Rejection, HttpError> refusal,
            Function<T, JsonObject> document) {
        AuditedAnswer.to(exchange, made, action(what, rule), changes, refusal, document);
    }

    /** Returns the error while another change of the same entity or of the access rules is in progress. */
    RefusedException inProgress() {
        return new RefusedException(HttpError.conflict("Another change of "
                + (address.path().isEmpty() ? "the access rules" : "'" + ClientText.abbreviate(address.path()) + "'")
                + " is in progress. Try again."));
    }
}
