package dev.jitney.benchmarks.bench;

import dev.jitney.testing.client.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Creates queues with the request of the Java administration client (HTTP reference 2.3 and 2.4). */
final class QueueCreation {
    private static final String BODY = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
            + "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\"><QueueDescription"
            + " xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
            + "<LockDuration>PT1M</LockDuration><MaxSizeInMegabytes>1024</MaxSizeInMegabytes>"
            + "<RequiresDuplicateDetection>false</RequiresDuplicateDetection><RequiresSession>false</RequiresSession>"
            + "<DefaultMessageTimeToLive>P10675199DT2H48M5.477S</DefaultMessageTimeToLive>"
            + "<DeadLetteringOnMessageExpiration>false</DeadLetteringOnMessageExpiration>"
            + "<DuplicateDetectionHistoryTimeWindow>PT1M</DuplicateDetectionHistoryTimeWindow>"
            + "<MaxDeliveryCount>10</MaxDeliveryCount><EnableBatchedOperations>true</EnableBatchedOperations>"
            + "<Status>Active</Status><AutoDeleteOnIdle>P10675199DT2H48M5.477S</AutoDeleteOnIdle>"
            + "<EnablePartitioning>false</EnablePartitioning></QueueDescription></content></entry>";
    private static final int CREATED = 201;
    private static final Duration TOKEN_LIFE = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient http;
    private final String address;
    private final String token;

    QueueCreation(HttpClient http, int port, Endpoint endpoint) {
        this.http = http;
        this.address = "http://" + endpoint.host() + ":" + port + "/";
        this.token = token(endpoint);
    }

    /**
     * Creates one queue.
     *
     * @throws IOException if the server does not say that it did
     */
    void create(String name) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(address + name + "?api-version=2021-05"))
                        .version(HttpClient.Version.HTTP_1_1)
                        .timeout(PATIENCE)
                        .header("Authorization", token)
                        .header("Content-Type", "application/atom+xml")
                        .PUT(HttpRequest.BodyPublishers.ofString(BODY))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != CREATED) {
            throw new IOException(
                    "Expected status 201 for " + name + ", but got " + answer.statusCode() + ": " + answer.body());
        }
    }

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
