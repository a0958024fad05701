package dev.jitney.gateway.http.operator.session;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import io.vertx.core.json.JsonObject;

/** The end of a session's lock, or the removal of its state. For the event loop of its exchange. */
record SessionChange(Exchange exchange, AuditedAction action, Command.ChangeSession command) implements ReplyListener {

    static void start(Exchange exchange, Entity entity, AuditedAction action, Command.ChangeSession command) {
        entity.submit(command, exchange.executor(), new SessionChange(exchange, action, command));
    }

    @Override
    public void onReply(Reply reply) {
        Audit.done(action, SessionOperations.name(command.sessionId()));
        exchange.guarded(() -> JsonAnswer.send(
                exchange,
                new JsonObject()
                        .put("sessionId", command.sessionId())
                        .put("done", true)
                        .toBuffer()));
    }

    @Override
    public void onRejected(Rejection rejection) {
        Audit.refused(action, rejection.description());
        exchange.reject(rejection);
    }
}
