package dev.jitney.gateway.http.messaging;

import dev.jitney.codec.ContentReader;
import dev.jitney.codec.PropertyField;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.messaging.MessagingHandler.Place;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.ReplyListener;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The handler that unlocks, renews or completes a locked message (HTTP reference 3.1). The lock token identifies the
 * message. The ID before the token must be its sequence number or its message ID, so that a wrong URL settles nothing.
 */
final class LockHandler {
    private static final int OK = 200;

    /** The body should be empty, but some clients send a space. */
    private static final int BODY_MAX = 4 * 1024;

    void settle(Exchange exchange, Place place, MessageResource resource, HttpMethod method) {
        UUID token = resource.lockToken();
        if (token == null) {
            throw new IllegalStateException("Expected a path with a lock token.");
        }
        Command command = command(method, token);
        exchange.body(BODY_MAX)
                .onSuccess(nothing -> exchange.guarded(() -> place.entity()
                        .submit(
                                new Command.GetLockedMessage(token),
                                exchange.executor(),
                                replies(exchange, reply -> checked(exchange, place, resource, command, reply)))))
                .onFailure(exchange::fail);
    }

    private static Command command(HttpMethod method, UUID token) {
        List<UUID> tokens = List.of(token);
        if (method.equals(HttpMethod.PUT)) {
            return new Command.AbandonMessages(tokens, Map.of());
        }
        return method.equals(HttpMethod.POST) ? new Command.RenewLocks(tokens) : new Command.CompleteMessages(tokens);
    }

    private static void checked(
            Exchange exchange, Place place, MessageResource resource, Command command, Reply reply) {
        if (!(reply instanceof Reply.Locked locked) || !isNamed(locked.message(), resource.id())) {
            exchange.refuse(HttpError.notFound("The lock supplied does not belong to the message that the URL names."));
            return;
        }
        place.entity().submit(command, exchange.executor(), replies(exchange, done -> answer(exchange, done)));
    }

    private static boolean isNamed(MessageView message, String id) {
        if (id.equals(Long.toString(message.sequenceNumber()))) {
            return true;
        }
        Object messageId = new ContentReader(message.content()).properties().get(PropertyField.MESSAGE_ID);
        String text = MessageAnswer.id(messageId);
        return text != null && id.equals(text.replace('\\', '/')); // like the path
    }

    private static void answer(Exchange exchange, Reply reply) {
        if (reply instanceof Reply.LocksRenewed renewed && renewed.lockedUntilMs().length == 1) {
            exchange.response()
                    .putHeader(
                            "BrokerProperties",
                            "{\"LockedUntilUtc\":\"" + HttpDates.format(renewed.lockedUntilMs()[0]) + "\"}");
        }
        exchange.answer(OK);
    }

    private static ReplyListener replies(Exchange exchange, Consumer<Reply> onReply) {
        return new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                exchange.guarded(() -> onReply.accept(reply));
            }

            @Override
            public void onRejected(Rejection rejection) {
                exchange.reject(rejection);
            }
        };
    }
}
