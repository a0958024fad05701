package dev.jitney.gateway.http.operator.explain;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SendExplanation.Position;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.explain.ExplainedEntity.Passage;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The way of one message through the namespace, which is not sent. It sends one command after the other to the entities on the way, each
 * of which evaluates few rules, so that the shards serve others in between. It ends at the end of the way, when the answer is full, or
 * after {@value #SECONDS_MAX} seconds, and shows no entity for which the client has no right to Listen. For the event loop of its exchange.
 */
public final class Explanation {
    static final long SECONDS_MAX = 2;

    private static final int BODY_BYTES_MAX = 4 << 20;

    /** The size at which the answer ends. One more part may follow. */
    private static final int ANSWER_BYTES_MAX = 1 << 20;

    private static final int DESTINATIONS_MAX = 100;

    /** The content of all messages in one answer that actions have changed. */
    private static final long CHANGED_BYTES_MAX = 16L << 20;

    private final Exchange exchange;
    private final ExplainedEntity root;
    private final long subscriptionsMax;
    private final long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    private final Deque<Passage> waiting = new ArrayDeque<>();
    private long changedBytes;
    private int destinations;
    private int bytes;

    private Explanation(Exchange exchange, ExplainedEntity root, long subscriptionsMax) {
        this.exchange = exchange;
        this.root = root;
        this.subscriptionsMax = subscriptionsMax;
    }

    /**
     * Starts the explanation of the message in the body.
     *
     * @throws RefusedException if the entity is no queue or topic, or if a parameter is wrong
     */
    public static void start(Exchange exchange, Entity entity, EntityAddress address, OperatorRequest request)
            throws RefusedException {
        if (entity.kind() == EntityKind.SUBSCRIPTION || address.subQueue() != SubQueue.MAIN) {
            throw new RefusedException(
                    HttpError.badRequest("Expected a queue or a topic, to which messages are sent, but" + " got '"
                            + ClientText.abbreviate(address.path())
                            + address.subQueue().suffix() + "'."));
        }
        Position from = position(request.text("after"));
        exchange.body(BODY_BYTES_MAX)
                .onFailure(exchange::fail)
                .onSuccess(body -> exchange.guarded(() -> ExplainedMessage.parse(body.getBytes())
                        .load(exchange, message -> start(exchange, entity, message, from, request))));
    }

    private static void start(
            Exchange exchange, Entity entity, IncomingMessage message, Position from, OperatorRequest request) {
        ExplainedEntity root = new ExplainedEntity(exchange.namespace(), entity, message, from);
        new Explanation(exchange, root, request.number("max", 1)).explain(root, null);
    }

    private static Position position(@Nullable String text) throws RefusedException {
        if (text == null || text.isEmpty()) {
            return Position.START;
        }
        String[] parts = text.split(" ", 3);
        Long rule = parts.length < 3 ? null : OperatorRequest.number(parts[0]);
        if (rule == null || !parts[1].matches("[01][01]")) {
            throw new RefusedException(
                    HttpError.badRequest("Expected the value of 'next' in the answer before in 'after'."));
        }
        return new Position(EntityAddress.keyOf(parts[2]), rule, parts[1].charAt(0) == '1', parts[1].charAt(1) == '1');
    }

    private static String text(Position position) {
        return position.rule() + " " + (position.plain() ? 1 : 0) + (position.failed() ? 1 : 0) + " "
                + position.subscription();
    }

    /** @param passage the way to the entity, or null for the first one */
    private void explain(ExplainedEntity explained, @Nullable Passage passage) {
        if (exchange.isOver()) {
            return;
        }
        Rejection unserved = explained.entity().unservedSends();
        if (unserved != null) {
            explained.refuse(unserved);
            end(explained, passage, true, unserved);
            return;
        }
        explained
                .entity()
                .submit(
                        new Command.ExplainSend(explained.message(), explained.position(), missing(explained)),
                        exchange.executor(),
                        new ReplyListener() {
                            @Override
                            public void onReply(Reply reply) {
                                exchange.guarded(() -> take(explained, passage, (Reply.Explained) reply));
                            }

                            @Override
                            public void onRejected(Rejection rejection) {
                                exchange.guarded(() -> rejected(explained, passage, rejection));
                            }
                        });
    }

    /** Returns the number of subscriptions that the answer has room for. */
    private int missing(ExplainedEntity explained) {
        return explained == root
                ? (int) Math.max(1, subscriptionsMax - explained.subscriptionCount())
                : Integer.MAX_VALUE;
    }

    private void take(ExplainedEntity explained, @Nullable Passage passage, Reply.Explained reply) {
        boolean more = explained.take(reply.explanation());
        boolean full = explained == root
                && explained.subscriptionCount() >= subscriptionsMax
                && explained.position().rule() == 0;
        if (more && !full && !isOver(explained)) {
            explain(explained, passage);
        } else {
            end(explained, passage, !more, reply.explanation().refusal());
        }
    }

    private boolean isOver(ExplainedEntity explained) {
        return System.nanoTime() - endNanos >= 0 || bytes + explained.bytes() >= ANSWER_BYTES_MAX;
    }

    /** The entity cannot say anything now, for example because its store is unavailable. */
    private void rejected(ExplainedEntity explained, @Nullable Passage passage, Rejection rejection) {
        if (passage == null) {
            exchange.reject(rejection);
            return;
        }
        passage.document().put("explained", false).put("message", rejection.description());
        proceed();
    }

    private void end(
            ExplainedEntity explained, @Nullable Passage passage, boolean complete, @Nullable Rejection refusal) {
        explained.end(complete);
        if (passage != null) {
            passage.document().put("explanation", explained.document());
            if (refusal != null) {
                ExplainedEntity.fail(
                        passage.document(), passage.source(), passage.source().transferFailure(refusal));
            }
        } else if (explained.entity().kind() == EntityKind.TOPIC) {
            explained.document().put("next", complete ? null : text(explained.position()));
        }
        bytes += explained.bytes();
        for (Passage next : explained.passages()) {
            enqueue(next, explained.message());
        }
        proceed();
    }

    private void enqueue(Passage next, IncomingMessage original) {
        boolean changed = next.message().content() != original.content();
        long size = changed ? next.message().content().sizeBytes() : 0;
        if (destinations >= DESTINATIONS_MAX || changedBytes + size > CHANGED_BYTES_MAX) {
            notExplained(next, "The answer is full. Ask for an explanation of the destination.");
            return;
        }
        destinations++;
        changedBytes += size;
        waiting.add(next);
    }

    private static void notExplained(Passage passage, String message) {
        passage.document().put("explained", false).put("message", message);
    }

    private void proceed() {
        while (!waiting.isEmpty()) {
            Passage next = waiting.remove();
            if (System.nanoTime() - endNanos >= 0 || bytes >= ANSWER_BYTES_MAX) {
                notExplained(next, "The answer is full. Ask for an explanation of the destination.");
            } else if (!mayListen(next.destination())) {
                notExplained(next, "The token does not grant the right to Listen to the destination.");
            } else {
                explain(
                        new ExplainedEntity(exchange.namespace(), next.destination(), next.message(), Position.START),
                        next);
                return;
            }
        }
        JsonObject document = root.document();
        JsonAnswer.send(exchange, document.toBuffer());
    }

    private boolean mayListen(Entity destination) {
        try {
            exchange.authorize(EntityAddress.ofPath(destination.path()), AccessRight.LISTEN);
            return true;
        } catch (RefusedException refused) {
            return false;
        }
    }
}
