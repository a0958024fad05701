package dev.jitney.gateway.http.messaging;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.messaging.MessagingHandler.Place;
import dev.jitney.model.AccessRight;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ConnectionReceivers;
import dev.jitney.runtime.Receiver;
import dev.jitney.runtime.ReceiverListener;
import dev.jitney.runtime.ReplyListener;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One receive over HTTP: a receiver for one message, until it has the message, its timeout has passed, or the client
 * closed the connection. For the event loop of its exchange.
 *
 * <table>
 * <caption>End of a receive</caption>
 * <tr><th>event</th><th>action</th></tr>
 * <tr><td>a message</td><td>the response; see below for receive-and-delete</td></tr>
 * <tr><td>timeout, or another client needs the place</td><td>the credit is drained; then the response is a last message or 204, so that no message is in transit after a
 * 204</td></tr>
 * <tr><td>the client closed the connection</td><td>the receiver is detached, and a message that still arrives is released: it is
 * available immediately and does not count as a delivery</td></tr>
 * <tr><td>the access rule or the key of the token, or the entry of the client's certificate, is removed</td><td>401; a message that still arrives is released</td></tr>
 * <tr><td>the entity is deleted or disabled, its store fails</td><td>410, 403, 503</td></tr>
 * </table>
 *
 * <p>Receive-and-delete is a peek-lock that is completed before the response is written, instead of a receiver that
 * removes messages on delivery. It guarantees that a message is removed only while its client is connected as far as
 * the server can know, and that a message is never returned twice. A client that disconnects while it waits loses
 * nothing. If the connection breaks after the removal, the message is lost, as in any receive-and-delete; use peek-lock
 * to avoid that. If the removal fails, the response is an error, and the message is available when its lock ends.
 */
final class WaitingReceive implements ReceiverListener, ReplyListener {
    private static final long MS_PER_SECOND = 1_000;
    private static final int NO_CONTENT = 204;

    /** The interval at which a waiting receive checks for changed access rules. */
    private static final long WATCH_MS = 1_000;

    private final Exchange exchange;
    private final Vertx vertx;
    private final Place place;
    private final boolean keep;
    private final ConnectionReceivers home;
    private @Nullable Receiver receiver;
    private boolean delivered;
    private @Nullable Long timer;
    private @Nullable Long watch;

    WaitingReceive(Exchange exchange, Vertx vertx, Place place, boolean keep, ConnectionReceivers home) {
        this.exchange = exchange;
        this.vertx = vertx;
        this.place = place;
        this.keep = keep;
        this.home = home;
    }

    void start(int seconds) {
        Receiver attached = place.entity().attach(home, place.address().subQueue(), ReceiveMode.PEEK_LOCK, this, this);
        receiver = attached;
        attached.setCredit(1, seconds == 0);
        if (seconds > 0) {
            timer = vertx.setTimer(seconds * MS_PER_SECOND, over -> end());
            watch = vertx.setPeriodic(WATCH_MS, tick -> refuseIfForbidden());
        }
        exchange.whenEnded(this::detach);
    }

    /** Ends the wait, at its timeout or because another client needs the place. */
    void end() {
        Receiver attached = receiver;
        if (attached != null) {
            attached.setCredit(1, true);
        }
    }

    private void detach() {
        Receiver attached = receiver;
        receiver = null;
        if (attached != null) {
            attached.detach();
        }
        cancel(timer);
        cancel(watch);
        timer = null;
        watch = null;
    }

    private void cancel(@Nullable Long running) {
        if (running != null) {
            vertx.cancelTimer(running);
        }
    }

    /** Refuses the request if its rights were removed after it began. */
    private void refuseIfForbidden() {
        Grant now = exchange.current(place.grant(), place.address(), AccessRight.LISTEN);
        if (!exchange.isOver()
                && (now == null || !now.permits(AccessRight.LISTEN, place.address(), exchange.nowMs()))) {
            detach();
            exchange.refuse(
                    HttpError.unauthorized(
                            "The access rule, the key of the token or the entry of the certificate was changed or removed. Use a current one."));
        }
    }

    /** Does nothing: the receiver is attached. */
    @Override
    public void onReply(Reply reply) {}

    @Override
    public void onRejected(Rejection rejection) {
        receiver = null;
        exchange.reject(rejection);
    }

    @Override
    public void onDelivered(MessageView message) {
        delivered = true;
        detach();
        UUID token = message.lockToken();
        if (token == null) {
            throw new IllegalStateException("Expected a message with a lock, but it has none.");
        }
        refuseIfForbidden();
        if (exchange.isOver()) {
            release(token);
            return;
        }
        exchange.guarded(() -> {
            MessageAnswer answer = keep
                    ? MessageAnswer.locked(exchange, place.address(), message, token)
                    : MessageAnswer.of(message, null);
            if (!exchange.reserve(answer.bytes())) { // before anything is removed
                release(token);
                exchange.refuse(Exchange.OUT_OF_MEMORY);
            } else if (keep) {
                answer.locked(exchange);
            } else {
                remove(answer, token);
            }
        });
    }

    private void remove(MessageAnswer answer, UUID token) {
        place.entity().submit(new Command.CompleteMessages(List.of(token)), exchange.executor(), new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                answer.removed(exchange);
            }

            @Override
            public void onRejected(Rejection rejection) {
                // The lock is new, so that its loss means that the shard reloaded its state.
                exchange.refuse(
                        rejection.code() == ErrorCode.MESSAGE_LOCK_LOST
                                ? HttpError.busy("The message could not be removed. Try again later.")
                                : HttpError.of(rejection));
            }
        });
    }

    private void release(UUID token) {
        place.entity().submit(new Command.ReleaseMessages(List.of(token)), exchange.executor(), ReplyListener.IGNORE);
    }

    @Override
    public void onDrained(long deliveryLimit) {
        if (!delivered) { // otherwise the drain follows the only message
            detach();
            exchange.answer(NO_CONTENT);
        }
    }

    @Override
    public void onClosed(Rejection reason) {
        if (delivered) {
            return;
        }
        receiver = null;
        detach();
        exchange.refuse(
                reason.code() == ErrorCode.ENTITY_NOT_FOUND
                        ? HttpError.gone(reason.description())
                        : HttpError.of(reason));
    }
}
