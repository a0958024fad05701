package dev.jitney.gateway.http.exchange;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.Grant;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
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

    private static final String KEY = Exchange.class.getName();
    private static final String CLIENT_REQUEST_ID = "x-ms-client-request-id";
    private static final String RETURN_CLIENT_REQUEST_ID = "x-ms-return-client-request-id";
    private static final int CLIENT_REQUEST_ID_MAX = 256;
    private static final String OLDER_JAVA_CLIENT = "MSJavaClient";

    private final HttpServerRequest request;
    private final HttpEdge edge;
    private final Namespace namespace;
    private final Executor executor;
    private final List<Runnable> whenEnded = new ArrayList<>();
    private @Nullable RequestTarget target;
    private boolean answered;
    private boolean ended;
    private long responseBytes;

    /** Work that may be refused. */
    @FunctionalInterface
    public interface Step {
        void run() throws RefusedException;
    }

    private Exchange(HttpServerRequest request, HttpEdge edge) {
        this.request = request;
        this.edge = edge;
        this.namespace = edge.broker().namespace(host());
        this.executor = edge.executor();
    }

    static Exchange begin(RoutingContext context, HttpEdge edge) {
        HttpServerRequest request = context.request();
        Exchange exchange = new Exchange(request, edge);
        context.put(KEY, exchange);
        if (hasBody(request)) {
            edge.connections().receiving(request.connection());
        } else {
            edge.connections().serving(request.connection());
        }
        context.addEndHandler(over -> exchange.ended());
        exchange.echoRequestId();
        return exchange;
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

    private static boolean hasBody(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return request.headers().contains(HttpHeaders.TRANSFER_ENCODING) || length != null && !length.equals("0");
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

    /** The namespace that the host of the request names. */
    public Namespace namespace() {
        return namespace;
    }

    /** The namespace that is the first label of a host name, or null if none has that name. */
    public @Nullable Namespace namespaceNamed(String host) {
        Namespace found = edge.broker().namespace(host);
        return host.split("[.:]", 2)[0].equalsIgnoreCase(found.name()) ? found : null;
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
        return HttpAuthorization.check(
                credentials.isEmpty() ? null : credentials.get(0), entity, target().path(), namespace, nowMs(), anyOf);
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
                new RequestBody(request, bytesMax, tooLarge, edge.limits().surplusBytesMax(), edge.memory());
        whenEnded(body::release);
        if (hasBody(request)) {
            edge.connections().receiving(request.connection(), bytesMax);
        }
        return body.read().andThen(read -> {
            if (!ended) {
                edge.connections().serving(request.connection());
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
     * Answers with a body.
     *
     * @return completes when the body is handed to the socket, fails if the client has gone
     */
    public Future<Void> answer(int status, @Nullable String contentType, Buffer body) {
        if (isOver()) {
            return Future.failedFuture("The exchange is over.");
        }
        answered = true;
        responseBytes = body.length();
        edge.memory().force(responseBytes);
        HttpServerResponse response = request.response().setStatusCode(status);
        if (contentType != null) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, contentType);
        }
        return response.end(body).onComplete(written -> {
            edge.memory().give(responseBytes);
            responseBytes = 0;
        });
    }

    /** Answers with an error document. */
    public void refuse(HttpError error) {
        HttpError told = error;
        if (error.subCode() == HttpError.INVALID_OPERATION && isOlderJavaClient()) {
            told = HttpError.badRequest(error.sentence());
        }
        String document = ErrorDocument.of(told, authority() + ":" + request.path(), nowMs());
        answer(told.status(), ErrorDocument.CONTENT_TYPE, Buffer.buffer(document));
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
            edge.connections().awaiting(request.connection(), responseBytes);
            whenEnded.forEach(Runnable::run);
            whenEnded.clear();
        }
    }
}
