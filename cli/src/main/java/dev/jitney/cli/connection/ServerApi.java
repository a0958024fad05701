package dev.jitney.cli.connection;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.value.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** A client of Jitney's own HTTP API, for operations that the SDK does not have. Responses are JSON. Not thread-safe. */
public final class ServerApi {
    private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);

    private final HttpClient http;
    private final URI url;
    private final NamespaceAddress address;
    private final Clock clock;

    ServerApi(HttpClient http, URI url, NamespaceAddress address, Clock clock) {
        this.http = http;
        this.url = url;
        this.address = address;
        this.clock = clock;
    }

    /** Sends a GET request and returns the response. */
    public Map<String, @Nullable Object> get(String path) {
        return send(HttpMethod.GET, path, "");
    }

    /** Sends a POST request without content and returns the response. */
    public Map<String, @Nullable Object> post(String path) {
        return send(HttpMethod.POST, path, "");
    }

    /** Sends a POST request with a JSON object and returns the response. */
    public Map<String, @Nullable Object> post(String path, Map<String, @Nullable Object> members) {
        return send(HttpMethod.POST, path, Json.line(members));
    }

    /** Sends a PUT request with a JSON object and returns the response. */
    public Map<String, @Nullable Object> put(String path, Map<String, @Nullable Object> description) {
        return send(HttpMethod.PUT, path, description.isEmpty() ? "" : Json.line(description));
    }

    /** Sends a DELETE request. Returns an empty map once the resource is deleted. */
    public Map<String, @Nullable Object> delete(String path) {
        return send(HttpMethod.DELETE, path, "");
    }

    /** Returns the URL of the server, for messages. */
    public URI url() {
        return url;
    }

    /** Returns the address whose key signs the requests. */
    public NamespaceAddress address() {
        return address;
    }

    /**
     * Reads a text resource.
     *
     * @return the text, or null if the content type is not text/plain
     */
    public @Nullable String text(String path) {
        HttpRequest request = new HttpRequest(HttpMethod.GET, url.resolve(path).toString())
                .setHeader(HttpHeaderName.AUTHORIZATION, token());
        try (HttpResponse response = http.sendSync(request, Context.NONE)) {
            String body = response.getBodyAsBinaryData().toString();
            String type = String.valueOf(response.getHeaderValue(HttpHeaderName.CONTENT_TYPE));
            if (response.getStatusCode() / 100 != 2) {
                throw new HttpResponseException(body, response.buffer());
            }
            return type.startsWith("text/plain") ? body : null;
        }
    }

    private Map<String, @Nullable Object> send(HttpMethod method, String path, String content) {
        HttpRequest request = new HttpRequest(method, url.resolve(path).toString())
                .setHeader(HttpHeaderName.AUTHORIZATION, token())
                .setBody(content); // sets its length, too
        try (HttpResponse response = http.sendSync(request, Context.NONE)) {
            String body = response.getBodyAsBinaryData().toString();
            String type = String.valueOf(response.getHeaderValue(HttpHeaderName.CONTENT_TYPE));
            if (response.getStatusCode() == 204) {
                return Map.of();
            } else if (response.getStatusCode() / 100 == 2 && type.startsWith("application/json")) {
                return Json.object(body);
            } else if (response.getStatusCode() / 100 == 2) {
                throw new Failure(
                        Failure.FAULT,
                        "Expected a Jitney server of this version or later at " + url + ", but another server answered."
                                + " Check --admin-url.");
            }
            throw new HttpResponseException(body, response.buffer());
        }
    }

    /** Returns a new shared access signature for the namespace (HTTP 1.5), or the given one. */
    private String token() {
        if (address.signature() != null) {
            return address.signature();
        }
        String resource = encode("https://" + address.host() + "/");
        String expiry = Long.toString(clock.instant().plus(TOKEN_LIFE).getEpochSecond());
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            String key = String.valueOf(address.key());
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] signed = mac.doFinal((resource + "\n" + expiry).getBytes(StandardCharsets.UTF_8));
            return "SharedAccessSignature sr=" + resource + "&sig="
                    + encode(Base64.getEncoder().encodeToString(signed)) + "&se=" + expiry + "&skn="
                    + encode(String.valueOf(address.keyName()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is a part of every Java", e);
        } catch (IllegalArgumentException e) {
            throw Failure.badOption("Expected a SharedAccessKey in the connection string, but it is empty.");
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
