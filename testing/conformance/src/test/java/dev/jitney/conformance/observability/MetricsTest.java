package dev.jitney.conformance.observability;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of the metrics of a server that the Java SDK uses. */
class MetricsTest extends SdkTest {
    @Test
    @DisplayName("Sends, deliveries, settlements and dead-letters appear on the page of a running server")
    void showsWhatHappened() {
        String queue = broker.queue(q -> q.maxDeliveryCount(2));
        sdk.send(queue, "completed");
        sdk.send(queue, "dead-lettered");
        sdk.send(queue, "abandoned");
        sdk.sender(queue).sendMessage(inOrder("waits")); // its link stays open until the end
        try (ServiceBusReceiverClient receiver = sdk.receiver(queue)) {
            receiver.complete(Sdk.next(receiver));
            receiver.deadLetter(
                    Sdk.next(receiver), new DeadLetterOptions().setDeadLetterReason("the application's own"));
            ServiceBusReceivedMessage again = Sdk.next(receiver);
            receiver.abandon(again);
            receiver.abandon(Sdk.next(receiver));
            Await.until("an attached receiver", () -> value(queue, "receivers") >= 1);
        }
        Await.until("the last dead-letter", () -> value(queue, "messages", "dead_letter") == 2);
        broker.advance(Duration.ofSeconds(90));

        Await.until("the counters of the last commit", () -> value(queue, "incoming_messages_total") == 4);
        assertThat(value(queue, "messages", "active")).isEqualTo(1);
        assertThat(value(queue, "messages", "scheduled")).isZero();
        assertThat(value(queue, "completed_messages_total")).isEqualTo(1);
        assertThat(value(queue, "abandoned_messages_total")).isEqualTo(2);
        assertThat(value(queue, "outgoing_messages_total")).isGreaterThanOrEqualTo(4);
        assertThat(value(queue, "incoming_bytes_total")).isPositive();
        assertThat(value(queue, "size_bytes")).isPositive();
        Map<String, Double> page = samples();
        String of = "{entity=\"" + queue + "\",kind=\"queue\",namespace=\"sbemulatorns\",reason=\"";
        assertThat(page)
                .containsEntry("jitney_entity_dead_lettered_messages_total" + of + "other\"}", 1.0)
                .containsEntry("jitney_entity_dead_lettered_messages_total" + of + "MaxDeliveryCountExceeded\"}", 1.0)
                .containsEntry("jitney_healthy", 1.0)
                .containsEntry("jitney_store_serving{shard=\"0\"}", 1.0);
        assertThat(page.get("jitney_amqp_connections{namespace=\"sbemulatorns\"}"))
                .isPositive();
        assertThat(page.get("jitney_amqp_links{namespace=\"sbemulatorns\"}")).isPositive();
        assertThat(page.get("jitney_amqp_received_bytes_total")).isGreaterThan(1_000);
        assertThat(page.get("jitney_store_commit_duration_seconds_count{shard=\"0\"}"))
                .isPositive();
        assertThat(page.keySet()).anyMatch(name -> name.startsWith("jvm_memory_used_bytes"));
    }

    @Test
    @DisplayName("The age of the oldest waiting message follows the broker's clock, and is absent when none waits")
    void showsTheOldest() {
        String queue = broker.queue();
        sdk.send(queue, "old");
        broker.advance(Duration.ofSeconds(90));
        Await.until("an age of 90 seconds", () -> value(queue, "oldest_message_age_seconds") == 90);
        try (ServiceBusReceiverClient receiver = sdk.deletingReceiver(queue)) {
            Sdk.next(receiver);
        }
        Await.until("no age", () -> Double.isNaN(value(queue, "oldest_message_age_seconds")));
    }

    @Test
    @DisplayName("Connections and links decrease again when clients are closed")
    void showsDepartures() throws Exception {
        Await.until("the end of the links of earlier tests", () -> total("jitney_amqp_links") == 0);
        String queue = broker.queue();
        sdk.sender(queue).sendMessage(new ServiceBusMessage("x"));
        // The values of a page may be as old as its computation takes.
        Await.until(
                "a link and a connection",
                () -> total("jitney_amqp_links") > 0 && total("jitney_amqp_connections") > 0);
        sdk.close();
        Await.until(
                "no link and no connection",
                () -> total("jitney_amqp_links") == 0 && total("jitney_amqp_connections") == 0);
    }

    private double total(String name) {
        return samples().entrySet().stream()
                .filter(sample -> sample.getKey().startsWith(name + "{"))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private double value(String queue, String metric) {
        return samples()
                .getOrDefault(
                        "jitney_entity_" + metric + "{entity=\"" + queue
                                + "\",kind=\"queue\",namespace=\"sbemulatorns\"}",
                        Double.NaN);
    }

    private double value(String queue, String metric, String state) {
        return samples()
                .getOrDefault(
                        "jitney_entity_" + metric + "{entity=\"" + queue
                                + "\",kind=\"queue\",namespace=\"sbemulatorns\",state=\"" + state + "\"}",
                        Double.NaN);
    }

    private static Map<String, Double> samples() {
        return MetricsPage.samples(broker);
    }
}
