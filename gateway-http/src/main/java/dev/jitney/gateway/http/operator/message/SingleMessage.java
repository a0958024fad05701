package dev.jitney.gateway.http.operator.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SearchState;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.privacy.BodyAccess;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.ClientText;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;

/** One message as a whole. For the event loop of its exchange. */
public final class SingleMessage implements ReplyListener {
    private static final JsonFactory JSON = new JsonFactory();

    private final Exchange exchange;
    private final long number;
    private final BodyAccess access;

    private SingleMessage(Exchange exchange, long number, BodyAccess access) {
        this.exchange = exchange;
        this.number = number;
        this.access = access;
    }

    /** @throws RefusedException if the sequence number is none */
    public static void start(
            Exchange exchange, Entity entity, EntityAddress address, OperatorRequest request, BodyAccess access)
            throws RefusedException {
        long number = number(request);
        entity.submit(
                new Command.SearchMessages(address.subQueue(), number, EnumSet.allOf(SearchState.class), null, 1),
                exchange.executor(),
                new SingleMessage(exchange, number, access));
    }

    /**
     * Returns the sequence number in a path.
     *
     * @throws RefusedException if it is none
     */
    public static long number(OperatorRequest request) throws RefusedException {
        Long number = OperatorRequest.number(request.variable("sequenceNumber"));
        if (number == null) {
            throw new RefusedException(
                    HttpError.badRequest("Expected a sequence number behind 'messages' in the path, but got '"
                            + ClientText.abbreviate(request.variable("sequenceNumber")) + "'."));
        }
        return number;
    }

    /** Returns the error for a message that is not there. */
    public static HttpError missing(long number) {
        return HttpError.notFound("There is no message with the sequence number " + number
                + ". It was completed, moved or removed, or it is in another queue.");
    }

    @Override
    public void onReply(Reply reply) {
        exchange.guarded(() -> {
            List<MessageView> found = ((Reply.Found) reply).messages();
            if (found.isEmpty() || found.get(0).sequenceNumber() != number) {
                throw new RefusedException(missing(number));
            }
            access.audit("message " + number);
            JsonAnswer.send(exchange, Buffer.buffer(document(found.get(0))));
        });
    }

    private byte[] document(MessageView message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            MessageDocument.write(out, message, Long.MAX_VALUE, access);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
        return bytes.toByteArray();
    }

    @Override
    public void onRejected(Rejection rejection) {
        exchange.reject(rejection);
    }
}
