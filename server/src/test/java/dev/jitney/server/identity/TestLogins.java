package dev.jitney.server.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * The login of people at the {@link TestIdentityProvider}: the authorization code flow with PKCE, refresh tokens, and the end of a session. A
 * page lists the users, of whom one is chosen. It checks what a provider must check, and a test can make it answer with wrong tokens. Roles
 * are in access tokens only, as with Keycloak.
 */
public final class TestLogins {
    /** The secret of the client. Without one the client is public. */
    public volatile String secret = "";

    /** Changes the claims of ID tokens. */
    public volatile UnaryOperator<JWTClaimsSet.Builder> idClaims = claims -> claims;

    /** Changes the ID token itself. */
    public volatile UnaryOperator<String> idToken = token -> token;

    /** More members of the discovery document, with a comma before each. */
    public volatile String moreDiscovery = "";

    /** True if logins get refresh tokens. */
    public volatile boolean refreshes;

    private final TestIssuer issuer;
    private final Map<String, List<String>> users = new ConcurrentHashMap<>();
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final Map<String, String> refreshTokens = new ConcurrentHashMap<>();
    private final List<Map<String, String>> requests = Collections.synchronizedList(new ArrayList<>());
    private volatile int ended;

    TestLogins(TestIssuer issuer) {
        this.issuer = issuer;
    }

    /** Adds a user with roles. */
    public void user(String name, String... roles) {
        users.put(name, List.of(roles));
    }

    /** Returns the requests for tokens so far. */
    public List<Map<String, String>> requests() {
        return List.copyOf(requests);
    }

    /** Returns the number of sessions that browsers have ended here. */
    public int ended() {
        return ended;
    }

    String discovery() {
        return ",\"authorization_endpoint\":\"" + issuer.issuer() + "/authorize\",\"end_session_endpoint\":\""
                + issuer.issuer() + "/logout\"" + moreDiscovery;
    }

    void authorize(HttpExchange exchange) throws IOException {
        String raw = exchange.getRequestURI().getRawQuery();
        Map<String, String> query = TestIdentityProvider.form(raw == null ? "" : raw);
        String user = query.get("user");
        boolean valid = "code".equals(query.get("response_type"))
                && "S256".equals(query.get("code_challenge_method"))
                && query.getOrDefault("scope", "").contains("openid")
                && query.getOrDefault("state", "").length() >= 22
                && query.getOrDefault("nonce", "").length() >= 22;
        if (!valid) {
            TestIdentityProvider.answer(exchange, 400, "{\"error\":\"invalid_request\"}");
        } else if (user == null) {
            StringBuilder page = new StringBuilder("<!doctype html><title>Provider</title><h1>Log in as</h1>");
            users.keySet().stream()
                    .sorted()
                    .forEach(name -> page.append("<p><a href=\"?")
                            .append(raw)
                            .append("&user=")
                            .append(name)
                            .append("\">")
                            .append(name)
                            .append("</a>"));
            page.append("<p><a href=\"?").append(raw).append("&user=-\">Cancel</a>");
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            byte[] bytes = page.toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        } else {
            String code = UUID.randomUUID().toString();
            codes.put(code, query);
            redirect(
                    exchange,
                    query.get("redirect_uri") + (user.equals("-") ? "?error=access_denied" : "?code=" + code)
                            + "&state=" + encoded(query.get("state")) + "&iss=" + encoded(issuer.issuer()));
        }
        exchange.close();
    }

    void token(HttpExchange exchange, Map<String, String> form, long nowMs, long lifeSeconds) throws IOException {
        requests.add(form);
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        String user = null;
        String nonce = null;
        if ("authorization_code".equals(form.get("grant_type"))) {
            Map<String, String> begun = codes.remove(form.getOrDefault("code", ""));
            if (begun != null
                    && begun.get("redirect_uri").equals(form.get("redirect_uri"))
                    && begun.get("code_challenge").equals(challenge(form.getOrDefault("code_verifier", "")))
                    && isClient(begun.get("client_id"), form, authorization)) {
                user = begun.get("user");
                nonce = begun.get("nonce");
            }
        } else {
            user = refreshTokens.remove(form.getOrDefault("refresh_token", ""));
        }
        if (user == null || !users.containsKey(user)) {
            TestIdentityProvider.answer(exchange, 400, "{\"error\":\"invalid_grant\"}");
        } else {
            TestIdentityProvider.answer(exchange, 200, tokens(user, nonce, nowMs, lifeSeconds));
        }
        exchange.close();
    }

    private boolean isClient(String id, Map<String, String> form, String authorization) {
        return secret.isEmpty()
                ? id.equals(form.get("client_id"))
                : ("Basic "
                                + Base64.getEncoder()
                                        .encodeToString((id + ":" + encoded(secret)).getBytes(StandardCharsets.UTF_8)))
                        .equals(authorization);
    }

    private String tokens(String user, String nonce, long nowMs, long lifeSeconds) {
        Date expiry = new Date(nowMs + lifeSeconds * 1_000);
        JWTClaimsSet.Builder id = issuer.claims(user + "-id", nowMs)
                .audience("console")
                .claim("preferred_username", user)
                .claim("nonce", nonce)
                .expirationTime(expiry);
        String access =
                issuer.token(issuer.claims(user + "-id", nowMs, users.get(user).toArray(String[]::new))
                        .expirationTime(expiry));
        String refresh = "";
        if (refreshes) {
            String token = UUID.randomUUID().toString();
            refreshTokens.put(token, user);
            refresh = ",\"refresh_token\":\"" + token + "\"";
        }
        return "{\"token_type\":\"Bearer\",\"expires_in\":" + lifeSeconds + ",\"access_token\":\"" + access
                + "\",\"id_token\":\"" + idToken.apply(issuer.token(idClaims.apply(id))) + "\"" + refresh + "}";
    }

    void logOut(HttpExchange exchange) throws IOException {
        ended++;
        redirect(
                exchange,
                TestIdentityProvider.form(exchange.getRequestURI().getRawQuery())
                        .get("post_logout_redirect_uri"));
        exchange.close();
    }

    private static void redirect(HttpExchange exchange, String address) throws IOException {
        exchange.getResponseHeaders().add("Location", address);
        exchange.sendResponseHeaders(302, -1);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String challenge(String verifier) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
