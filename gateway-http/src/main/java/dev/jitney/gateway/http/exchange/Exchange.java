package dev.jitney.gateway.http.exchange;

import dev.jitney.model.AccessRight;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.Rejection;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.Grant;
import dev.jitney.runtime.security.OperatorRole;
import io.netty.util.NetUtil;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its response. For the event loop of its connection: replies of the broker return to it through {@link
 * #executor()}.
 *
 * <p>It has exactly one response. Later responses, and responses after the client closed the connection, are dropped.
 */
public final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    /** The request that is served even when the maximum of connections is reached. */
    private static final String HEALTH = "/health";

    /** Responses up to this size, mainly refusals, are written even if memory is short. */
    private static final int SMALL_ANSWER_BYTES = 4 * 1024;

    /** The error if there is no memory for the response. */
    public static final HttpError OUT_OF_MEMORY =
            HttpError.busy("Too many responses are being sent. Please wait 10 seconds and try again.");

    private static final HttpError DISPLACED =
            HttpError.busy("Too many requests are being received, most of them from your client. Please wait 10 seconds"
                    + " and try again.");

    private static final String KEY = Exchange.class.getName();
    private static final String CLIENT_REQUEST_ID = "x-ms-client-request-id";
    private static final String RETURN_CLIENT_REQUEST_ID = "x-ms-return-client-request-id";
    private static final int CLIENT_REQUEST_ID_MAX = 256;
    private static final String OLDER_JAVA_CLIENT = "MSJavaClient";

    private final HttpServerRequest request;
    private final HttpEdge edge;
    private Namespace namespace;

    /** True if the host of the request, or an accepted key, has determined the namespace. */
    private boolean namespaceTold;

    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Executor executor;
    private final List<Runnable> whenEnded = new ArrayList<>();
    private @Nullable RequestTarget target;
    private boolean refusesInJson;
    private boolean answered;
    private boolean ended;
    private long responseBytes;
    private long reservedBytes;
    private final HttpPeer peer;
    private final RequestAuthorization authorization;
    private boolean hasPlace;

    /** A step of the work that may be refused. */
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
        this.authorization = new RequestAuthorization(this, edge);
    }

    static Exchange begin(RoutingContext context, HttpEdge edge) {
        HttpServerRequest request = context.request();
        Exchange exchange = new Exchange(request, edge);
        context.put(KEY, exchange);
        if (exchange.peer.client.equals(ClientShares.Client.UNKNOWN)) {
            exchange.peer.client = ClientShares.Client.at(exchange.clientAddress());
        }
        boolean health = exchange.authorization.asksForHealth();
        exchange.hasPlace = edge.connections().begin(exchange.peer, bodyLength(request), health);
        context.addEndHandler(over -> exchange.ended());
        exchange.echoRequestId();
        return exchange;
    }

    /** Returns whether a path is a health page, which is served even when the maximum of connections is reached. */
    static boolean isHealth(@Nullable String path) {
        return path != null
                && path.startsWith(HEALTH)
                && Set.of("", "/live", "/ready", "/synced").contains(path.substring(HEALTH.length()));
    }

    static boolean hasBegun(RoutingContext context) {
        return context.get(KEY) != null;
    }

    /** Returns the exchange of a request that has passed {@link HttpEdge#begin}. */
    public static Exchange of(RoutingContext context) {
        Exchange exchange = context.get(KEY);
        if (exchange == null) {
            throw new IllegalStateException("Expected a request that has passed HttpEdge.begin.");
        }
        return exchange;
    }

    /** Returns the bytes of the body, 0 if there is none, negative if the length is unknown. */
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

    /** Verifies the tokens of an identity provider in the request, and then continues with it, at once if that is possible. */
    void identify(Runnable then) {
        authorization.identify(then);
    }

    /** Returns whether the request may be served; false if the maximum of connections is reached. */
    boolean hasPlace() {
        return hasPlace;
    }

    /**
     * Takes the place of another client, if the client of this request has less than its share. Its tokens are verified.
     *
     * @return false if the request must be refused
     */
    boolean takePlace() {
        authorization.attemptItsResource(AccessRight.values()); // shows whose request it is
        hasPlace = edge.connections().takePlace(peer);
        if (!hasPlace) {
            authorization.countWrongKey();
        }
        return hasPlace;
    }

    public HttpServerRequest request() {
        return request;
    }

    /** Returns the path of the request as the client sent it, empty if there is none. */
    public String path() {
        String path = request.path();
        return path == null ? "" : path;
    }

    /** Returns the response, for setting its status and header fields. Only the methods of this class end it. */
    public HttpServerResponse response() {
        return request.response();
    }

    /**
     * Returns path and query.
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
     * Returns the namespace that the host of the request names. If it names none, this is the namespace of the key that
     * {@linkplain #authorize authorized} the request, and until then the first namespace.
     */
    public Namespace namespace() {
        return namespace;
    }

    /** Returns whether the host of the request, or an accepted key, has determined the namespace. */
    public boolean isNamespaceKnown() {
        return namespaceTold;
    }

    /** Returns the namespace that is the first label of a host name, or null if none has that name. */
    public @Nullable Namespace namespaceNamed(String host) {
        return edge.broker().namespaceNamed(host);
    }

    /** Returns host and port as the client uses them, or the name of the namespace if the request has no host. */
    public String authority() {
        return request.authority() == null
                ? namespace.name()
                : request.authority().toString();
    }

    /** Returns {@code http} or {@code https} and the authority, the prefix of URLs in responses. */
    public String origin() {
        return request.scheme() + "://" + authority();
    }

    /**
     * Returns the executor that runs tasks on the event loop of this exchange, in order. Pass it to the broker with
     * commands.
     */
    public Executor executor() {
        return executor;
    }

    /** Returns address and port of the client's socket, for logs. */
    public String client() {
        SocketAddress address = request.remoteAddress();
        return address == null ? "" : String.valueOf(address);
    }

    /** Returns whether the client's socket is on this machine. A program there may be a proxy for others. */
    public boolean isClientOnLoopback() {
        InetAddress address = clientAddress();
        return address != null && address.isLoopbackAddress();
    }

    /**
     * Returns whether a request was made on this machine, to a name that only means this machine. The name matters because a page of any
     * site can have its own name resolved to the loopback address (DNS rebinding).
     */
    public boolean isLocal() {
        if (request.authority() == null || !isClientOnLoopback()) {
            return false;
        }
        boolean forwarded =
                request.headers().contains("Forwarded") || request.headers().contains("X-Forwarded-For");
        return !forwarded && LOCAL_NAMES.contains(authority().replaceFirst(":[0-9]+$", ""));
    }

    /** Returns the time of messages, in milliseconds since the epoch. It differs from {@link #nowMs} in tests. */
    public long messageTimeMs() {
        return edge.broker().messageTimeMs();
    }

    /** Returns the broker's time, in milliseconds since the epoch. */
    public long nowMs() {
        return edge.broker().clock().nowMs();
    }

    /**
     * Accepts the cookie of a browser's session from now on, if the request has no {@code Authorization}. Browsers add cookies to requests
     * that other sites cause, so only handlers that need it call this.
     */
    public void acceptSessionsOf(BrowserSessions accepted) {
        authorization.acceptSessionsOf(accepted);
    }

    /**
     * Accepts, from now on, a role of an identity instead of the rights that {@link #authorize} names, on each entity that it names.
     *
     * @param needed the role that the operation of the request needs
     */
    public void acceptRole(OperatorRole needed) {
        authorization.acceptRole(needed);
    }

    /**
     * Returns whether a grant has a right on an entity, or the {@linkplain #acceptRole accepted role}.
     *
     * @param grant a grant of this request
     */
    public boolean isPermitted(Grant grant, EntityAddress entity, AccessRight right) {
        return authorization.isPermitted(grant, entity, right);
    }

    /**
     * Checks the request's {@code Authorization}, or the cookie of its session if the handler {@linkplain #acceptSessionsOf accepts} it,
     * or the certificate of the client if there is neither.
     *
     * @param entity the entity of the operation; the empty path means the namespace
     * @param anyOf one of these rights is needed
     * @throws RefusedException with 401 if the credential is missing, invalid, or has insufficient rights; with 403 if an identity does
     *     not have the {@linkplain #acceptRole accepted role}
     */
    public Grant authorize(EntityAddress entity, AccessRight... anyOf) throws RefusedException {
        return authorization.authorize(entity, anyOf);
    }

    /**
     * Checks the credential like {@link #authorize}, for a question of the server itself: a refusal is no answer to the client, and no
     * attempt to guess a key.
     *
     * @return null if the credential is missing, invalid, or has insufficient rights
     */
    public @Nullable Grant attempt(EntityAddress entity, AccessRight... anyOf) {
        return authorization.attempt(entity, anyOf);
    }

    /**
     * Checks the credential like {@link #attempt}, for the entity that the credential itself names.
     *
     * @return null if the credential is missing, invalid, or has insufficient rights there
     */
    public @Nullable Grant attemptItsResource(AccessRight... anyOf) {
        return authorization.attemptItsResource(anyOf);
    }

    /**
     * Returns the namespace whose rules judge the credential of the request, accepted or not. This is the {@linkplain #namespace
     * namespace} once a right was authorized.
     *
     * @throws RefusedException with 401 if the request has several credentials, or a session that has ended
     */
    public Namespace judgingNamespace() throws RefusedException {
        return authorization.judgingNamespace();
    }

    /** Returns whether the token of the request is signed with a key of any entity in its namespace that the token covers. */
    public boolean hasKeyOfEntity() {
        return authorization.hasKeyOfEntity();
    }

    /** Returns whether {@link #current} can change without a new {@link #accessVersion}: for the rights of a certificate or of a session. */
    public boolean mayChangeAtAnyTime() {
        return authorization.mayChangeAtAnyTime();
    }

    /** Returns a number that changes with the access rules of the namespace, and when the identity provider withdraws a key. */
    public long accessVersion() {
        return authorization.accessVersion();
    }

    /**
     * Returns the rights that a grant of {@link #authorize} has now, for requests that take long.
     *
     * @param entity the entity of the operation
     * @param right the needed right; the result may not have it
     * @return null if the request would be refused now, because the rule, the key, or the entry of the client's certificate was removed
     */
    public @Nullable Grant current(Grant grant, EntityAddress entity, AccessRight right) {
        return authorization.current(grant, entity, right);
    }

    /** Continues in the namespace whose rule or role has accepted the credential. */
    void authorized(Namespace by, Grant grant) {
        namespace = by;
        namespaceTold = true;
        edge.connections().authorized(peer, peer.client.with(by, grant));
    }

    /** Returns the client of the request as limits count it. */
    public ClientShares.Client sharer() {
        return peer.client;
    }

    /**
     * Permits to end the exchange early, so that another client gets its place.
     *
     * @param end causes the response
     */
    public void yieldsBy(Runnable end) {
        if (!ended) {
            peer.yields = end;
        }
    }

    /** Returns the IP address of the client, or null if it is not known any more. */
    @Nullable
    InetAddress clientAddress() {
        SocketAddress address = request.remoteAddress();
        byte[] bytes = address == null || address.hostAddress() == null
                ? null
                : NetUtil.createByteArrayFromIpAddressString(address.hostAddress());
        try {
            return bytes == null ? null : InetAddress.getByAddress(bytes);
        } catch (UnknownHostException notAnAddress) {
            return null;
        }
    }

    /**
     * Checks a credential of a supplementary header.
     *
     * @throws RefusedException with 401 if it is invalid, or has insufficient rights
     */
    public void authorizeAlso(String credential, EntityAddress entity, AccessRight right) throws RefusedException {
        authorization.authorizeAlso(credential, entity, right);
    }

    /** Returns the namespace that the host of the request names, otherwise the only one with a rule of this name, or the first one. */
    public Namespace namespaceOfRule(@Nullable String ruleName) {
        return namespaceTold ? namespace : edge.broker().namespaceOfKey(ruleName);
    }

    /**
     * Reads the body. It stays in memory until the exchange has ended.
     *
     * @param bytesMax a larger body is refused with 413
     * @return fails if the body is refused or the client closes the connection; pass the failure to {@link #fail}
     */
    public Future<Buffer> body(int bytesMax) {
        return body(
                bytesMax,
                new HttpError(
                        413,
                        0,
                        "Expected a body of at most " + bytesMax + " bytes, but the request has a larger one."));
    }

    /** Reads the body like {@link #body(int)}, with a specific error for a body that is too large. */
    public Future<Buffer> body(int bytesMax, HttpError tooLarge) {
        RequestBody body =
                new RequestBody(request, bytesMax, tooLarge, edge.limits().surplusBytesMax(), edge.connections(), peer);
        whenEnded(body::release);
        edge.connections().bodyPermitted(peer, bytesMax);
        yieldsBy(() -> body.refuse(DISPLACED));
        return body.read().andThen(read -> {
            peer.yields = null;
            if (request.isEnded()) {
                edge.connections().bodyComplete(peer);
            }
        });
    }

    /**
     * Runs an action once when the exchange has ended, because of the response or because the client closed the
     * connection.
     */
    public void whenEnded(Runnable action) {
        if (ended) {
            action.run();
        } else {
            whenEnded.add(action);
        }
    }

    /** Returns whether the exchange needs no more response, because it has one or the client closed the connection. */
    public boolean isOver() {
        return answered || ended;
    }

    /** Responds with a status and no body. */
    public void answer(int status) {
        answer(status, null, Buffer.buffer());
    }

    /**
     * Claims the memory for a response before any operation that cannot be undone. The body of the response may then
     * have that many bytes.
     *
     * @return false if there is not enough memory; then the request must be refused
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

    /** Begins a response that is written in pieces, each of which needs at most that much memory. */
    public boolean beginPieces(long bytesHeld, long bytesInAll) {
        if (!reserve(bytesHeld)) {
            return false;
        }
        edge.connections().answering(peer, bytesInAll);
        return true;
    }

    /**
     * Responds with a body. If there is no memory for it, the response is 503.
     *
     * @return completes when the body is passed to the socket, fails if the client closed the connection
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
            return Future.failedFuture("There is no memory for the response.");
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

    /** Responds with an error document and closes the connection after it. */
    void refuseAndClose(HttpError error) {
        response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        refuse(error).onComplete(written -> request.connection().close());
    }

    /** Responds with an error document. */
    public Future<Void> refuse(HttpError error) {
        HttpError told = error;
        if (error.subCode() == HttpError.INVALID_OPERATION && isOlderJavaClient()) {
            told = HttpError.badRequest(error.sentence());
        }
        String address = authority() + ":" + request.path();
        return refusesInJson
                ? answer(told.status(), ErrorDocument.JSON, Buffer.buffer(ErrorDocument.json(told, address)))
                : answer(
                        told.status(),
                        ErrorDocument.CONTENT_TYPE,
                        Buffer.buffer(ErrorDocument.of(told, address, nowMs())));
    }

    /** Makes errors JSON from now on, and not the XML that SDKs expect. */
    public void refuseInJson() {
        refusesInJson = true;
    }

    /** Responds with a rejection of the broker. */
    public void reject(Rejection rejection) {
        refuse(HttpError.of(rejection));
    }

    /** Responds to a failure of any kind. An unexpected failure is logged and becomes a 500. */
    public void fail(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof RefusedException refused) {
            refuse(refused.error());
        } else if (cause instanceof BrokerException rejected) {
            reject(rejected.rejection());
        } else if (ended || cause instanceof ClientGoneException) {
            LOG.debug("A request failed after its end: {}", cause.toString());
        } else {
            LOG.error("A request failed", cause);
            refuse(HttpError.internal());
        }
    }

    /** Runs a step, and responds with the error that it throws. */
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
            peer.yields = null;
            if (!answered) {
                releaseAnswer(); // a response that was written in pieces, or not at all
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
