package dev.jitney.testing.client;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A client of the administration API over plain HTTP, without retries. Thread-safe. */
public final class Administration {
    private static final Duration TOKEN_LIFE = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CONNECT = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final String address;
    private final String token;

    /** @param endpoint whose rule has the right Manage */
    public Administration(Endpoint endpoint, int httpPort) {
        this.address = "http://" + endpoint.host() + ":" + httpPort + "/";
        this.token = token(endpoint);
    }

    /** Returns the Authorization header for the whole namespace, valid for an hour. */
    public String authorization() {
        return token;
    }

    /** Creates a queue, topic or subscription from its description element. */
    public CompletableFuture<HttpResponse<String>> create(String path, String description) {
        return send("PUT", path, entry(description));
    }

    /** Updates a queue, topic or subscription with its description element. */
    public CompletableFuture<HttpResponse<String>> update(String path, String description) {
        return send("PUT", path, entry(description), "If-Match", "*");
    }

    private static BodyPublisher entry(String description) {
        return BodyPublishers.ofString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
                + "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
                + description
                + "</content></entry>");
    }

    /**
     * Creates a subscription whose messages and dead letters never expire.
     *
     * @param sqlFilter of its only rule
     */
    public CompletableFuture<HttpResponse<String>> createSubscription(
            String topic, String name, int maxDeliveryCount, String sqlFilter) {
        return create(
                topic + "/Subscriptions/" + name,
                "<SubscriptionDescription xmlns=\"" + CONNECT
                        + "\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\"><LockDuration>PT5M</LockDuration>"
                        + "<DefaultRuleDescription><Filter i:type=\"SqlFilter\"><SqlExpression>" + sqlFilter
                        + "</SqlExpression></Filter><Name>only</Name></DefaultRuleDescription><MaxDeliveryCount>"
                        + maxDeliveryCount + "</MaxDeliveryCount></SubscriptionDescription>");
    }

    /** Deletes an entity. */
    public CompletableFuture<HttpResponse<String>> delete(String path) {
        return send("DELETE", path, BodyPublishers.noBody());
    }

    /** Reads an entity. */
    public CompletableFuture<HttpResponse<String>> get(String path) {
        return send("GET", path, BodyPublishers.noBody());
    }

    /** Stops a messaging store, which closes its files, or starts it again. */
    public CompletableFuture<HttpResponse<String>> store(int index, boolean serves) {
        String path = "$stores/" + index + (serves ? "/start" : "/stop");
        return http.sendAsync(
                HttpRequest.newBuilder(URI.create(address + path))
                        .timeout(PATIENCE)
                        .header("Authorization", token)
                        .POST(BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    /** Returns a number in the response of {@link #get}, by the name of its element. */
    public static long number(HttpResponse<String> answer, String element) {
        Matcher found = Pattern.compile("<(?:\\w+:)?" + element + ">(\\d+)<").matcher(answer.body());
        if (!found.find()) {
            throw new IllegalStateException(
                    "Expected " + element + ", but got " + answer.statusCode() + ": " + answer.body());
        }
        return Long.parseLong(found.group(1));
    }

    private CompletableFuture<HttpResponse<String>> send(
            String method, String path, BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path + "?api-version=2021-05"))
                .timeout(PATIENCE)
                .header("Authorization", token)
                .header("Content-Type", "application/atom+xml")
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.sendAsync(request.build(), BodyHandlers.ofString());
    }

    /** Returns a shared access signature for the whole namespace (HTTP reference 1.4). */
    private static String token(Endpoint endpoint) {
        String resource = URLEncoder.encode("https://" + endpoint.host(), StandardCharsets.UTF_8);
        long expiry = Instant.now().plus(TOKEN_LIFE).getEpochSecond();
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(endpoint.key().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            String signature = Base64.getEncoder()
                    .encodeToString(mac.doFinal((resource + "\n" + expiry).getBytes(StandardCharsets.UTF_8)));
            return "SharedAccessSignature sr=" + resource + "&sig="
                    + URLEncoder.encode(signature, StandardCharsets.UTF_8) + "&se=" + expiry + "&skn="
                    + endpoint.ruleName();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
