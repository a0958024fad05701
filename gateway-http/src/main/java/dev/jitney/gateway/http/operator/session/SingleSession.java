package dev.jitney.gateway.http.operator.session;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionSummary;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorOperation;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;

/** One session or its state. For the event loop of its exchange. */
record SingleSession(Exchange exchange, String session, boolean ofState) implements ReplyListener {
    /** The memory of a document for each byte of a state, in base64 and as text. */
    private static final long BYTES_OF_BYTE = 3;

    static void start(Exchange exchange, Entity entity, OperatorRequest request) {
        String session = request.variable("session");
        boolean ofState = request.operation() == OperatorOperation.SESSION_STATE;
        entity.submit(
                new Command.ReadSession(session, ofState),
                exchange.executor(),
                new SingleSession(exchange, session, ofState));
    }

    @Override
    public void onReply(Reply reply) {
        exchange.guarded(() -> {
            Reply.SessionFound found = (Reply.SessionFound) reply;
            SessionSummary summary = found.session();
            if (summary == null) {
                throw new RefusedException(HttpError.notFound("There is no " + SessionOperations.name(session)
                        + ". A session exists while it has messages, a state or a receiver."));
            }
            byte[] state = found.state();
            if (state != null && !exchange.reserve(BYTES_OF_BYTE * state.length)) {
                throw new RefusedException(Exchange.OUT_OF_MEMORY);
            }
            JsonAnswer.send(
                    exchange,
                    (ofState ? SessionDocument.ofState(summary, state) : SessionDocument.of(summary)).toBuffer());
        });
    }

    @Override
    public void onRejected(Rejection rejection) {
        exchange.reject(rejection);
    }
}
