package dev.jitney.server.identity;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * A small identity provider on the loopback address: discovery, keys, tokens for programs (OAuth 2.0, 4.4), and the login of people ({@link
 * TestLogins}). The id of a client is the subject of its token, and the parameter {@code roles} has its roles, separated by commas.
 */
public final class TestIdentityProvider implements AutoCloseable {
    /** The behavior of the addresses with documents. */
    public enum Mode {
        ANSWERS,
        FAILS,
        REDIRECTS,
        IS_SILENT,
        NEVER_ENDS,
        IS_HUGE
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile CountDownLatch silence = new CountDownLatch(1);
    private final AtomicInteger reads = new AtomicInteger();
    private final HttpServer server;
    private final TestIssuer issuer;
    private final TestLogins logins;
    private volatile Mode mode = Mode.ANSWERS;
    private volatile long lifeSeconds = 3_600;
    private volatile LongSupplier nowMs = System::currentTimeMillis;
    private volatile String announcedIssuer;

    public TestIdentityProvider() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        issuer = new TestIssuer("http://127.0.0.1:" + server.getAddress().getPort() + "/realms/test");
        announcedIssuer = issuer.issuer();
        server.createContext(
                "/realms/test/.well-known/openid-configuration", exchange -> document(exchange, discovery()));
        server.createContext("/realms/test/keys", exchange -> document(exchange, issuer.keys()));
        server.createContext("/realms/test/token", this::token);
        logins = new TestLogins(issuer);
        server.createContext("/realms/test/authorize", logins::authorize);
        server.createContext("/realms/test/logout", logins::logOut);
        server.setExecutor(threads);
        server.start();
    }

    public TestIssuer issuer() {
        return issuer;
    }

    /** Returns the users and their logins. */
    public TestLogins logins() {
        return logins;
    }

    /** Returns the address at which clients get tokens. */
    public String tokenUri() {
        return issuer.issuer() + "/token";
    }

    public String keysUri() {
        return issuer.issuer() + "/keys";
    }

    /** Changes the behavior, also for requests that wait. */
    public void mode(Mode value) {
        mode = value;
        CountDownLatch before = silence;
        silence = new CountDownLatch(1);
        before.countDown();
    }

    /** Sets the issuer in the discovery document. */
    public void announce(String value) {
        announcedIssuer = value;
    }

    /** Sets the life of the tokens that clients get. */
    public void lifeSeconds(long value) {
        lifeSeconds = value;
    }

    /** Sets the clock, in milliseconds. */
    public void clock(LongSupplier value) {
        nowMs = value;
    }

    /** Returns the number of requests for documents. */
    public int reads() {
        return reads.get();
    }

    private String discovery() {
        return "{\"issuer\":\"" + announcedIssuer + "\",\"jwks_uri\":\"" + keysUri() + "\",\"token_endpoint\":\""
                + tokenUri() + "\"" + logins.discovery() + "}";
    }

    private void document(HttpExchange exchange, String text) throws IOException {
        reads.incrementAndGet();
        switch (mode) {
            case ANSWERS -> answer(exchange, 200, text);
            case FAILS -> answer(exchange, 503, "{}");
            case REDIRECTS -> {
                exchange.getResponseHeaders().add("Location", keysUri());
                answer(exchange, 302, text);
            }
            case IS_SILENT -> {
                await();
                answer(exchange, 200, text);
            }
            case NEVER_ENDS -> {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write('{');
                exchange.getResponseBody().flush();
                await();
            }
            case IS_HUGE -> {
                exchange.sendResponseHeaders(200, 0);
                try (OutputStream out = exchange.getResponseBody()) {
                    byte[] blanks = " ".repeat(64 * 1024).getBytes(StandardCharsets.UTF_8);
                    for (int i = 0; i < 1_000; i++) {
                        out.write(blanks);
                    }
                }
            }
        }
        exchange.close();
    }

    private void await() {
        try {
            silence.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> form = form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        if (!"client_credentials".equals(form.getOrDefault("grant_type", "client_credentials"))) {
            logins.token(exchange, form, nowMs.getAsLong(), lifeSeconds);
            return;
        }
        long issuedMs = nowMs.getAsLong();
        String token = issuer.token(issuer.claims(
                        form.get("client_id"),
                        issuedMs,
                        form.getOrDefault("roles", "").split(","))
                .expirationTime(new java.util.Date(issuedMs + lifeSeconds * 1_000)));
        answer(
                exchange,
                200,
                "{\"token_type\":\"Bearer\",\"expires_in\":" + lifeSeconds + ",\"access_token\":\"" + token + "\"}");
        exchange.close();
    }

    /** Returns the fields of a form, or of a query. */
    static Map<String, String> form(String text) {
        Map<String, String> form = new HashMap<>();
        for (String field : text.split("&")) {
            String[] parts = field.split("=", 2);
            form.put(parts[0], parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return form;
    }

    static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        silence.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
