package dev.jitney.gateway.http.console;

import dev.jitney.gateway.http.exchange.Exchange;
import dev.jitney.gateway.http.exchange.HttpEdge;
import dev.jitney.gateway.http.exchange.HttpError;
import dev.jitney.gateway.http.exchange.RefusedException;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * The handler of the web console. It takes the exact paths of its files and of the session, and leaves all others to the next handler,
 * because an entity may have the name {@code console}. For event loops; no method blocks.
 *
 * <table>
 * <caption>Requests</caption>
 * <tr><th>request</th><th>response</th></tr>
 * <tr><td>{@code GET /} of a browser without credentials</td><td>a redirection to the console</td></tr>
 * <tr><td>{@code GET /console/}</td><td>the page</td></tr>
 * <tr><td>{@code GET /console/assets/…}</td><td>its files</td></tr>
 * <tr><td>{@code GET /console/login/oidc} and {@code …/callback}</td><td>see {@link ProviderLogin}</td></tr>
 * <tr><td>{@code GET, POST, DELETE /console/session}</td><td>see {@link LoginHandler}</td></tr>
 * </table>
 */
public final class ConsoleHandler implements Handler<RoutingContext> {
    private static final String PREFIX = "/console/";
    private static final String WITHOUT_SLASH = "/console";
    private static final String SESSION = PREFIX + "session";
    private static final String GZIP = "gzip";
    private static final String TEXT = "text/plain; charset=utf-8";

    /** Nothing but the own files, so that content of messages cannot load or run anything. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final ConsoleAccess access;
    private final ConsoleAssets assets = ConsoleAssets.load();
    private final LoginHandler login;

    private final ProviderLogin providerLogin;

    /** Creates a handler; not for {@link ConsoleAccess#OFF}. */
    public ConsoleHandler(HttpEdge edge, ConsoleAccess access, ConsoleSessions sessions, String version) {
        this.access = access;
        this.providerLogin = new ProviderLogin(edge.identities().login(), edge.broker(), sessions);
        this.login = new LoginHandler(sessions, edge.identities(), version);
    }

    @Override
    public void handle(RoutingContext context) {
        Exchange exchange = Exchange.of(context);
        String path = exchange.path();
        if (path.equals("/") && opensConsole(exchange)) {
            redirect(exchange);
        } else if (isOwn(exchange.request().method(), path)) {
            exchange.guarded(() -> serve(exchange, path));
        } else {
            context.next();
        }
    }

    private boolean isOwn(HttpMethod method, String path) {
        if (path.equals(SESSION) || providerLogin.serves(path)) {
            return true;
        }
        boolean reads = method == HttpMethod.GET || method == HttpMethod.HEAD;
        return reads
                && (path.equals(WITHOUT_SLASH)
                        || path.equals(PREFIX)
                        || path.startsWith(PREFIX) && assets.get(path.substring(PREFIX.length())) != null);
    }

    /** Returns whether a person opens the address of the server, and gets the console. */
    private boolean opensConsole(Exchange exchange) {
        HttpServerRequest request = exchange.request();
        String accepted = request.getHeader(HttpHeaders.ACCEPT);
        return request.method() == HttpMethod.GET
                && accepted != null
                && accepted.contains("text/html")
                && !request.headers().contains(HttpHeaders.AUTHORIZATION)
                && assets.exist()
                && isServed(exchange);
    }

    private boolean isServed(Exchange exchange) {
        return access == ConsoleAccess.ON || exchange.isClientOnLoopback();
    }

    private static void redirect(Exchange exchange) {
        secured(exchange).putHeader(HttpHeaders.LOCATION, PREFIX).putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        exchange.answer(302);
    }

    private void serve(Exchange exchange, String path) throws RefusedException {
        HttpServerResponse response = secured(exchange);
        if (!isServed(exchange)) {
            refuse(
                    exchange,
                    403,
                    "The console serves only browsers on the machine of the server. To open it to others, start the"
                            + " server with --console on.\n");
        } else if (!assets.exist()) {
            refuse(
                    exchange,
                    404,
                    "This build of Jitney is without console, because it was built without Node. The released archives"
                            + " have it.\n");
        } else if (path.equals(WITHOUT_SLASH)) {
            redirect(exchange);
        } else if (path.equals(SESSION)) {
            response.putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            login.handle(exchange);
        } else if (providerLogin.serves(path)) {
            response.putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            providerLogin.handle(exchange);
        } else {
            send(exchange, path.substring(PREFIX.length()));
        }
    }

    private static HttpServerResponse secured(Exchange exchange) {
        return exchange.response()
                .putHeader("Content-Security-Policy", POLICY)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin");
    }

    private static void refuse(Exchange exchange, int status, String sentence) {
        exchange.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        exchange.answer(status, TEXT, Buffer.buffer(sentence));
    }

    private void send(Exchange exchange, String name) throws RefusedException {
        ConsoleAssets.Asset asset = assets.get(name);
        if (asset == null) {
            throw new RefusedException(HttpError.notFound("Expected a file of the console."));
        }
        HttpServerResponse response = exchange.response()
                .putHeader(HttpHeaders.ETAG, asset.tag())
                .putHeader(HttpHeaders.VARY, "Accept-Encoding")
                .putHeader(
                        HttpHeaders.CACHE_CONTROL,
                        asset.immutable() ? "public, max-age=31536000, immutable" : "no-store");
        if (asset.tag().equals(exchange.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
            exchange.answer(304);
        } else if (acceptsGzip(exchange)) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, GZIP);
            exchange.answer(200, asset.type(), Buffer.buffer(asset.gzip()));
        } else {
            exchange.answer(200, asset.type(), Buffer.buffer(asset.plain()));
        }
    }

    private static boolean acceptsGzip(Exchange exchange) {
        String accepted = exchange.request().getHeader(HttpHeaders.ACCEPT_ENCODING);
        return accepted != null && accepted.contains(GZIP) && !accepted.contains("gzip;q=0");
    }
}
