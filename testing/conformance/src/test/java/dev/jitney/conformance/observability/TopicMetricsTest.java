package dev.jitney.conformance.observability;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of the metrics of a server whose topics are used. */
class TopicMetricsTest {
    private static final String TOPIC = "entity=\"events\",kind=\"topic\",namespace=\"n\"";
    private static final int BODY_BYTES = 50_000;

    @RegisterExtension
    static final TestBroker broker = TestBroker.configured("""
            {"UserConfig":{"Namespaces":[{"Name":"n","Queues":[],"Topics":[{"Name":"events","Subscriptions":[
              {"Name":"all","Properties":{"DefaultMessageTimeToLive":"P1D"}},
              {"Name":"large","Rules":[{"Name":"r","Properties":{"FilterType":"Sql",
                "SqlFilter":{"SqlExpression":"amount > 10"}}}]},
              {"Name":"tagged","Rules":[{"Name":"r","Properties":{"FilterType":"Sql",
                "SqlFilter":{"SqlExpression":"amount > 10"},"Action":{"SqlExpression":"SET tag = 1"}}}]},
              {"Name":"idle","Rules":[]}]}]}],"Logging":{"Type":"Console"}}}
            """);

    @Test
    @DisplayName("CNT-2, QUOTA-2: a topic shows sent and scheduled messages, and subscriptions show their copies")
    void showsTopicsAndSubscriptions() {
        ServiceBusClientBuilder client = TestBroker.clientBuilder(broker.lastingConnectionString());
        try (ServiceBusSenderClient sender = client.sender().topicName("events").buildClient()) {
            for (Object amount : new Object[] {1, 11, 12, "many"}) {
                ServiceBusMessage message = inOrder("x".repeat(BODY_BYTES));
                message.getApplicationProperties().put("amount", amount);
                sender.sendMessage(message);
            }
            sender.scheduleMessage(
                    inOrder("later"), broker.now().plus(Duration.ofHours(1)).atOffset(ZoneOffset.UTC));
        }
        try (ServiceBusReceiverClient all = client.receiver()
                        .topicName("events")
                        .subscriptionName("all")
                        .disableAutoComplete()
                        .buildClient();
                ServiceBusReceiverClient large = client.receiver()
                        .topicName("events")
                        .subscriptionName("large")
                        .disableAutoComplete()
                        .buildClient()) {
            all.complete(Sdk.next(all));
            all.abandon(Sdk.next(all));
            large.deadLetter(Sdk.next(large), new DeadLetterOptions().setDeadLetterReason("mine"));
            Await.until("both receivers", () -> value("receivers", of("all")) + value("receivers", of("large")) == 2);
        }
        broker.advance(Duration.ofSeconds(90));
        // The values of a page may be as old as its computation takes.
        Await.until("an age of 90 seconds", () -> value("oldest_message_age_seconds", of("all")) == 90);
        Await.until("the end of all locks", () -> locked() == 0);

        assertThat(value("incoming_messages_total", TOPIC)).isEqualTo(5);
        assertThat(value("incoming_bytes_total", TOPIC)).isBetween(4.0 * BODY_BYTES, 4.1 * BODY_BYTES);
        assertThat(value("outgoing_messages_total", TOPIC)).isZero();
        assertThat(value("receivers", TOPIC)).isZero();
        assertThat(state("active", TOPIC)).isZero();
        assertThat(state("scheduled", TOPIC)).isEqualTo(1);
        assertThat(MetricsPage.samples(broker))
                .doesNotContainKey("jitney_entity_oldest_message_age_seconds{" + TOPIC + "}");

        assertThat(value("incoming_messages_total", of("all"))).isEqualTo(4);
        assertThat(value("completed_messages_total", of("all"))).isEqualTo(1);
        assertThat(value("abandoned_messages_total", of("all"))).isEqualTo(1);
        assertThat(value("outgoing_messages_total", of("all"))).isGreaterThanOrEqualTo(2);
        assertThat(state("active", of("all"))).isEqualTo(3);
        assertThat(state("scheduled", of("all"))).isZero();

        for (String name : new String[] {"large", "tagged"}) {
            assertThat(value("incoming_messages_total", of(name))).isEqualTo(3);
            assertThat(deadLettered("FilterException", name)).isEqualTo(1);
        }
        assertThat(deadLettered("other", "large")).isEqualTo(1);
        assertThat(state("dead_letter", of("large"))).isEqualTo(2);
        assertThat(state("dead_letter", of("tagged"))).isEqualTo(1);
        assertThat(value("incoming_messages_total", of("idle"))).isZero();

        // Three bodies remain in three subscriptions. Each is stored once, with the topic.
        assertThat(value("size_bytes", TOPIC)).isBetween(3.0 * BODY_BYTES, 3.2 * BODY_BYTES);
        assertThat(value("size_bytes", of("all"))).isLessThan(1_000);
        assertThat(MetricsPage.samples(broker))
                .containsEntry("jitney_namespace_entities{kind=\"topic\",namespace=\"n\"}", 1.0)
                .containsEntry("jitney_namespace_entities{kind=\"subscription\",namespace=\"n\"}", 4.0);
        assertThat(value("operations_total", TOPIC)).isGreaterThanOrEqualTo(5);
        assertThat(value("operations_total", of("all"))).isGreaterThanOrEqualTo(2);
    }

    private static double locked() {
        return value("locked_messages", of("all")) + value("locked_messages", of("large"));
    }

    private static String of(String subscription) {
        return "entity=\"events/Subscriptions/" + subscription + "\",kind=\"subscription\",namespace=\"n\"";
    }

    private static double deadLettered(String reason, String subscription) {
        return value("dead_lettered_messages_total", of(subscription) + ",reason=\"" + reason + "\"");
    }

    private static double state(String state, String labels) {
        return value("messages", labels + ",state=\"" + state + "\"");
    }

    private static double value(String metric, String labels) {
        Map<String, Double> page = MetricsPage.samples(broker);
        return page.getOrDefault("jitney_entity_" + metric + "{" + labels + "}", Double.NaN);
    }
}
