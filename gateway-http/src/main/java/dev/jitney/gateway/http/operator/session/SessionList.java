package dev.jitney.gateway.http.operator.session;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SessionPlace;
import dev.jitney.core.SessionSummary;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One page of the sessions of an entity. It sends one command after the other, each of which looks at few sessions, so that the shard
 * serves others in between. For the event loop of its exchange.
 */
final class SessionList implements ReplyListener {
    private static final long SECONDS_MAX = 2;

    private final Exchange exchange;
    private final Entity entity;
    private final String contains;
    private final int max;
    private final long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    private final JsonArray sessions = new JsonArray();
    private long scanned;
    private int unavailable;
    private @Nullable String last;

    private SessionList(Exchange exchange, Entity entity, OperatorRequest request) {
        this.exchange = exchange;
        this.entity = entity;
        String text = request.text("contains");
        contains = text == null ? "" : text;
        max = (int) request.number("max", 1);
        last = request.text("after");
    }

    static void start(Exchange exchange, Entity entity, OperatorRequest request) {
        SessionList list = new SessionList(exchange, entity, request);
        list.read(list.last == null ? SessionPlace.START : SessionPlace.after(list.last));
    }

    private void read(SessionPlace from) {
        if (!exchange.isOver()) {
            entity.submit(new Command.BrowseSessions(from, contains, max - sessions.size()), exchange.executor(), this);
        }
    }

    @Override
    public void onReply(Reply reply) {
        exchange.guarded(() -> {
            Reply.SessionPage page = (Reply.SessionPage) reply;
            for (SessionSummary session : page.sessions()) {
                sessions.add(SessionDocument.of(session));
            }
            scanned += page.scanned();
            unavailable += page.unavailable();
            SessionPlace next = page.next();
            if (next == null) {
                answer(null);
                return;
            }
            last = next.afterSessionId() == null ? last : next.afterSessionId();
            boolean full = sessions.size() >= max || System.nanoTime() - endNanos >= 0;
            // A place at the start of a fragment has no id. The id before it leads to the same place.
            if (full && last != null) {
                answer(last);
            } else {
                read(next);
            }
        });
    }

    private void answer(@Nullable String next) {
        JsonObject document = new JsonObject()
                .put("sessions", sessions)
                .put("scanned", scanned)
                .put("next", next);
        if (unavailable > 0) {
            document.put("unavailablePartitions", unavailable);
        }
        JsonAnswer.send(exchange, document.toBuffer());
    }

    @Override
    public void onRejected(Rejection rejection) {
        exchange.reject(rejection);
    }
}
