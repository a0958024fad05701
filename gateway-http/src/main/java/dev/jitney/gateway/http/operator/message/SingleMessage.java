package dev.jitney.gateway.http.operator.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.jitney.codec.ContentReader;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;

/**
 * One message as a whole. Its answer may be much larger than the message, so memory is reserved before it is built: {@value
 * #BYTES_OF_BYTE} bytes for each byte of the message, {@value #BYTES_OF_VALUE} for each value in it, and the answer itself twice while it is
 * written. For the event loop of its exchange.
 */
public final class SingleMessage implements ReplyListener {
    private static final JsonFactory JSON = new JsonFactory();

    /** The bytes of a body, their characters in the decoder, and the text. */
    private static final long BYTES_OF_BYTE = 5;

    /** A map with the type and the value, and its place in a list. */
    private static final long BYTES_OF_VALUE = 256;

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
            byte[] document = document(found.get(0), reserve(found.get(0)));
            access.audit("message " + number);
            JsonAnswer.send(exchange, Buffer.buffer(document));
        });
    }

    /**
     * Reserves the memory of the values in a message, and returns it in bytes.
     *
     * @throws RefusedException with 503 if there is none
     */
    private long reserve(MessageView message) throws RefusedException {
        long bytes = BYTES_OF_BYTE * message.content().sizeBytes();
        try {
            bytes += BYTES_OF_VALUE * new ContentReader(message.content()).valueCount();
        } catch (IllegalArgumentException unreadable) {
            // the document says so, without the values
        }
        if (!exchange.reserve(bytes)) {
            throw new RefusedException(Exchange.OUT_OF_MEMORY);
        }
        return bytes;
    }

    private byte[] document(MessageView message, long others) throws RefusedException {
        ReservedOutput bytes = new ReservedOutput(exchange, others);
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            MessageDocument.write(out, message, Long.MAX_VALUE, access);
        } catch (ReservedOutput.NoMemory none) {
            throw new RefusedException(Exchange.OUT_OF_MEMORY);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
        return bytes.toBytes();
    }

    @Override
    public void onRejected(Rejection rejection) {
        exchange.reject(rejection);
    }
}
