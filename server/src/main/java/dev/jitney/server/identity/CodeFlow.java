package dev.jitney.server.identity;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.jitney.model.ClientText;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.Identity;
import dev.jitney.runtime.security.IdentityProvider;
import dev.jitney.runtime.security.LoginException;
import dev.jitney.runtime.security.LoginException.Reason;
import dev.jitney.runtime.security.LoginProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The authorization code flow of OpenID Connect with PKCE (OpenID Connect Core 1.0, section 3.1; RFC 7636), for one client. All addresses
 * are those of the discovery document, which is read at the first login and kept for {@value #DOCUMENT_AGE_MS} ms. At most {@value
 * #REQUESTS_MAX} requests to the provider run at the same time, and each has limits for its time and its size. No method blocks, except that
 * the file with the secret is read on the thread of the provider.
 */
final class CodeFlow implements LoginProvider {
    /** The limit of requests to the provider at the same time. */
    static final int REQUESTS_MAX = 16;

    /** The time for which a discovery document is used, in milliseconds. */
    static final long DOCUMENT_AGE_MS = 300_000;

    /** The limit of an answer with tokens, in bytes. */
    private static final int ANSWER_BYTES_MAX = 128 * 1024;

    private static final int SECRET_BYTES_MAX = 4_096;
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final OidcSettings settings;
    private final LoginSettings login;
    private final TokenVerifier idTokens;
    private final TokenVerifier accessTokens;
    private final HttpClient client;
    private final Executor executor;
    private final long timeoutMs;
    private final LongSupplier clockMs;
    private final Semaphore places = new Semaphore(REQUESTS_MAX);

    private @Nullable ProviderDocument document;
    private long documentAtMs;

    /** The check of tokens of one kind. */
    @FunctionalInterface
    interface TokenVerifier {
        /** Returns the claims of a token, or fails with {@link AuthenticationException}. */
        CompletionStage<VerifiedToken> verify(String token, long nowMs);
    }

    /**
     * @param idTokens     verifies tokens whose audience is the client
     * @param accessTokens verifies tokens whose audience is this server
     * @param tls          the trusted certificates, or null for those of Java
     * @param timeoutMs    the time limit of a request to the provider, in milliseconds
     * @param executor     runs the parts of a request
     * @param clockMs      a clock that never runs backwards, in milliseconds
     */
    CodeFlow(
            OidcSettings settings,
            LoginSettings login,
            TokenVerifier idTokens,
            TokenVerifier accessTokens,
            @Nullable SSLContext tls,
            long timeoutMs,
            Executor executor,
            LongSupplier clockMs) {
        this.settings = settings;
        this.login = login;
        this.idTokens = idTokens;
        this.accessTokens = accessTokens;
        this.executor = executor;
        this.timeoutMs = timeoutMs;
        this.clockMs = clockMs;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(executor);
        client = tls == null ? builder.build() : builder.sslContext(tls).build();
    }

    @Override
    public boolean isConfigured() {
        return true;
    }

    @Override
    public String name() {
        String host = URI.create(settings.issuer()).getHost();
        return host == null ? settings.issuer() : host;
    }

    @Override
    public URI consoleUrl() {
        return login.consoleUrl();
    }

    @Override
    public CompletionStage<URI> start(String state, String nonce, String challenge) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", login.clientId());
        query.put("redirect_uri", login.redirectUri().toString());
        query.put("scope", String.join(" ", login.scopes()));
        query.put("state", state);
        query.put("nonce", nonce);
        query.put("code_challenge", challenge);
        query.put("code_challenge_method", "S256");
        return limited(() -> document().thenApply(known -> withQuery(known.authorization(), query)));
    }

    private static URI withQuery(URI address, Map<String, String> query) {
        return URI.create(address + (address.getRawQuery() == null ? "?" : "&") + form(query));
    }

    private static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    @Override
    public CompletionStage<Login> redeem(Answer answer, String nonce, String verifier, long nowMs) {
        return limited(() -> document().thenCompose(known -> {
            requireIssuer(known, answer.issuer());
            String code = answer.code();
            if (answer.error() != null || code == null) {
                throw failure(
                        Reason.DENIED,
                        "The identity provider has refused the login: "
                                + ClientText.abbreviate(
                                        answer.error() == null ? "its answer has no code" : answer.error())
                                + ".");
            }
            Map<String, String> fields = new LinkedHashMap<>();
            fields.put("grant_type", "authorization_code");
            fields.put("code", code);
            fields.put("redirect_uri", login.redirectUri().toString());
            fields.put("code_verifier", verifier);
            return tokens(known, fields).thenCompose(tokens -> verified(tokens, nonce, null, null, nowMs));
        }));
    }

    /** An answer of another provider could make this server send a code to the wrong one (RFC 9207, section 2.4). */
    private void requireIssuer(ProviderDocument known, @Nullable String named) {
        if (named == null ? known.namesIssuer() : !named.equals(settings.issuer())) {
            throw failure(
                    Reason.INVALID,
                    "Expected an answer of the issuer '" + settings.issuer() + "', but got one "
                            + (named == null ? "without the parameter iss" : "of another issuer") + ".");
        }
    }

    @Override
    public CompletionStage<Login> renew(Login before, long nowMs) {
        String refreshToken = before.refreshToken();
        if (refreshToken == null) {
            return CompletableFuture.failedFuture(
                    new LoginException(Reason.INVALID, "The identity provider gave no refresh token."));
        }
        return limited(() -> document().thenCompose(known -> {
            Map<String, String> fields = new LinkedHashMap<>();
            fields.put("grant_type", "refresh_token");
            fields.put("refresh_token", refreshToken);
            return tokens(known, fields)
                    .thenCompose(
                            tokens -> verified(tokens, null, before.identity().subject(), refreshToken, nowMs));
        }));
    }

    /** The tokens in an answer of the token endpoint. */
    private record Tokens(
            String idToken,
            @Nullable String accessToken,
            @Nullable String refreshToken) {
        @Override
        public String toString() {
            return "Tokens"; // tokens never reach a log
        }
    }

    private CompletableFuture<Tokens> tokens(ProviderDocument known, Map<String, String> fields) {
        HttpRequest.Builder request = HttpRequest.newBuilder(known.token())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json")
                .timeout(Duration.ofMillis(timeoutMs));
        Path file = login.secretFile();
        String secret = file == null ? null : secret(file);
        if (secret == null || known.secretInBody()) {
            fields.put("client_id", login.clientId());
        }
        if (secret != null && known.secretInBody()) {
            fields.put("client_secret", secret);
        } else if (secret != null) {
            String pair = URLEncoder.encode(login.clientId(), StandardCharsets.UTF_8) + ":"
                    + URLEncoder.encode(secret, StandardCharsets.UTF_8);
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
        }
        return send(request.POST(HttpRequest.BodyPublishers.ofString(form(fields)))
                        .build())
                .thenApply(CodeFlow::tokensIn);
    }

    /** The file is read at each use, so a new secret needs no restart. */
    private static String secret(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(SECRET_BYTES_MAX + 1);
            String secret = new String(bytes, StandardCharsets.UTF_8).strip();
            if (bytes.length <= SECRET_BYTES_MAX && !secret.isEmpty()) {
                return secret;
            }
            throw failure(
                    Reason.PROVIDER,
                    "--console-oidc-secret-file " + file + ": Expected a secret of 1 to " + SECRET_BYTES_MAX
                            + " bytes, but the file has another length.");
        } catch (IOException e) {
            throw failure(
                    Reason.PROVIDER, "--console-oidc-secret-file " + file + ": The file cannot be read (" + e + ").");
        }
    }

    private static Tokens tokensIn(HttpResponse<String> response) {
        Map<String, Object> members;
        try {
            JsonDepth.check(response.body());
            members = JSONObjectUtils.parse(response.body());
        } catch (ParseException | RuntimeException notJson) {
            throw failure(Reason.PROVIDER, "Expected JSON from " + response.uri() + ", but got another text.");
        }
        if (response.statusCode() != 200) {
            throw failure(
                    response.statusCode() < 500 ? Reason.INVALID : Reason.PROVIDER,
                    "Expected status 200 from " + response.uri() + ", but got " + response.statusCode()
                            + " with the error " + ClientText.abbreviate(String.valueOf(members.get("error"))) + ".");
        }
        String idToken = text(members, "id_token");
        if (idToken == null) {
            throw failure(Reason.INVALID, "Expected an ID token from " + response.uri() + ", but the answer has none.");
        }
        return new Tokens(idToken, text(members, "access_token"), text(members, "refresh_token"));
    }

    private static @Nullable String text(Map<String, Object> members, String name) {
        return members.get(name) instanceof String text
                        && !text.isEmpty()
                        && text.length() <= IdentityProvider.TOKEN_CHARACTERS_MAX
                ? text
                : null;
    }

    /**
     * Verifies tokens (OpenID Connect Core 1.0, sections 3.1.3.7 and 12.2).
     *
     * @param nonce   the nonce of the login, or null for a renewal
     * @param subject the subject of the login that is renewed, or null
     * @param refresh the refresh token that stays valid if the answer has no new one, or null
     */
    private CompletionStage<Login> verified(
            Tokens tokens, @Nullable String nonce, @Nullable String subject, @Nullable String refresh, long nowMs) {
        return idTokens.verify(tokens.idToken(), nowMs).thenCompose(idToken -> {
            require(idToken, nonce, subject);
            String access = tokens.accessToken();
            CompletionStage<@Nullable VerifiedToken> other = access == null || !access.startsWith("ey")
                    ? CompletableFuture.completedFuture(null)
                    // A token for another service, such as the provider itself, has no roles for this server.
                    : accessTokens.verify(access, nowMs).handle((token, refused) -> token);
            return other.thenApply(accessToken -> login(idToken, accessToken, tokens.refreshToken(), refresh));
        });
    }

    private void require(VerifiedToken idToken, @Nullable String nonce, @Nullable String subject) {
        Map<String, Object> claims = idToken.claims().members();
        if (!(claims.get("sub") instanceof String) || subject != null && !subject.equals(claims.get("sub"))) {
            throw failure(
                    Reason.INVALID,
                    subject == null
                            ? "Expected the claim 'sub' in the ID token, but it is missing."
                            : "Expected an ID token of the same user, but got one of another user.");
        }
        if (nonce != null && !nonce.equals(claims.get("nonce"))) {
            throw failure(
                    Reason.INVALID, "Expected an ID token for this login, but its claim 'nonce' is of another one.");
        }
        Object party = claims.get("azp");
        boolean several = claims.get("aud") instanceof List<?> audiences && audiences.size() > 1;
        if (party == null ? several : !login.clientId().equals(party)) {
            throw failure(
                    Reason.INVALID,
                    "Expected an ID token for the client '" + login.clientId() + "', but its claim 'azp' names "
                            + (party == null ? "none" : "another one") + ".");
        }
        String type = idToken.claims().header().getType() == null
                ? "JWT"
                : idToken.claims().header().getType().getType();
        if (!type.equalsIgnoreCase("JWT")) {
            throw failure(
                    Reason.INVALID,
                    "Expected an ID token, but got a token of the type " + ClientText.abbreviate(type) + ".");
        }
    }

    private Login login(
            VerifiedToken idToken,
            @Nullable VerifiedToken accessToken,
            @Nullable String refreshToken,
            @Nullable String oldRefreshToken) {
        TokenReader.Unverified claims = idToken.claims();
        Set<String> roles = new LinkedHashSet<>(claims.roles());
        long expiresAtMs = claims.expiresAtMs();
        if (accessToken != null && accessToken.claims().subject().equals(claims.subject())) {
            roles.addAll(accessToken.claims().roles());
            expiresAtMs = Math.min(expiresAtMs, accessToken.claims().expiresAtMs());
        }
        return new Login(
                new Identity(
                        claims.subject(),
                        claims.name(),
                        List.copyOf(roles),
                        settings.roles().permissionsOf(roles),
                        expiresAtMs,
                        idToken.keyPrint()),
                refreshToken == null ? oldRefreshToken : refreshToken);
    }

    @Override
    public CompletionStage<Optional<URI>> endOfSession() {
        return limited(() -> document().thenApply(known -> {
            URI address = known.endSession();
            Map<String, String> query = new LinkedHashMap<>();
            query.put("client_id", login.clientId());
            query.put("post_logout_redirect_uri", login.consoleUrl() + "/console/");
            return Optional.ofNullable(address).map(end -> withQuery(end, query));
        }));
    }

    private CompletableFuture<ProviderDocument> document() {
        synchronized (this) {
            ProviderDocument known = document;
            if (known != null && clockMs.getAsLong() - documentAtMs < DOCUMENT_AGE_MS) {
                return CompletableFuture.completedFuture(known);
            }
        }
        URI address = ProviderDocument.addressOf(settings.issuer());
        return send(HttpRequest.newBuilder(address)
                        .header("Accept", "application/json")
                        .timeout(Duration.ofMillis(timeoutMs))
                        .build())
                .thenApply(response -> {
                    if (response.statusCode() != 200) {
                        throw failure(
                                Reason.PROVIDER,
                                "Expected status 200 from " + address + ", but got " + response.statusCode() + ".");
                    }
                    ProviderDocument read = ProviderDocument.parse(settings.issuer(), response.body());
                    synchronized (this) {
                        document = read;
                        documentAtMs = clockMs.getAsLong();
                    }
                    return read;
                });
    }

    /** Sends a request. The time limit also covers a body that never ends. */
    private CompletableFuture<HttpResponse<String>> send(HttpRequest request) {
        CompletableFuture<HttpResponse<String>> sent =
                client.sendAsync(request, head -> new BoundedBody(request.uri(), ANSWER_BYTES_MAX));
        return sent.copy().orTimeout(timeoutMs, TimeUnit.MILLISECONDS).whenComplete((response, failure) -> {
            if (failure != null) {
                sent.cancel(true);
            }
        });
    }

    /** A step that needs the provider. */
    @FunctionalInterface
    private interface Step<T> {
        CompletionStage<T> run();
    }

    /** Runs a step on the thread of the provider, if few others are running. */
    private <T> CompletionStage<T> limited(Step<T> step) {
        if (!places.tryAcquire()) {
            return CompletableFuture.failedFuture(new LoginException(
                    Reason.BUSY, "Expected at most " + REQUESTS_MAX + " requests to the identity provider at a time."));
        }
        CompletableFuture<T> result;
        try {
            result = CompletableFuture.supplyAsync(step::run, executor).thenCompose(stage -> stage);
        } catch (RuntimeException closed) { // the server is being closed
            result = CompletableFuture.failedFuture(closed);
        }
        return result.handle((value, failure) -> {
            places.release();
            if (failure != null) {
                throw new CompletionException(refusal(failure));
            }
            return value;
        });
    }

    private LoginException refusal(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof LoginException refused) {
            return refused;
        }
        if (cause instanceof AuthenticationException refused) {
            return new LoginException(
                    refused.isTemporary() ? Reason.PROVIDER : Reason.INVALID,
                    "The ID token was refused. " + refused.rejection().description());
        }
        if (cause instanceof KeysUnreadableException) {
            return new LoginException(Reason.PROVIDER, String.valueOf(cause.getMessage()));
        }
        return new LoginException(
                Reason.PROVIDER,
                cause instanceof TimeoutException
                        ? "Expected an answer of the identity provider '" + settings.issuer() + "' within " + timeoutMs
                                + " ms, but it did not arrive."
                        : "The identity provider '" + settings.issuer() + "' cannot be reached: " + cause);
    }

    private static CompletionException failure(Reason reason, String sentence) {
        return new CompletionException(new LoginException(reason, sentence));
    }
}
