package dev.jitney.server.identity;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an identity provider over HTTP: at a known address, or at the address that its discovery document names
 * (OpenID Connect Discovery 1.0, section 4). Redirects are not followed. Documents and times are bounded.
 */
final class HttpKeySource implements KeySource {
    private static final long REFRESH_MS = 300_000;
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final HttpClient client;
    private final String issuer;
    private final @Nullable URI jwksUri;
    private final long timeoutMs;

    /**
     * @param jwksUri   the address of the keys, or null for discovery
     * @param tls       the trusted certificates, or null for those of Java
     * @param timeoutMs the time limit of a read, in milliseconds
     * @param executor  runs the parts of a read
     */
    HttpKeySource(String issuer, @Nullable URI jwksUri, @Nullable SSLContext tls, long timeoutMs, Executor executor) {
        this.issuer = issuer;
        this.jwksUri = jwksUri;
        this.timeoutMs = timeoutMs;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(executor);
        client = tls == null ? builder.build() : builder.sslContext(tls).build();
    }

    @Override
    public CompletableFuture<String> read() {
        Reading reading = new Reading();
        URI known = jwksUri;
        CompletableFuture<String> keys = known != null
                ? reading.get(known)
                : reading.get(discovery()).thenCompose(document -> reading.get(keysIn(document)));
        return keys.orTimeout(timeoutMs, TimeUnit.MILLISECONDS).handle((text, failure) -> {
            reading.end();
            if (failure == null) {
                return text;
            }
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            throw new KeysUnreadableException(
                    failure instanceof TimeoutException || cause instanceof TimeoutException
                            ? "Expected the keys of " + this + " within " + timeoutMs + " ms, but they did not arrive."
                            : String.valueOf(cause.getMessage() == null ? cause : cause.getMessage()));
        });
    }

    private URI discovery() {
        return ProviderDocument.addressOf(issuer);
    }

    /** Returns the address of the keys. The document must be that of the issuer, otherwise another one could replace it. */
    private URI keysIn(String document) {
        try {
            JsonDepth.check(document);
            Map<String, Object> members = JSONObjectUtils.parse(document);
            if (!issuer.equals(members.get("issuer"))) {
                throw new KeysUnreadableException("Expected the issuer '" + issuer + "' in " + discovery()
                        + ", but it has another one. Set --oidc-issuer to the issuer of that document, character by"
                        + " character.");
            }
            URI keys = OidcSettings.address("jwks_uri", String.valueOf(members.get("jwks_uri")));
            OidcSettings.requireSafe("jwks_uri", keys);
            return keys;
        } catch (ParseException notJson) {
            throw new KeysUnreadableException(
                    "Expected a discovery document at " + discovery() + ", but it is not JSON.");
        } catch (IllegalArgumentException wrongAddress) {
            throw new KeysUnreadableException(discovery() + ": " + wrongAddress.getMessage());
        }
    }

    @Override
    public long refreshMs() {
        return REFRESH_MS;
    }

    @Override
    public String toString() {
        return jwksUri == null ? issuer : jwksUri.toString();
    }

    /** One read, which can be ended at any time. */
    private final class Reading {
        private @Nullable CompletableFuture<HttpResponse<String>> request;
        private boolean ended;

        synchronized CompletableFuture<String> get(URI address) {
            if (ended) {
                return CompletableFuture.failedFuture(new IOException("The read has ended."));
            }
            CompletableFuture<HttpResponse<String>> sent = client.sendAsync(
                    HttpRequest.newBuilder(address)
                            .header("Accept", "application/json")
                            .timeout(Duration.ofMillis(timeoutMs))
                            .build(),
                    head -> new BoundedBody(address, DOCUMENT_BYTES_MAX));
            request = sent;
            return sent.thenApply(response -> {
                if (response.statusCode() != 200) {
                    throw new KeysUnreadableException(
                            "Expected status 200 from " + address + ", but got " + response.statusCode() + ".");
                }
                return response.body();
            });
        }

        synchronized void end() {
            ended = true;
            if (request != null) {
                request.cancel(true); // without effect on a response that is complete
            }
        }
    }
}
