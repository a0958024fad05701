package dev.jitney.gateway.http.operator.session;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SearchFilter;
import dev.jitney.core.SearchState;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.message.MessageAction;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The resubmission of the dead letters of one session, in the order of their sequence numbers. Each one waits for the commit of the one
 * before, and the first refusal ends the request, so the order is kept. A message that is enqueued during the request stays, so one that
 * fails again is not resubmitted without end. A message that was enqueued before and is dead-lettered during the request takes its place
 * in the order. For the event loop of its exchange.
 */
final class SessionResubmission implements ReplyListener {
    private static final long SECONDS_MAX = 2;

    /** The number of dead letters that one search returns. */
    private static final int FOUND_MAX = 16;

    private final Exchange exchange;
    private final Entity entity;
    private final SubQueue subQueue;
    private final AuditedAction action;
    private final MessageAction resubmission;
    private final String session;
    private final SearchFilter filter;
    private final int max;
    private final long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    private final JsonArray results = new JsonArray();

    /** Found dead letters that are not resubmitted yet. */
    private final Queue<Long> found = new ArrayDeque<>();

    /** Only messages that were enqueued until this time, so that one that fails again is not resubmitted without end. */
    private final long untilMs;

    /** The number from which the search continues. */
    private long next;

    private int done;
    private long scanned;
    private @Nullable HttpError refusal;
    private boolean inProgress;
    private boolean audited;

    private SessionResubmission(
            Exchange exchange,
            Entity entity,
            SubQueue subQueue,
            AuditedAction action,
            MessageAction resubmission,
            OperatorRequest request)
            throws RefusedException {
        this.exchange = exchange;
        this.entity = entity;
        this.subQueue = subQueue;
        this.action = action;
        this.resubmission = resubmission;
        session = request.variable("session");
        max = (int) request.number("max", 1);
        SearchFilter.Result compiled = SearchFilter.compile("sys.SessionId = '" + session.replace("'", "''") + "'");
        Rejection wrong = compiled.rejection();
        if (compiled.filter() == null || wrong != null) {
            throw new RefusedException(HttpError.badRequest(
                    "Expected the id of a session with at most 128 characters, but got one that no session has."));
        }
        filter = compiled.filter();
        String after = request.text("after");
        Long[] place = after == null ? new Long[] {0L, exchange.messageTimeMs()} : place(after);
        next = place[0];
        untilMs = place[1];
    }

    /** Returns the two numbers of a place: the sequence number from which to continue, and the time of the first request. */
    private static Long[] place(String after) throws RefusedException {
        String[] words = after.split("-", -1);
        Long number = words.length == 2 ? OperatorRequest.number(words[0]) : null;
        Long ms = words.length == 2 ? OperatorRequest.number(words[1]) : null;
        if (number == null || ms == null) {
            throw new RefusedException(
                    HttpError.badRequest("Expected the value of 'next' in the answer before in 'after'."));
        }
        return new Long[] {number, ms};
    }

    /** @throws RefusedException if a parameter is wrong */
    static void start(
            Exchange exchange,
            Entity entity,
            SubQueue subQueue,
            AuditedAction action,
            MessageAction resubmission,
            OperatorRequest request)
            throws RefusedException {
        SessionResubmission all = new SessionResubmission(exchange, entity, subQueue, action, resubmission, request);
        exchange.whenEnded(all::audit);
        all.proceed();
    }

    private void proceed() {
        if (exchange.isOver()) {
            return;
        }
        Long number = found.peek();
        boolean late = System.nanoTime() - endNanos >= 0 && scanned > 0;
        if (refusal != null || late || done >= max) {
            answer(number == null ? next : number);
        } else if (number != null) {
            inProgress = true;
            resubmission.perform(number, outcome(number));
        } else if (next == Reply.Found.END) {
            answer(next);
        } else {
            entity.submit(
                    new Command.SearchMessages(
                            subQueue, next, EnumSet.allOf(SearchState.class), filter, Math.min(FOUND_MAX, max - done)),
                    exchange.executor(),
                    this);
        }
    }

    @Override
    public void onReply(Reply reply) {
        exchange.guarded(() -> {
            Reply.Found slice = (Reply.Found) reply;
            for (MessageView message : slice.messages()) {
                if (message.enqueuedTimeMs() <= untilMs) {
                    found.add(message.sequenceNumber());
                }
            }
            scanned += slice.scanned();
            next = slice.next();
            proceed();
        });
    }

    /** The refusal of a search ends the request without the results, unless there are some. */
    @Override
    public void onRejected(Rejection rejection) {
        refusal = HttpError.of(rejection);
        if (done == 0) {
            exchange.reject(rejection);
        } else {
            exchange.guarded(this::proceed);
        }
    }

    private MessageAction.Outcome outcome(long number) {
        return new MessageAction.Outcome() {
            @Override
            public void onReply(Reply reply) {
                long newNumber = reply instanceof Reply.Sent sent ? sent.sequenceNumbers()[0] : 0;
                JsonObject result = result(number, true);
                if (newNumber > 0) {
                    result.put("newSequenceNumber", Long.toString(newNumber));
                }
                found.remove();
                done++;
                finish(result);
            }

            @Override
            public void onRejected(Rejection rejection) {
                refused(HttpError.of(rejection));
            }

            @Override
            public void refused(HttpError error) {
                refusal = error;
                finish(result(number, false).put("status", error.status()).put("message", error.sentence()));
            }
        };
    }

    private static JsonObject result(long number, boolean done) {
        return new JsonObject().put("sequenceNumber", Long.toString(number)).put("done", done);
    }

    private void finish(JsonObject result) {
        results.add(result);
        inProgress = false;
        exchange.guarded(this::proceed);
        audit();
    }

    private void answer(long from) {
        HttpError refused = refusal;
        JsonObject document = new JsonObject()
                .put("results", results)
                .put("done", done)
                .put("refused", results.size() - done)
                .put("scanned", scanned)
                .put("next", from == Reply.Found.END ? null : from + "-" + untilMs);
        if (refused != null) {
            document.put("stopped", refused.sentence());
        }
        JsonAnswer.send(exchange, document.toBuffer());
    }

    /** Writes the result to the audit log when the exchange is over, also if the client has disconnected. */
    private void audit() {
        HttpError refused = refusal;
        if (audited || inProgress || !exchange.isOver()) {
            return;
        }
        audited = true;
        if (done > 0) {
            Audit.done(
                    action,
                    resubmission.description() + SessionOperations.name(session) + ", " + done + " messages: from "
                            + results.getJsonObject(0).getString("sequenceNumber") + " to "
                            + results.getJsonObject(done - 1).getString("sequenceNumber")
                            + (refused == null ? "" : ", then stopped: " + refused.sentence()));
        } else if (refused != null) {
            Audit.refused(action, refused.sentence());
        }
    }
}
