package dev.jitney.gateway.http.operator;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SearchFilter;
import dev.jitney.core.SearchState;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityKind;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.ReplyListener;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One search for messages. It sends one command after the other, each of which looks at few messages, so that the shard serves others in
 * between. It ends at the end of the queue, when the page is full, or after {@value #SECONDS_MAX} seconds. For the event loop of its
 * exchange.
 */
final class MessageSearch implements ReplyListener {
    static final long SECONDS_MAX = 2;

    /** The size after which a page is full. */
    private static final int PAGE_BYTES_MAX = 1 << 20;

    private static final JsonFactory JSON = new JsonFactory();

    private final Exchange exchange;
    private final Entity entity;
    private final SubQueue subQueue;
    private final Set<SearchState> states;
    private final @Nullable SearchFilter filter;
    private final long max;
    private final long scanMax;
    private final long bodyBytesMax;
    private final long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    private final ByteArrayOutputStream page = new ByteArrayOutputStream();
    private final JsonGenerator out;
    private long found;
    private long scanned;
    private long failed;
    private @Nullable String failure;

    private MessageSearch(Exchange exchange, Entity entity, SubQueue subQueue, OperatorRequest request)
            throws RefusedException {
        this.exchange = exchange;
        this.entity = entity;
        this.subQueue = subQueue;
        states = EnumSet.noneOf(SearchState.class);
        request.list("state").forEach(state -> states.add(SearchState.valueOf(state.toUpperCase(Locale.ROOT))));
        filter = compiled(request.text("filter"));
        max = request.number("max", 1);
        scanMax = request.number("scan", 1);
        bodyBytesMax = request.number("body", 0);
        try {
            out = JSON.createGenerator(page);
            out.writeStartObject();
            out.writeArrayFieldStart("messages");
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
    }

    private static @Nullable SearchFilter compiled(@Nullable String text) throws RefusedException {
        if (text == null || text.isBlank()) {
            return null;
        }
        SearchFilter.Result result = SearchFilter.compile(text);
        Rejection refusal = result.rejection();
        if (refusal != null) {
            throw new RefusedException(refusal);
        }
        return result.filter();
    }

    /**
     * Starts a search.
     *
     * @throws RefusedException if the filter is wrong
     */
    static void start(Exchange exchange, Entity entity, EntityAddress address, OperatorRequest request)
            throws RefusedException {
        new MessageSearch(exchange, entity, address.subQueue(), request).search(request.number("from", 0));
    }

    private void search(long from) {
        if (exchange.isOver()) {
            return;
        }
        int missing = (int) Math.min(max - found, Integer.MAX_VALUE);
        entity.submit(new Command.SearchMessages(subQueue, from, states, filter, missing), exchange.executor(), this);
    }

    @Override
    public void onReply(Reply reply) {
        exchange.guarded(() -> {
            Reply.Found slice = (Reply.Found) reply;
            scanned += slice.scanned();
            failed += slice.failed();
            failure = slice.failure() == null ? failure : slice.failure();
            long next = add(slice);
            boolean over = next == Reply.Found.END;
            if (over || isFull() || scanned >= scanMax || System.nanoTime() - endNanos >= 0) {
                answer(next);
            } else {
                search(next);
            }
        });
    }

    /** Adds messages, and returns where the search continues. */
    private long add(Reply.Found slice) {
        try {
            for (MessageView message : slice.messages()) {
                if (isFull()) {
                    return message.sequenceNumber();
                }
                MessageDocument.write(out, message, bodyBytesMax);
                out.flush();
                found++;
            }
            return slice.next();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
    }

    private boolean isFull() {
        return found >= max || page.size() >= PAGE_BYTES_MAX;
    }

    private void answer(long next) {
        try {
            out.writeEndArray();
            out.writeNumberField("scanned", scanned);
            out.writeNumberField("total", total());
            if (next == Reply.Found.END) {
                out.writeNullField("next");
            } else {
                out.writeStringField("next", Long.toString(next));
            }
            if (failed > 0) {
                out.writeNumberField("failed", failed);
                out.writeStringField("failure", failure);
            }
            out.writeEndObject();
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
        OperatorHandler.answer(exchange, Buffer.buffer(page.toByteArray()));
    }

    /** Returns the number of messages in these states and others of the queue or sub-queue, as of the last commit. */
    private long total() {
        MessageCounts counts = entity.counts();
        return switch (subQueue) {
            case MAIN ->
                entity.kind() == EntityKind.TOPIC
                        ? counts.scheduled()
                        : counts.active() + (states.contains(SearchState.SCHEDULED) ? counts.scheduled() : 0);
            case DEAD_LETTER -> counts.deadLetter();
            case TRANSFER_DEAD_LETTER -> counts.transferDeadLetter();
        };
    }

    @Override
    public void onRejected(Rejection rejection) {
        exchange.reject(rejection);
    }
}
