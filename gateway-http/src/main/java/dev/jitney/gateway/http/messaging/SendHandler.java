package dev.jitney.gateway.http.messaging;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.messaging.MessagingHandler.Place;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.List;

/**
 * The handler that sends one message, or all messages of a batch together (HTTP reference 3.1 and 3.4). It responds
 * when the messages are durable. {@code x-ms-retrypolicy} and {@code timeout} have no effect: the broker does not
 * retry, and refuses immediately if it cannot accept messages.
 */
final class SendHandler {
    private static final String DEFAULT_CONTENT_TYPE = "application/atom+xml;type=entry;charset=utf-8";
    private static final int CREATED = 201;

    /** JSON may be longer than its messages, because a character may need six bytes. */
    private static final int JSON_FACTOR = 6;

    /** The maximum size of a batch, which is less than that of a single large message. */
    private static final long BATCH_MAX = 1 << 20;

    private static final int BODY_MAX = 512 << 20;

    private final MessageComposer composer = new MessageComposer();

    void send(Exchange exchange, Place place) throws RefusedException {
        if (place.address().subQueue() != SubQueue.MAIN) {
            throw new RefusedException(HttpError.badRequest("Expected a queue or a topic to send to, but '"
                    + place.address().path() + place.address().subQueue().suffix()
                    + "' is a sub-queue, which accepts no sends."));
        }
        Entity entity = place.entity();
        long sizeMax = entity.maxMessageSizeBytes();
        boolean batch = MessageBatch.isBatch(exchange.request().getHeader(HttpHeaders.CONTENT_TYPE));
        int bodyMax = (int) Math.min(BODY_MAX, batch ? Math.min(sizeMax, BATCH_MAX) * JSON_FACTOR : sizeMax);
        HttpError tooLarge = HttpError.of(new Rejection(
                ErrorCode.MESSAGE_SIZE_EXCEEDED,
                "The received message (size: more than " + bodyMax + " bytes) exceeds the limit (" + sizeMax
                        + " bytes) of the entity."));
        exchange.body(bodyMax, tooLarge)
                .onSuccess(body -> exchange.guarded(() -> submit(exchange, entity, batch, body)))
                .onFailure(exchange::fail);
    }

    private void submit(Exchange exchange, Entity entity, boolean batch, Buffer body) throws RefusedException {
        byte[] bytes = body.getBytes();
        long nowMs = exchange.nowMs();
        List<IncomingMessage> messages =
                batch ? MessageBatch.read(bytes, composer, nowMs) : List.of(single(exchange, bytes, nowMs));
        entity.submit(new Command.SendMessages(messages), exchange.executor(), new ReplyListener() {
            @Override
            public void onReply(Reply reply) {
                exchange.answer(CREATED);
            }

            @Override
            public void onRejected(Rejection rejection) {
                exchange.reject(rejection);
            }
        });
    }

    private IncomingMessage single(Exchange exchange, byte[] body, long nowMs) throws RefusedException {
        String contentType = exchange.request().getHeader(HttpHeaders.CONTENT_TYPE);
        return composer.compose(
                BrokerProperties.parse(exchange.request().getHeader("BrokerProperties")),
                contentType == null || contentType.isBlank() ? DEFAULT_CONTENT_TYPE : contentType,
                PropertyHeaders.read(exchange.request().headers()),
                body,
                nowMs);
    }
}
