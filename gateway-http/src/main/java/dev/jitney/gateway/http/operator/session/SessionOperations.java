package dev.jitney.gateway.http.operator.session;

import dev.jitney.core.Command;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.message.Author;
import dev.jitney.gateway.http.operator.message.MessageAction;
import dev.jitney.gateway.http.operator.message.MessageActions;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.Grant;

/** The operations on the sessions of a queue or subscription. For the event loop of the exchange. */
public final class SessionOperations {
    private static final HttpError HAS_BODY =
            HttpError.badRequest("Expected a request without a body. Its parameters are in the query of the URL.");

    private SessionOperations() {}

    /**
     * Starts an operation, after the check of its rights.
     *
     * @param grant the right to Listen or to Manage
     * @param entity the entity of the address
     * @throws RefusedException if a right is missing, if the entity has no sessions, or if a parameter is wrong
     */
    public static void start(
            Exchange exchange, Grant grant, Entity entity, EntityAddress address, OperatorRequest request)
            throws RefusedException {
        String session = request.variable("session");
        switch (request.operation()) {
            case SESSIONS -> {
                exchange.authorize(address, AccessRight.LISTEN);
                SessionList.start(exchange, withSessions(entity, address), request);
            }
            case SESSION, SESSION_STATE -> {
                exchange.authorize(address, AccessRight.LISTEN);
                SingleSession.start(exchange, withSessions(entity, address), request);
            }
            case CLEAR_STATE -> {
                boolean unlocks = "true".equals(request.text("unlock"));
                String name = unlocks ? "unlock session and clear state" : "clear session state";
                change(
                        exchange,
                        entity,
                        address,
                        action(name, exchange, grant, address),
                        new Command.ChangeSession(session, unlocks, true));
            }
            case UNLOCK_SESSION ->
                change(
                        exchange,
                        entity,
                        address,
                        action("unlock session", exchange, grant, address),
                        new Command.ChangeSession(session, true, false));
            case RESUBMIT_SESSION -> {
                MessageActions actions =
                        new MessageActions(Author.of(exchange), requiringSessions(entity, address), address);
                MessageAction resubmission = actions.resubmission(
                        "source".equals(request.text("target")), "true".equals(request.text("newMessageId")));
                withoutBody(
                        exchange,
                        () -> SessionResubmission.start(
                                exchange,
                                entity,
                                address.subQueue(),
                                action("resubmit session", exchange, grant, address),
                                resubmission,
                                request));
            }
            default ->
                throw new IllegalArgumentException(
                        "Expected an operation on sessions, but got " + request.operation() + ".");
        }
    }

    private static void change(
            Exchange exchange,
            Entity entity,
            EntityAddress address,
            AuditedAction action,
            Command.ChangeSession command)
            throws RefusedException {
        exchange.authorize(address, AccessRight.MANAGE);
        Entity ofSession = withSessions(entity, address);
        withoutBody(exchange, () -> SessionChange.start(exchange, ofSession, action, command));
    }

    /** Runs a step after the end of the request, which must have no body, because members in it would have no effect. */
    private static void withoutBody(Exchange exchange, Exchange.Step step) {
        exchange.body(0, HAS_BODY).onFailure(exchange::fail).onSuccess(empty -> exchange.guarded(step));
    }

    private static AuditedAction action(String name, Exchange exchange, Grant grant, EntityAddress address) {
        return new AuditedAction(name, grant.holder(), exchange.client(), exchange.namespace(), address.path(), "");
    }

    /** Returns the name of a session for sentences and for the audit log. */
    static String name(String session) {
        return "session '" + ClientText.abbreviate(session) + "'";
    }

    private static Entity withSessions(Entity entity, EntityAddress address) throws RefusedException {
        if (address.subQueue() != SubQueue.MAIN) {
            throw new RefusedException(HttpError.badRequest("Expected a queue or subscription, but '" + address.path()
                    + "' is a dead-letter queue, which has no sessions. To resubmit the dead letters of one session, use"
                    + " its path /resubmit."));
        }
        return requiringSessions(entity, address);
    }

    private static Entity requiringSessions(Entity entity, EntityAddress address) throws RefusedException {
        if (!entity.description().requiresSession()) {
            throw new RefusedException(HttpError.badRequest("'" + address.path()
                    + "' does not require sessions. Expected a queue or subscription with RequiresSession set."));
        }
        return entity;
    }
}
