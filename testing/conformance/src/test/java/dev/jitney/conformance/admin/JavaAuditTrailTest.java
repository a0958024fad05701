package dev.jitney.conformance.admin;

import static dev.jitney.testing.amqp.Wire.map;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.RawMessage;
import dev.jitney.testing.amqp.RawPeer;
import dev.jitney.testing.amqp.RawRequests;
import dev.jitney.testing.amqp.RawSession;
import dev.jitney.testing.amqp.SasToken;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The audit trail of a namespace")
class JavaAuditTrailTest extends AdminTest {
    private static final long FAR_FUTURE_SECONDS = 4_000_000_000L;
    private static final Pattern ENTRY = Pattern.compile(
            "\"action\":\"([^\"]*)\",\"result\":\"([^\"]*)\",\"key\":\"([^\"]*)\",\"client\":\"([^\"]*)\".*?\"details\":\"([^\"]*)\"");

    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<String> call(String method, String path, String body) throws Exception {
        String origin = "http://localhost:" + broker.httpPort();
        return client.send(
                HttpRequest.newBuilder(URI.create(origin + path))
                        .header(
                                "Authorization",
                                SasToken.create(origin, TestBroker.RULE, TestBroker.KEY, FAR_FUTURE_SECONDS))
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private List<String> trail(String entity) throws Exception {
        HttpResponse<String> answer = call("GET", "/$operator/v1/audit?entity=" + entity, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        List<String> entries = new ArrayList<>();
        Matcher entry = ENTRY.matcher(answer.body());
        while (entry.find()) {
            assertThat(entry.group(3)).isEqualTo(TestBroker.RULE);
            assertThat(entry.group(4)).matches("\\S+:\\d+");
            entries.add(entry.group(1) + " " + entry.group(2) + ": " + entry.group(5));
        }
        return entries;
    }

    @Test
    @DisplayName(
            "has the changes of the administration client, of AMQP management and of operators, also after a restart")
    @OrdinaryOnly("PURGE-2: batch delete is refused on partitioned entities")
    void realChanges() throws Exception {
        admin.createQueue("audited", new CreateQueueOptions().setMaxDeliveryCount(3));
        QueueProperties properties = admin.getQueue("audited");
        admin.updateQueue(properties.setMaxDeliveryCount(4));
        RawPeer peer = broker.peer();
        RawSession session = peer.begin();
        for (String text : List.of("a", "b")) {
            session.sender("audited").sendAccepted(RawMessage.ofData(text));
        }
        assertThat(call("POST", "/$operator/v1/entities/audited/messages/delete", "{\"sequenceNumbers\": [2]}")
                        .body())
                .contains("\"done\":1,\"refused\":0");
        broker.advance(Duration.ofSeconds(1));
        RawRequests.open(session, "audited/$management")
                .call(
                        "com.microsoft:batch-delete-messages",
                        map("message-count", 10, "enqueued-time-utc", broker.now()),
                        200);
        peer.close();

        List<String> before = trail("audited");
        broker.restart();
        admin.deleteQueue("audited");

        assertThat(before)
                .containsExactly(
                        "delete messages done: 1 messages",
                        "delete messages done: 1 of 1 messages: [2]",
                        "update queue done: maxDeliveryCount: 3 -> 4",
                        "create queue done: maxDeliveryCount: 10 -> 3; duplicateDetectionHistoryTimeWindowMs: 600000"
                                + " -> 60000"); // the client sends its own default
        List<String> after = new ArrayList<>(List.of("delete queue done: "));
        after.addAll(before);
        assertThat(trail("audited")).isEqualTo(after);
    }
}
