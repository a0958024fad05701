package dev.jitney.gateway.http.websocket;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.ServerWebSocket;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /$servicebus/websocket}: the upgrade to a WebSocket for AMQP (wire reference 1.7, RFC 6455 section 4).
 *
 * <p>The subprotocol is {@code AMQPWSB10} for the official SDKs, {@code amqp} for clients of the WebSocket binding of
 * AMQP 1.0. The first supported one in the client's list is used. Runs on the event loop of the request's connection.
 */
public final class WebSocketUpgrade implements Handler<HttpServerRequest> {

    /** The supported subprotocols; names are compared with case, as in other servers. */
    public static final List<String> SUBPROTOCOLS = List.of("AMQPWSB10", "amqp");

    private static final Logger log = LoggerFactory.getLogger(WebSocketUpgrade.class);

    /** With and without a slash at the end; the dollar sign may be encoded. */
    private static final Pattern PATH = Pattern.compile("(?i)/(?:\\$|%24)servicebus/websocket/?");

    private static final String SUBPROTOCOL = "Sec-WebSocket-Protocol";
    private static final String VERSION = "13";
    private static final int MAX_QUOTED_CHARACTERS = 200;

    private final Vertx vertx;
    private final AmqpTunnels tunnels;
    private final Consumer<HttpConnection> upgraded;

    /**
     * @param upgraded called for every upgraded connection
     */
    public WebSocketUpgrade(Vertx vertx, AmqpTunnels tunnels, Consumer<HttpConnection> upgraded) {
        this.vertx = vertx;
        this.tunnels = tunnels;
        this.upgraded = upgraded;
    }

    /** Returns whether the request is for the path of AMQP over WebSockets. */
    public static boolean isFor(HttpServerRequest request) {
        String path = request.path();
        return path != null && PATH.matcher(path).matches();
    }

    @Override
    public void handle(HttpServerRequest request) {
        Refusal refusal = judge(request);
        if (refusal != null) {
            refusal.send(request);
            return;
        }
        // Vert.x reads only the first header line, and would not find a subprotocol on another line.
        request.headers().set(SUBPROTOCOL, String.valueOf(subprotocol(request)));
        request.toWebSocket().onSuccess(socket -> begin(request, socket)).onFailure(e -> {
            log.debug("Upgrade of {} failed: {}", request.remoteAddress(), e.toString());
            request.connection().close();
        });
    }

    private void begin(HttpServerRequest request, ServerWebSocket socket) {
        upgraded.accept(request.connection());
        new WebSocketTunnel(vertx.getOrCreateContext(), socket).start(tunnels, ServerName.of(request));
    }

    private static @Nullable Refusal judge(HttpServerRequest request) {
        if (!HttpMethod.GET.equals(request.method())) {
            return new Refusal(405, "Expected GET with an upgrade to a WebSocket, but got " + request.method() + ".");
        }
        if (!hasToken(request, "Connection", "upgrade") || !hasToken(request, "Upgrade", "websocket")) {
            return new Refusal(
                    426, "Expected an upgrade to a WebSocket, because this path serves AMQP over WebSockets.");
        }
        if (request.version() != HttpVersion.HTTP_1_1) {
            return new Refusal(400, "Expected an upgrade in HTTP/1.1, but this is " + request.version() + ".");
        }
        String version = request.getHeader("Sec-WebSocket-Version");
        if (!VERSION.equals(version)) {
            return new Refusal(426, "Expected version 13 of WebSocket (RFC 6455), but got " + version + ".");
        }
        int hosts = request.headers().getAll(HttpHeaders.HOST).size();
        if (hosts > 1) {
            return new Refusal(400, "Expected one Host header, but got " + hosts + ".");
        }
        if (request.getHeader("Sec-WebSocket-Key") == null) {
            return new Refusal(400, "Expected the header Sec-WebSocket-Key, but it is missing.");
        }
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null || (length != null && !length.equals("0"))) {
            return new Refusal(400, "Expected an upgrade without a body, but got one.");
        }
        if (subprotocol(request) == null) {
            return new Refusal(
                    400,
                    "Expected the subprotocol AMQPWSB10 or amqp in Sec-WebSocket-Protocol, but neither is among "
                            + shorten(request.headers().getAll(SUBPROTOCOL)) + ".");
        }
        return null;
    }

    /** Returns the first supported subprotocol in the client's list, or null. */
    private static @Nullable String subprotocol(HttpServerRequest request) {
        return tokens(request, SUBPROTOCOL)
                .filter(SUBPROTOCOLS::contains)
                .findFirst()
                .orElse(null);
    }

    private static boolean hasToken(HttpServerRequest request, String header, String token) {
        return tokens(request, header).anyMatch(token::equalsIgnoreCase);
    }

    /** Returns the elements of a list in a header, over all its lines. */
    private static Stream<String> tokens(HttpServerRequest request, String header) {
        return request.headers().getAll(header).stream()
                .flatMap(line -> Stream.of(line.split(",")))
                .map(String::strip);
    }

    private static String shorten(List<String> asked) {
        String text = asked.toString();
        return text.length() <= MAX_QUOTED_CHARACTERS ? text : text.substring(0, MAX_QUOTED_CHARACTERS) + "…";
    }

    /** The refusal of an upgrade, with a sentence for the developer of the client. */
    private record Refusal(int status, String sentence) {
        void send(HttpServerRequest request) {
            if (status == 405) {
                request.response().putHeader(HttpHeaders.ALLOW, "GET");
            }
            if (status == 426) {
                request.response()
                        .putHeader(HttpHeaders.UPGRADE, "websocket")
                        .putHeader("Sec-WebSocket-Version", VERSION);
            }
            // The connection closes; nothing more is read from this client.
            request.response()
                    .setStatusCode(status)
                    .putHeader(HttpHeaders.CONNECTION, "close")
                    .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                    .end(sentence + "\n")
                    .onComplete(written -> request.connection().close());
        }
    }
}
