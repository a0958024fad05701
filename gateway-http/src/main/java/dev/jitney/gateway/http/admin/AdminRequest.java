package dev.jitney.gateway.http.admin;

import dev.jitney.gateway.http.atom.ApiVersion;
import dev.jitney.gateway.http.atom.AtomEntry;
import dev.jitney.gateway.http.atom.AtomWriter;
import dev.jitney.gateway.http.atom.Dialect;
import dev.jitney.gateway.http.atom.Elements;
import dev.jitney.gateway.http.atom.EntryReader;
import dev.jitney.gateway.http.atom.MalformedEntryException;
import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.audit.Audit;
import dev.jitney.runtime.audit.AuditedAction;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An authorized request of the administration API with its responses. For the event loop of its exchange. */
final class AdminRequest {
    private static final int BODY_BYTES_MAX = 1 << 20;

    private final Exchange exchange;
    private final AdminTarget target;
    private final Grant grant;
    private final ApiVersion version;
    private final boolean reads;
    private final String client;
    private String action;
    private String changed = "";

    /** @param reads true if the request changes nothing */
    AdminRequest(Exchange exchange, AdminTarget target, Grant grant, boolean reads) throws RefusedException {
        this.exchange = exchange;
        this.target = target;
        this.grant = grant;
        this.reads = reads;
        this.client = exchange.client(); // the socket may be closed by the time the change is durable
        this.action = (exchange.request().method() == HttpMethod.DELETE ? "delete " : "put ")
                + target.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        this.version = ApiVersion.of(exchange.target().query("api-version"));
    }

    /**
     * Sets the action for the audit log, as soon as it is known.
     *
     * @param what a verb and its object
     * @param how the changed properties in the format of {@link dev.jitney.runtime.audit.Changes}; empty if the action
     *     is enough
     */
    void auditing(String what, String how) {
        action = what;
        changed = how;
    }

    /** Writes to the audit log that the action is done. */
    void auditDone() {
        Audit.done(audited(), changed);
    }

    /** Writes to the audit log that a change was refused. */
    void auditRefused(String reason) {
        if (!reads) {
            Audit.refused(audited(), reason);
        }
    }

    private AuditedAction audited() {
        return new AuditedAction(action, grant.holder(), client, namespace(), target.entityPath(), target.rule());
    }

    /** The processing of a description from the body. */
    @FunctionalInterface
    interface Work {
        void on(Elements description) throws RefusedException;
    }

    Exchange exchange() {
        return exchange;
    }

    AdminTarget target() {
        return target;
    }

    /** Returns the grant that permits the request. */
    Grant grant() {
        return grant;
    }

    Namespace namespace() {
        return exchange.namespace();
    }

    ApiVersion version() {
        return version;
    }

    Dialect dialect() {
        return new Dialect(version, namespace().limits(), namespace().partitioning(), exchange.authority());
    }

    /**
     * Refuses an entity that API versions of the client cannot handle (PART-16).
     *
     * @param description of a queue or topic
     */
    void requireVersionFor(EntityDescription description) throws RefusedException {
        String reason = version.refuse(description);
        if (reason != null) {
            throw new RefusedException(HttpError.badRequest(reason));
        }
    }

    /** Returns the path in the spelling of the client, without a slash at its end. */
    String rawPath() {
        String path = exchange.path();
        return path != null && path.endsWith("/") ? path.substring(0, path.length() - 1) : String.valueOf(path);
    }

    /** Returns the absolute URL of the request in the spelling of the client. */
    String url() {
        String query = exchange.request().query();
        return exchange.origin() + exchange.path() + (query == null ? "" : "?" + query);
    }

    /** Returns the condition of the change, or null. */
    @Nullable
    String ifMatch() {
        return exchange.request().getHeader(HttpHeaders.IF_MATCH);
    }

    /** Reads the body and processes the description in it. */
    void withDescription(EntryReader reader, Work work) {
        exchange.body(BODY_BYTES_MAX)
                .onFailure(exchange::fail)
                .onSuccess(body -> guarded(() -> work.on(description(reader, body))));
    }

    /** Runs a step. A refusal becomes the response, and is audited for a change. */
    void guarded(Exchange.Step step) {
        exchange.guarded(() -> {
            try {
                step.run();
            } catch (RefusedException refused) {
                auditRefused(String.valueOf(refused.getMessage()));
                throw refused;
            }
        });
    }

    /** Reads a body that may be missing. */
    void withBody(Consumer<Buffer> work) {
        exchange.body(BODY_BYTES_MAX).onFailure(exchange::fail).onSuccess(work::accept);
    }

    private static Elements description(EntryReader reader, Buffer body) throws RefusedException {
        try {
            return reader.description(body.getBytes());
        } catch (MalformedEntryException malformed) {
            throw refused(malformed);
        }
    }

    static RefusedException refused(MalformedEntryException malformed) {
        return new RefusedException(HttpError.badRequest(malformed.sentence()));
    }

    /**
     * Responds once the broker has made a change, and audits the change. A rejection is converted by {@code wording}.
     */
    <T> void answerAfter(CompletionStage<T> work, Function<Rejection, HttpError> wording, Consumer<T> answer) {
        work.whenCompleteAsync(
                (result, failure) -> {
                    if (failure == null) {
                        auditDone();
                        exchange.guarded(() -> answer.accept(result));
                        return;
                    }
                    Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure;
                    if (cause instanceof BrokerException refused) {
                        auditRefused(refused.rejection().description());
                        exchange.refuse(wording.apply(refused.rejection()));
                    } else {
                        exchange.fail(cause);
                    }
                },
                exchange.executor());
    }

    /** Responds with an entry. */
    void answer(int status, AtomEntry entry) {
        answer(status, AtomWriter.ENTRY_TYPE, AtomWriter.entry(entry));
    }

    /** Responds with a page of a list. */
    void answerFeed(String title, @Nullable String next, List<AtomEntry> entries) {
        byte[] feed = AtomWriter.feed(title, url(), exchange.nowMs(), next, entries);
        answer(200, AtomWriter.FEED_TYPE, feed);
    }

    /** Responds with a document, and counts a read as a call; changes are already counted (MET-1). */
    void answer(int status, String contentType, byte[] document) {
        if (reads) {
            namespace().countCall(namespace().entity(target.entityPath()));
        }
        exchange.answer(status, contentType, Buffer.buffer(document));
    }

    /** Sets the ETag of the response. */
    void tag(long updatedAtMs) {
        exchange.response().putHeader(HttpHeaders.ETAG, EntityTag.of(updatedAtMs));
    }
}
