package dev.jitney.conformance.http;

import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jitney.conformance.support.SdkTest;
import dev.jitney.conformance.support.Subscription;
import dev.jitney.conformance.support.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The Java SDK and an operator who needs to know where a message would go")
class ExplanationTest extends SdkTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MESSAGE =
            "{\"body\": \"x\", \"messageId\": \"m\", \"subject\": \"order\", \"applicationProperties\": {\"color\": \"red\","
                    + " \"amount\": {\"type\": \"long\", \"value\": \"250\"}}}";

    private JsonNode explain(String entity) {
        HttpResponse<String> answer = new HttpCalls(broker).operate(entity + "/explain", MESSAGE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ServiceBusMessage message() {
        ServiceBusMessage message = new ServiceBusMessage("x").setMessageId("m").setSubject("order");
        message.getApplicationProperties().put("color", "red");
        message.getApplicationProperties().put("amount", 250L);
        return message;
    }

    /** Collects the places of copies at the ends of all ways, each with the properties that actions have set there. */
    private static void ends(JsonNode entity, Map<String, String> colors, String color) {
        entity.path("copies").forEach(copy -> end(copy, colors, color));
        for (JsonNode subscription : entity.path("subscriptions")) {
            Map<String, String> byRule = new TreeMap<>();
            for (JsonNode rule : subscription.path("rules")) {
                for (JsonNode change : rule.path("changes")) {
                    if (change.path("property").asText().equals("color")) {
                        byRule.put(
                                rule.path("rule").asText(), change.path("after").asText());
                    }
                }
            }
            subscription
                    .path("copies")
                    .forEach(copy -> end(
                            copy,
                            colors,
                            byRule.getOrDefault(copy.path("changedBy").asText(), color)));
        }
    }

    private static void end(JsonNode copy, Map<String, String> colors, String color) {
        if (copy.has("forward")) {
            ends(copy.path("forward").path("explanation"), colors, color);
        } else {
            colors.put(copy.path("destination").asText(), color);
        }
    }

    @Test
    @DisplayName(
            "the message is then received exactly where it would go: with an action, a forward, and not as a duplicate")
    void receivedThere() {
        String end = broker.queue(q -> q.enablePartitioning(false));
        String topic = broker.topics().create(t -> t.requiresDuplicateDetection(true));
        Subscription plain = broker.topics().subscribe(topic, "amount > 100 AND sys.Label = 'order'");
        Subscription changed = broker.topics()
                .subscribe(topic, s -> s, Topics.sql("paint", "color LIKE 'r%'", "SET color = 'crimson'"));
        Subscription other = broker.topics().subscribe(topic, "color = 'blue'");
        Subscription forwarding = broker.topics()
                .subscribe(topic, s -> s.forwardTo(end), Topics.sql("send-on", "1=1", "SET color = 'green'"));

        Map<String, String> ends = new TreeMap<>();
        JsonNode explained = explain(topic);
        assertThat(explained.path("duplicateOf").isMissingNode()).isTrue();
        ends(explained, ends, "red");
        assertThat(ends)
                .containsOnly(
                        Map.entry(plain.path(), "red"), Map.entry(changed.path(), "crimson"), Map.entry(end, "green"));

        sdk.publish(topic, message());

        Set<String> received = new TreeSet<>();
        for (Map.Entry<String, String> place : ends.entrySet()) {
            ServiceBusReceiverClient receiver = place.getKey().equals(end)
                    ? sdk.receiver(end)
                    : sdk.receiver(place.getKey().equals(plain.path()) ? plain : changed);
            ServiceBusReceivedMessage copy = next(receiver);
            assertThat(copy.getBody()).hasToString("x");
            assertThat(copy.getApplicationProperties()).containsEntry("color", place.getValue());
            received.add(place.getKey());
            receiver.complete(copy);
        }
        assertThat(received).hasSize(3);
        assertThat(none(sdk.receiver(other))).isEmpty();
        assertThat(broker.counts(forwarding.path()).active()).isZero();

        JsonNode again = explain(topic);
        assertThat(again.path("duplicateOf").asText()).isNotEmpty();
        assertThat(again.path("subscriptions")).isEmpty();
        sdk.publish(topic, message());
        assertThat(none(sdk.receiver(plain))).isEmpty();
        assertThat(none(sdk.receiver(end))).isEmpty();
    }
}
