package dev.jitney.gateway.http.operator.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.operator.request.JsonAnswer;
import dev.jitney.gateway.http.operator.request.OperatorRequest;
import dev.jitney.runtime.AuditTrail;
import dev.jitney.runtime.AuditTrail.Action;
import dev.jitney.runtime.AuditTrail.Entry;
import dev.jitney.runtime.AuditTrail.Slice;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * A page of the audit trail, the newest entry first. The entries are read in slices, so that the shard serves others in between. The page
 * ends when it is full, at the end of the trail, or after {@value #SECONDS_MAX} seconds. For the event loop of its exchange.
 */
public final class AuditPage {
    private static final long SECONDS_MAX = 2;

    /** The size after which a page gets no more entries, bytes. */
    private static final int BYTES_MAX = 1 << 20;

    private static final long ENTRIES_DEFAULT = 50;
    private static final JsonFactory JSON = new JsonFactory();

    private final Exchange exchange;
    private final AuditTrail trail;
    private final AuditFilter filter;
    private final long max;
    private final long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    private final ByteArrayOutputStream document = new ByteArrayOutputStream();
    private final JsonGenerator out;
    private long count;

    private AuditPage(Exchange exchange, OperatorRequest request) throws IOException {
        this.exchange = exchange;
        this.trail = exchange.namespace().auditTrail();
        this.filter = AuditFilter.of(request);
        this.max = request.number("max", ENTRIES_DEFAULT);
        this.out = JSON.createGenerator(document);
        out.writeStartObject();
        out.writeArrayFieldStart("entries");
    }

    /** Starts a page for a client that may see the trail. */
    public static void start(Exchange exchange, OperatorRequest request) {
        try {
            new AuditPage(exchange, request).read(request.number("before", Long.MAX_VALUE));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
    }

    private void read(long before) {
        trail.read(before)
                .whenCompleteAsync(
                        (slice, failure) -> {
                            if (failure == null) {
                                exchange.guarded(() -> add(slice));
                            } else {
                                exchange.fail(failure);
                            }
                        },
                        exchange.executor());
    }

    private void add(Slice slice) {
        if (exchange.isOver()) {
            return; // the client is gone
        }
        try {
            for (Entry entry : slice.entries()) {
                if (filter.matches(entry)) {
                    write(entry);
                    if (isFull()) {
                        end(entry.id() > 1 ? entry.id() : 0);
                        return;
                    }
                }
            }
            if (slice.next() == 0 || System.nanoTime() - endNanos > 0) {
                end(slice.next());
            } else {
                read(slice.next());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a stream in memory does not fail
        }
    }

    private boolean isFull() throws IOException {
        out.flush();
        return ++count >= max || document.size() >= BYTES_MAX;
    }

    private void end(long next) throws IOException {
        out.writeEndArray();
        if (next > 0) {
            out.writeStringField("next", Long.toString(next));
        } else {
            out.writeNullField("next");
        }
        out.writeEndObject();
        out.close();
        JsonAnswer.send(exchange, Buffer.buffer(document.toByteArray()));
    }

    private void write(Entry entry) throws IOException {
        Action action = entry.action();
        out.writeStartObject();
        out.writeStringField("id", Long.toString(entry.id()));
        out.writeStringField("time", Instant.ofEpochMilli(entry.timeMs()).toString());
        out.writeStringField("action", action.name());
        out.writeStringField("result", AuditFilter.nameOf(entry.result()));
        out.writeStringField("key", action.key());
        out.writeStringField("client", action.client());
        out.writeStringField("namespace", action.namespace());
        out.writeStringField("entity", action.entity());
        out.writeStringField("rule", action.rule());
        out.writeStringField("details", entry.details());
        out.writeEndObject();
    }
}
