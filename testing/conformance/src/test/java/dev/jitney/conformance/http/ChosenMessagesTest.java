package dev.jitney.conformance.http;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.SdkTest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The Java SDK and an operator who changes messages")
class ChosenMessagesTest extends SdkTest {

    private void operate(String path, String body) {
        HttpResponse<String> answer = new HttpCalls(broker).operate(path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("\"done\":1,\"refused\":0");
    }

    private static String chosen(ServiceBusReceivedMessage message) {
        return "{\"sequenceNumbers\": [\"" + message.getSequenceNumber() + "\"]}";
    }

    @Test
    @DisplayName("a resubmitted dead letter is a new message with all its parts, and says how often it was resubmitted")
    void resubmitted() {
        String queue = broker.queue();
        ServiceBusMessage sent = new ServiceBusMessage("order 1");
        sent.setMessageId("m").setSubject("s").setCorrelationId("c").setContentType("text/plain");
        sent.setTimeToLive(Duration.ofHours(2));
        sent.getApplicationProperties().put("amount", 250L);
        sdk.send(queue, sent);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage first = next(receiver);
        receiver.deadLetter(first, new DeadLetterOptions().setDeadLetterReason("Poison"));

        operate(queue + "%2F$DeadLetterQueue/messages/resubmit", chosen(first));

        ServiceBusReceivedMessage again = next(receiver);
        assertThat(again.getBody()).hasToString("order 1");
        assertThat(again.getMessageId()).isEqualTo("m");
        assertThat(again.getSubject()).isEqualTo("s");
        assertThat(again.getCorrelationId()).isEqualTo("c");
        assertThat(again.getContentType()).isEqualTo("text/plain");
        assertThat(again.getTimeToLive()).isEqualTo(Duration.ofHours(2));
        assertThat(again.getDeliveryCount()).isZero();
        assertThat(again.getSequenceNumber()).isGreaterThan(first.getSequenceNumber());
        assertThat(again.getDeadLetterReason()).isNull();
        assertThat(again.getApplicationProperties())
                .containsEntry("amount", 250L)
                .containsEntry("x-jitney-resubmitted", 1)
                .containsEntry("x-jitney-resubmitted-from", queue + "/$DeadLetterQueue");
        receiver.complete(again);
        assertThat(broker.counts(queue).deadLetter()).isZero();
    }

    @Test
    @DisplayName("a resubmitted message of a session comes to the receiver of its session")
    void resubmittedInSession() {
        String queue = broker.queue(q -> q.requiresSession(true));
        sdk.send(queue, new ServiceBusMessage("a").setSessionId("s"));
        ServiceBusReceiverClient holder = sdk.keep(
                sdk.keep(sdk.builder().sessionReceiver().queueName(queue).buildClient())
                        .acceptSession("s"));
        ServiceBusReceivedMessage first = next(holder);
        holder.deadLetter(first);

        operate(queue + "%2F$DeadLetterQueue/messages/resubmit", chosen(first));

        ServiceBusReceivedMessage again = next(holder);
        assertThat(again.getBody()).hasToString("a");
        assertThat(again.getSessionId()).isEqualTo("s");
        holder.complete(again);
    }

    @Test
    @DisplayName("a resubmitted message of a partitioned queue is received once")
    void resubmittedInPartition() {
        String queue = broker.queue(q -> q.enablePartitioning(true));
        sdk.send(queue, "a");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage first = next(receiver);
        receiver.deadLetter(first);

        operate(queue + "%2F$DeadLetterQueue/messages/resubmit", chosen(first));

        ServiceBusReceivedMessage again = next(receiver);
        assertThat(again.getBody()).hasToString("a");
        receiver.complete(again);
        assertThat(Sdk.none(receiver)).isEmpty();
    }

    @Test
    @DisplayName("a receiver whose message was unlocked cannot complete it, and receives it again as before")
    void unlocked() {
        String queue = broker.queue();
        sdk.send(queue, "a");
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage locked = next(receiver);

        operate(queue + "/messages/unlock", chosen(locked));

        Sdk.assertFails(ServiceBusFailureReason.MESSAGE_LOCK_LOST, () -> receiver.complete(locked));
        assertThat(next(receiver).getDeliveryCount()).isZero();
    }

    @Test
    @DisplayName("an edited message is received with its changes, and the types of its other properties")
    void edited() {
        String queue = broker.queue();
        ServiceBusMessage sent = new ServiceBusMessage("{\"amount\": \"12,5\"}");
        sent.getApplicationProperties().put("count", 5);
        sent.getApplicationProperties().put("wrong", true);
        sdk.send(queue, sent);
        ServiceBusReceivedMessage original = sdk.receiver(queue).peekMessage();

        operate(
                queue + "/messages/" + original.getSequenceNumber() + "/edit",
                "{\"body\": \"{\\\"amount\\\": 12.5}\", \"subject\": \"repaired\", \"applicationProperties\":"
                        + " {\"wrong\": null, \"size\": {\"type\": \"double\", \"value\": 1.5}}}");

        ServiceBusReceivedMessage changed = next(sdk.deletingReceiver(queue));
        assertThat(changed.getBody()).hasToString("{\"amount\": 12.5}");
        assertThat(changed.getSubject()).isEqualTo("repaired");
        assertThat(changed.getApplicationProperties())
                .containsEntry("count", 5)
                .containsEntry("size", 1.5)
                .doesNotContainKey("wrong");
    }

    @Test
    @DisplayName("a scheduled message that is delivered now arrives, and the scheduled one is gone")
    void deliveredNow() {
        String queue = broker.queue();
        long number = sdk.sender(queue)
                .scheduleMessage(
                        new ServiceBusMessage("later"), OffsetDateTime.now().plusDays(400));

        operate(queue + "/messages/deliverNow", "{\"sequenceNumbers\": [\"" + number + "\"]}");

        assertThat(next(sdk.deletingReceiver(queue)).getBody()).hasToString("later");
        assertThat(broker.counts(queue).scheduled()).isZero();
    }
}
