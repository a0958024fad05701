package dev.jitney.conformance.duplicates;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JavaSdkTopicDuplicatesTest {
    private static final String TOPIC = "news";

    /** A broker whose second subscription gives all its copies the same id. */
    @RegisterExtension
    static final TestBroker broker = TestBroker.configured("""
            {"UserConfig": {"Namespaces": [{"Name": "ns", "Topics": [{"Name": "news",
              "Properties": {"RequiresDuplicateDetection": true, "DuplicateDetectionHistoryTimeWindow": "PT1M"},
              "Subscriptions": [
                {"Name": "plain"},
                {"Name": "renamed", "Rules": [{"Name": "r", "Properties": {"FilterType": "Sql",
                  "SqlFilter": {"SqlExpression": "1=1"}, "Action": {"SqlExpression": "SET sys.MessageId = 'same'"}}}]}
              ]}]}], "Logging": {"Type": "Console"}}}
            """);

    private Sdk sdk;

    @BeforeEach
    void connect() {
        sdk = broker.sdk();
    }

    @AfterEach
    void disconnect() throws Exception {
        sdk.close();
    }

    private ServiceBusReceiverClient receiver(String subscription) {
        return sdk.keep(sdk.builder()
                .receiver()
                .topicName(TOPIC)
                .subscriptionName(subscription)
                .receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)
                .buildClient());
    }

    @Test
    @DisplayName("DUP-10: the topic drops duplicates for all subscriptions; changed ids of an action are not checked")
    void checkedOnceAtTheTopic() {
        ServiceBusSenderClient sender =
                sdk.keep(sdk.builder().sender().topicName(TOPIC).buildClient());
        for (String id : List.of("X", "Y", "X", "same", "Y")) {
            sender.sendMessage(inOrder(id).setMessageId(id));
        }
        broker.restart();
        sender.sendMessage(inOrder("X").setMessageId("X"));
        sender.scheduleMessage(
                inOrder("Z").setMessageId("Z"), broker.now().plusSeconds(5).atOffset(ZoneOffset.UTC));
        sender.sendMessage(inOrder("Z, sent").setMessageId("Z"));
        broker.advance(Duration.ofSeconds(5));

        for (String subscription : List.of("plain", "renamed")) {
            assertThat(broker.counts(TOPIC + "/Subscriptions/" + subscription).active())
                    .isEqualTo(4);
            ServiceBusReceiverClient receiver = receiver(subscription);
            for (String body : List.of("X", "Y", "same", "Z")) {
                assertThat(next(receiver).getBody().toString()).isEqualTo(body);
            }
        }
        broker.advance(Duration.ofMinutes(1));
        sender.sendMessage(inOrder("X").setMessageId("X"));
        assertThat(broker.counts(TOPIC + "/Subscriptions/plain").active()).isEqualTo(1);
    }
}
