package dev.jitney.conformance.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.administration.models.AccessRights;
import com.azure.messaging.servicebus.administration.models.EntityStatus;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.SharedAccessAuthorizationRule;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.testing.amqp.SasToken;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The operator API and the Java administration client")
class OperatorAdministrationTest extends AdminTest {
    private static final long FAR_FUTURE_SECONDS = 4_000_000_000L;

    private final HttpClient client = HttpClient.newHttpClient();

    private String operate(String method, String path, String body) throws Exception {
        String origin = "http://localhost:" + broker.httpPort();
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(origin + "/$operator/v1" + path))
                        .header(
                                "Authorization",
                                SasToken.create(origin, TestBroker.RULE, TestBroker.KEY, FAR_FUTURE_SECONDS))
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    @Test
    @DisplayName("see the same settings of a queue, and each keeps the changes of the other")
    void queue() throws Exception {
        String name = TestBroker.name("settings");
        operate("PUT", "/entities/" + name + "-next", "{\"kind\": \"queue\"}");
        operate(
                "PUT",
                "/entities/" + name,
                "{\"kind\": \"queue\", \"lockDuration\": \"PT45S\", \"maxDeliveryCount\": 3, \"requiresDuplicateDetection\": true,"
                        + " \"duplicateDetectionHistoryTimeWindow\": \"PT2M\", \"defaultMessageTimeToLive\": \"P14D\","
                        + " \"deadLetteringOnMessageExpiration\": true, \"maxSizeInMegabytes\": 2048,"
                        + " \"forwardDeadLetteredMessagesTo\": \"" + name
                        + "-next\", \"userMetadata\": \"of the shop\"}");
        QueueProperties made = admin.getQueue(name);
        assertThat(made.getLockDuration()).isEqualTo(Duration.ofSeconds(45));
        assertThat(made.getMaxDeliveryCount()).isEqualTo(3);
        assertThat(made.isDuplicateDetectionRequired()).isTrue();
        assertThat(made.getDuplicateDetectionHistoryTimeWindow()).isEqualTo(Duration.ofMinutes(2));
        assertThat(made.getDefaultMessageTimeToLive()).isEqualTo(Duration.ofDays(14));
        assertThat(made.isDeadLetteringOnMessageExpiration()).isTrue();
        assertThat(made.getForwardDeadLetteredMessagesTo()).endsWith("/" + name + "-next");
        assertThat(made.getUserMetadata()).isEqualTo("of the shop");
        assertThat(operate("GET", "/entities/" + name + "/settings", ""))
                .contains("\"maxSizeInMegabytes\":" + made.getMaxSizeInMegabytes());

        admin.updateQueue(made.setMaxDeliveryCount(7));
        operate("PATCH", "/entities/" + name + "/settings", "{\"status\": \"SendDisabled\"}");
        assertThat(operate("GET", "/entities/" + name + "/settings", ""))
                .contains(
                        "\"maxDeliveryCount\":7",
                        "\"lockDuration\":\"PT45S\"",
                        "\"forwardDeadLetteredMessagesTo\":\"" + name + "-next\"");
        QueueProperties changed = admin.getQueue(name);
        assertThat(changed.getStatus()).isEqualTo(EntityStatus.SEND_DISABLED);
        assertThat(changed.getMaxDeliveryCount()).isEqualTo(7);
        operate("DELETE", "/entities/" + name, "");
        assertThat(admin.getQueueExists(name)).isFalse();
    }

    @Test
    @DisplayName("see the same access rules and keys, and a key from the operator API works in the client")
    void accessRules() throws Exception {
        String name = TestBroker.name("rules");
        operate("PUT", "/entities/" + name, "{\"kind\": \"queue\"}");
        operate("PUT", "/entities/" + name + "/accessRules/owner", "{\"rights\": [\"Manage\"]}");
        SharedAccessAuthorizationRule rule = (SharedAccessAuthorizationRule)
                admin.getQueue(name).getAuthorizationRules().get(0);
        assertThat(rule.getKeyName()).isEqualTo("owner");
        assertThat(rule.getAccessRights())
                .containsExactlyInAnyOrder(AccessRights.MANAGE, AccessRights.SEND, AccessRights.LISTEN);
        assertThat(operate("POST", "/entities/" + name + "/accessRules/owner/keys", ""))
                .contains(
                        "\"primaryKey\":\"" + rule.getPrimaryKey() + "\"",
                        "\"secondaryKey\":\"" + rule.getSecondaryKey() + "\"");
        String connectionString = operate("POST", "/entities/" + name + "/accessRules/owner/keys", "")
                .replaceFirst(".*\"primaryConnectionString\":\"([^\"]*)\".*", "$1");
        assertThat(connectionString).startsWith("Endpoint=sb://localhost:" + broker.amqpPort() + ";");
        try (ServiceBusSenderClient sender = new ServiceBusClientBuilder()
                .connectionString(connectionString)
                .sender()
                .queueName(name)
                .buildClient()) {
            sender.sendMessage(new ServiceBusMessage("with the copied connection string"));
        }
        assertThat(operate("GET", "/entities/" + name, "")).contains("\"active\":1");
        assertThat(AdminClients.of(broker, "owner", rule.getPrimaryKey())
                        .getQueue(name)
                        .getName())
                .isEqualTo(name);
        admin.updateQueue(admin.getQueue(name).setMaxDeliveryCount(5));
        operate("POST", "/entities/" + name + "/accessRules/owner/renew?key=primary", "");
        SharedAccessAuthorizationRule renewed = (SharedAccessAuthorizationRule)
                admin.getQueue(name).getAuthorizationRules().get(0);
        assertThat(renewed.getPrimaryKey()).isNotEqualTo(rule.getPrimaryKey());
        assertThat(renewed.getSecondaryKey()).isEqualTo(rule.getSecondaryKey());
    }

    @Test
    @DisplayName("see the same subscription with its first rule")
    void subscription() throws Exception {
        String topic = TestBroker.name("topic");
        operate("PUT", "/entities/" + topic, "{\"kind\": \"topic\", \"enableBatchedOperations\": false}");
        operate(
                "PUT",
                "/entities/" + topic + "%2FSubscriptions%2Freds",
                "{\"kind\": \"subscription\", \"maxDeliveryCount\": 4, \"rule\": {\"rule\": \"reds\", \"filter\": \"color = 'red'\"}}");
        assertThat(admin.getTopic(topic).isBatchedOperationsEnabled()).isFalse();
        SubscriptionProperties made = admin.getSubscription(topic, "reds");
        assertThat(made.getMaxDeliveryCount()).isEqualTo(4);
        assertThat(admin.listRules(topic, "reds").stream().toList())
                .singleElement()
                .satisfies(rule -> {
                    assertThat(rule.getName()).isEqualTo("reds");
                    assertThat(((SqlRuleFilter) rule.getFilter()).getSqlExpression())
                            .isEqualTo("color = 'red'");
                });
        assertThat(List.of("reds"))
                .isEqualTo(admin.listSubscriptions(topic).stream()
                        .map(SubscriptionProperties::getSubscriptionName)
                        .toList());
    }
}
