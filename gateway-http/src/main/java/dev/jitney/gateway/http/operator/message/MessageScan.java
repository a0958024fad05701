package dev.jitney.gateway.http.operator.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.SearchFilter;
import dev.jitney.core.SearchState;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.gateway.http.operator.privacy.BodyAccess;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
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
 * One walk over the messages of a queue. It sends one command after the other, each of which looks at few messages, so that the shard
 * serves others in between. It ends at the end of the queue, when the answer is full, or after {@value #SECONDS_MAX} seconds. For the
 * event loop of its exchange.
 */
abstract class MessageScan implements ReplyListener {
    static final long SECONDS_MAX = 2;

    private static final JsonFactory JSON = new JsonFactory();

    private final Exchange exchange;
    private final Entity entity;
    private final SubQueue subQueue;
    private final Set<SearchState> states;
    private final @Nullable SearchFilter filter;
    private final long scanMax;
    private final long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    private final ByteArrayOutputStream document = new ByteArrayOutputStream();
    private final JsonGenerator out;
    private long scanned;
    private long failed;
    private @Nullable String failure;

    /**
     * @param request has the parameters state, filter and scan
     * @throws RefusedException if the filter is wrong, or reads a value that the client must not see
     */
    MessageScan(Exchange exchange, Entity entity, SubQueue subQueue, OperatorRequest request, BodyAccess access)
            throws RefusedException {
        this.exchange = exchange;
        this.entity = entity;
        this.subQueue = subQueue;
        states = EnumSet.noneOf(SearchState.class);
        request.list("state").forEach(state -> states.add(SearchState.valueOf(state.toUpperCase(Locale.ROOT))));
        filter = MessageFilter.compiled(request.text("filter"));
        access.check(filter);
        scanMax = request.number("scan", 1);
        try {
            out = JSON.createGenerator(document);
            out.writeStartObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
    }

    /** Looks at the next messages. */
    final void scan(long from) {
        if (!exchange.isOver()) {
            entity.submit(
                    new Command.SearchMessages(subQueue, from, states, filter, missing()), exchange.executor(), this);
        }
    }

    /** Returns the number of messages that the answer has room for. */
    abstract int missing();

    /** Returns whether the answer is full. */
    abstract boolean isFull();

    /** Takes messages, and returns where the walk continues. */
    abstract long take(Reply.Found slice) throws IOException;

    /** Ends what was begun in the document, before the figures of the walk. */
    abstract void close(JsonGenerator out) throws IOException;

    /** Returns the writer of the answer, in its object. */
    final JsonGenerator out() {
        return out;
    }

    /** Returns the size of the answer so far. */
    final int size() {
        return document.size();
    }

    @Override
    public final void onReply(Reply reply) {
        exchange.guarded(() -> {
            Reply.Found slice = (Reply.Found) reply;
            scanned += slice.scanned();
            failed += slice.failed();
            failure = slice.failure() == null ? failure : slice.failure();
            long next;
            try {
                next = take(slice);
            } catch (IOException e) {
                throw new UncheckedIOException(e); // a stream in memory does not fail
            }
            boolean over = next == Reply.Found.END;
            if (over || isFull() || scanned >= scanMax || System.nanoTime() - endNanos >= 0) {
                answer(next);
            } else {
                scan(next);
            }
        });
    }

    private void answer(long next) {
        try {
            close(out);
            out.writeNumberField("scanned", scanned);
            out.writeNumberField("total", QueueCounts.of(entity, subQueue, states.contains(SearchState.SCHEDULED)));
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
        JsonAnswer.send(exchange, Buffer.buffer(document.toByteArray()));
    }

    @Override
    public void onRejected(Rejection rejection) {
        exchange.reject(rejection);
    }
}
