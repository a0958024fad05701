package dev.jitney.gateway.http.exchange;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.SharedAccessSignature;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer. For the event loop of its connection: answers of the broker come back to it through
 * {@link #executor()}.
 *
 * <p>It is answered once; what comes later, or after the client has gone, is dropped.
 */
public final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    /** The request that is served also when all places are taken. */
    private static final String HEALTH = "/health";

    /** Answers up to this size are written whether or not there is memory: refusals above all. */
    private static final int SMALL_ANSWER_BYTES = 4 * 1024;

    /** There is no memory for the answer. */
    public static final HttpError OUT_OF_MEMORY =
            HttpError.busy("Too many answers are on their way. Please wait 10 seconds and try again.");

    private static final String KEY = Exchange.class.getName();
    private static final String CLIENT_REQUEST_ID = "x-ms-client-request-id";
    private static final String RETURN_CLIENT_REQUEST_ID = "x-ms-return-client-request-id";
    private static final int CLIENT_REQUEST_ID_MAX = 256;
    private static final String OLDER_JAVA_CLIENT = "MSJavaClient";

    private final HttpServerRequest request;
    private final HttpEdge edge;
    private Namespace namespace;

    /** Whether the host of the request or a key that is believed has told the namespace. */
    private boolean namespaceTold;

    private final Executor executor;
    private final List<Runnable> whenEnded = new ArrayList<>();
    private @Nullable RequestTarget target;
    private boolean answered;
    private boolean ended;
    private long responseBytes;
    private long reservedBytes;
    private final HttpPeer peer;
    private boolean hasPlace;

    /** Work that may be refused. */
    @FunctionalInterface
    public interface Step {
        void run() throws RefusedException;
    }

    private Exchange(HttpServerRequest request, HttpEdge edge) {
        this.request = request;
        this.edge = edge;
        this.peer = edge.peer(request.connection());
        Namespace named = edge.broker().namespaceNamed(host());
        this.namespaceTold = named != null;
        this.namespace = named == null ? edge.broker().namespaces().get(0) : named;
        this.executor = edge.executor();
    }

    static Exchange begin(RoutingContext context, HttpEdge edge) {
        HttpServerRequest request = context.request();
        Exchange exchange = new Exchange(request, edge);
        context.put(KEY, exchange);
        boolean health = isHealth(request.path());
        exchange.hasPlace = edge.connections().begin(exchange.peer, bodyLength(request), health);
        context.addEndHandler(over -> exchange.ended());
        exchange.echoRequestId();
        return exchange;
    }

    /** Health is told while all places are taken. */
    private static boolean isHealth(@Nullable String path) {
        return path != null && (path.equals(HEALTH) || path.equals(HEALTH + "/live") || path.equals(HEALTH + "/ready"));
    }

    static boolean hasBegun(RoutingContext context) {
        return context.get(KEY) != null;
    }

    /** The exchange of a request that has passed {@link HttpEdge#begin}. */
    public static Exchange of(RoutingContext context) {
        Exchange exchange = context.get(KEY);
        if (exchange == null) {
            throw new IllegalStateException("Expected a request that has begun.");
        }
        return exchange;
    }

    /** Bytes of the body, 0 if there is none, negative if only its end tells. */
    private static long bodyLength(HttpServerRequest request) {
        if (request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
            return -1;
        }
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length.strip());
        } catch (NumberFormatException notANumber) {
            return -1; // the decoder refuses it
        }
    }

    /** Whether the request may be served; false if all places for requests are taken. */
    boolean hasPlace() {
        return hasPlace;
    }

    public HttpServerRequest request() {
        return request;
    }

    /** To set status and header fields of; what ends it are the methods of this class. */
    public HttpServerResponse response() {
        return request.response();
    }

    /**
     * Path and query.
     *
     * @throws RefusedException with 400 if they cannot be decoded
     */
    public RequestTarget target() throws RefusedException {
        RequestTarget known = target;
        if (known == null) {
            known = RequestTarget.parse(request.path(), request.query());
            target = known;
        }
        return known;
    }

    /**
     * The namespace that the host of the request names; if it names none, the one of the key that has {@linkplain #authorize
     * authorized} it, and until then the first.
     */
    public Namespace namespace() {
        return namespace;
    }

    /** The namespace that is the first label of a host name, or null if none has that name. */
    public @Nullable Namespace namespaceNamed(String host) {
        return edge.broker().namespaceNamed(host);
    }

    /** Host and port as the client sees them; the name of the namespace if it did not say. */
    public String authority() {
        return request.authority() == null
                ? namespace.name()
                : request.authority().toString();
    }

    /** {@code http} or {@code https}, and the authority: what URLs in answers start with. */
    public String origin() {
        return request.scheme() + "://" + authority();
    }

    /** Runs tasks on the event loop of this exchange, in order; to be handed to the broker with commands. */
    public Executor executor() {
        return executor;
    }

    /** Address and port of the client's socket, for logs. */
    public String client() {
        SocketAddress address = request.remoteAddress();
        return address == null ? "" : String.valueOf(address);
    }

    /** The broker's time. */
    public long nowMs() {
        return edge.broker().clock().nowMs();
    }

    /**
     * Checks the request's {@code Authorization}.
     *
     * @param entity what is to be worked on; the empty path stands for the namespace
     * @param anyOf one of these rights is needed
     * @throws RefusedException with 401 if the credential is missing, not to be believed, or not enough
     */
    public Grant authorize(EntityAddress entity, AccessRight... anyOf) throws RefusedException {
        List<String> credentials = request.headers().getAll(HttpHeaders.AUTHORIZATION);
        if (credentials.size() > 1) {
            throw new RefusedException(
                    HttpError.unauthorized("Expected one Authorization, but got " + credentials.size() + "."));
        }
        String credential = credentials.isEmpty() ? null : credentials.get(0);
        Namespace judging =
                namespaceTold ? namespace : edge.broker().namespaceOfKey(SharedAccessSignature.keyName(credential));
        Grant grant = HttpAuthorization.check(credential, entity, target().path(), judging, nowMs(), anyOf);
        namespace = judging;
        namespaceTold = true;
        edge.connections().authorized(peer);
        return grant;
    }

    /**
     * Reads the body. It stays in memory until the exchange has ended.
     *
     * @param bytesMax a larger one is refused with 413
     * @return fails if the body is refused or the client has gone; {@link #fail} knows what to do in either case
     */
    public Future<Buffer> body(int bytesMax) {
        return body(
                bytesMax,
                new HttpError(
                        413,
                        0,
                        "Expected a body of at most " + bytesMax + " bytes, but the request has a larger one."));
    }

    /** As {@link #body(int)}, with an error of its own for a body that is too large. */
    public Future<Buffer> body(int bytesMax, HttpError tooLarge) {
        RequestBody body =
                new RequestBody(request, bytesMax, tooLarge, edge.limits().surplusBytesMax(), edge.connections(), peer);
        whenEnded(body::release);
        edge.connections().bodyPermitted(peer, bytesMax);
        return body.read().andThen(read -> {
            if (request.isEnded()) {
                edge.connections().bodyComplete(peer);
            }
        });
    }

    /** Runs something once, when the exchange has ended: answered, or the client gone. */
    public void whenEnded(Runnable action) {
        if (ended) {
            action.run();
        } else {
            whenEnded.add(action);
        }
    }

    /** Whether nobody waits for an answer any more, because it was given or the client has gone. */
    public boolean isOver() {
        return answered || ended;
    }

    /** Answers with a status and no body. */
    public void answer(int status) {
        answer(status, null, Buffer.buffer());
    }

    /**
     * Claims the memory for an answer before anything is done that cannot be undone. The answer's body may then have that
     * many bytes.
     *
     * @return false if the memory is not there; then the request must be refused
     */
    public boolean reserve(long bytes) {
        long missing = bytes - reservedBytes;
        if (missing > 0) {
            if (!edge.connections().claim(peer, MemoryPurpose.ANSWER, missing)) {
                return false;
            }
            reservedBytes = bytes;
        }
        return true;
    }

    /** Begins an answer that is written piece by piece, and whose pieces need that much memory at a time. */
    public boolean beginPieces(long bytesHeld, long bytesInAll) {
        if (!reserve(bytesHeld)) {
            return false;
        }
        edge.connections().answering(peer, bytesInAll);
        return true;
    }

    /**
     * Answers with a body. When there is no memory for it, the answer is 503.
     *
     * @return completes when the body is handed to the socket, fails if the client has gone
     */
    public Future<Void> answer(int status, @Nullable String contentType, Buffer body) {
        if (isOver()) {
            return Future.failedFuture("The exchange is over.");
        }
        if (body.length() <= SMALL_ANSWER_BYTES && body.length() > reservedBytes) {
            edge.connections().force(peer, MemoryPurpose.ANSWER, body.length() - reservedBytes);
            reservedBytes = body.length();
        } else if (!reserve(body.length())) {
            refuse(OUT_OF_MEMORY);
            return Future.failedFuture("There is no memory for the answer.");
        }
        answered = true;
        responseBytes = body.length();
        HttpServerResponse response = request.response().setStatusCode(status);
        if (contentType != null) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, contentType);
        }
        edge.connections().answering(peer, responseBytes);
        return response.end(body).onComplete(written -> releaseAnswer());
    }

    private void releaseAnswer() {
        edge.connections().release(peer, MemoryPurpose.ANSWER);
        reservedBytes = 0;
    }

    /** Answers with an error document and closes the connection once the client has it. */
    void refuseAndClose(HttpError error) {
        response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        refuse(error).onComplete(written -> request.connection().close());
    }

    /** Answers with an error document. */
    public Future<Void> refuse(HttpError error) {
        HttpError told = error;
        if (error.subCode() == HttpError.INVALID_OPERATION && isOlderJavaClient()) {
            told = HttpError.badRequest(error.sentence());
        }
        String document = ErrorDocument.of(told, authority() + ":" + request.path(), nowMs());
        return answer(told.status(), ErrorDocument.CONTENT_TYPE, Buffer.buffer(document));
    }

    /** Answers what the broker refused. */
    public void reject(Rejection rejection) {
        refuse(HttpError.of(rejection));
    }

    /** Answers a failure of any kind; one nobody expected is logged and told as 500. */
    public void fail(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof RefusedException refused) {
            refuse(refused.error());
        } else if (cause instanceof BrokerException rejected) {
            reject(rejected.rejection());
        } else if (ended || cause instanceof ClientGoneException) {
            LOG.debug("After the end of a request: {}", cause.toString());
        } else {
            LOG.error("A request failed", cause);
            refuse(HttpError.internal());
        }
    }

    /** Runs a step of the work on the exchange and answers what it throws. */
    public void guarded(Step step) {
        try {
            step.run();
        } catch (RefusedException refused) {
            refuse(refused.error());
        } catch (RuntimeException failure) {
            fail(failure);
        }
    }

    private boolean isOlderJavaClient() {
        String agent = request.getHeader(HttpHeaders.USER_AGENT);
        return agent != null && agent.startsWith(OLDER_JAVA_CLIENT);
    }

    private @Nullable String host() {
        return request.authority() == null ? null : request.authority().host();
    }

    private void echoRequestId() {
        String id = request.getHeader(CLIENT_REQUEST_ID);
        if (id != null
                && id.length() <= CLIENT_REQUEST_ID_MAX
                && id.chars().allMatch(c -> c > ' ' && c < 0x7f)
                && "true".equalsIgnoreCase(request.getHeader(RETURN_CLIENT_REQUEST_ID))) {
            request.response().putHeader(CLIENT_REQUEST_ID, id);
        }
    }

    private void ended() {
        if (!ended) {
            ended = true;
            if (!answered) {
                releaseAnswer(); // one that was written in pieces, or never
            }
            if (!request.isEnded()) {
                request.endHandler(end -> edge.connections().bodyComplete(peer));
            }
            edge.connections().answered(peer, responseBytes);
            whenEnded.forEach(Runnable::run);
            whenEnded.clear();
        }
    }
}
