package dev.jitney.gateway.http.operator.message;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.jitney.core.Reply;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.privacy.BodyAccess;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.MessageView;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** One page of a search for messages. For the event loop of its exchange. */
public final class MessageSearch extends MessageScan {
    /** The size after which a page is full. */
    private static final int PAGE_BYTES_MAX = 1 << 20;

    /** The messages of one turn of the event loop if values are hidden, because a body of 128 KiB may take up to 5 ms. */
    private static final int MASKED_AT_ONCE = 1;

    private final BodyAccess access;
    private final @Nullable String filter;
    private final @Nullable String group;
    private final long max;
    private final long bodyBytesMax;
    private long found;

    private MessageSearch(
            Exchange exchange, Entity entity, SubQueue subQueue, OperatorRequest request, BodyAccess access)
            throws RefusedException {
        super(exchange, entity, subQueue, request, access);
        this.access = access;
        filter = request.text("filter");
        group = MessageGroup.id(request.text("group"));
        access.checkGroup(group);
        max = request.number("max", 1);
        bodyBytesMax = request.number("body", 0);
        try {
            out().writeArrayFieldStart("messages");
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
    }

    /**
     * Starts a search.
     *
     * @throws RefusedException if the filter or the group is wrong, or reads a value that the client must not see
     */
    public static void start(
            Exchange exchange, Entity entity, EntityAddress address, OperatorRequest request, BodyAccess access)
            throws RefusedException {
        new MessageSearch(exchange, entity, address.subQueue(), request, access).scan(request.number("from", 0));
    }

    @Override
    int missing() {
        if (group != null && !access.hides()) {
            return Integer.MAX_VALUE; // only some of the messages that are read belong to the group
        }
        long missing = access.hides() && bodyBytesMax > 0 ? Math.min(MASKED_AT_ONCE, max - found) : max - found;
        return (int) Math.min(missing, Integer.MAX_VALUE);
    }

    @Override
    boolean isFull() {
        return found >= max || size() >= PAGE_BYTES_MAX;
    }

    @Override
    long take(Reply.Found slice) throws IOException {
        for (MessageView message : slice.messages()) {
            if (isFull()) {
                return message.sequenceNumber();
            }
            if (!MessageGroup.has(group, message)) {
                continue;
            }
            MessageDocument.write(out(), message, bodyBytesMax, access);
            out().flush();
            found++;
        }
        return slice.next();
    }

    @Override
    void close(JsonGenerator out) throws IOException {
        out.writeEndArray();
        if (found > 0 && bodyBytesMax > 0) {
            access.audit(found + " messages" + (filter == null ? "" : "; filter: " + filter)
                    + (group == null ? "" : "; group: " + group));
        }
    }
}
