package dev.jitney.conformance.scheduled;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.next;
import static dev.jitney.conformance.support.Sdk.none;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.SdkTest;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaSdkScheduledTest extends SdkTest {

    private OffsetDateTime in(Duration time) {
        return broker.now().plus(time).atOffset(ZoneOffset.UTC);
    }

    @Test
    @DisplayName(
            "SCHED-1, SCHED-2: a scheduled message waits, can be peeked as scheduled, and is delivered at its time")
    void scheduledMessageComesAtItsTime() {
        String queue = broker.queue();
        OffsetDateTime due = in(Duration.ofMinutes(5));
        long number = sdk.sender(queue).scheduleMessage(new ServiceBusMessage("m").setMessageId("m"), due);
        assertThat(broker.counts(queue).scheduled()).isEqualTo(1);
        assertThat(broker.counts(queue).active()).isZero();

        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage peeked = receiver.peekMessage();
        assertThat(peeked.getState()).isEqualTo(ServiceBusMessageState.SCHEDULED);
        assertThat(peeked.getSequenceNumber()).isEqualTo(number);
        assertThat(peeked.getScheduledEnqueueTime().toInstant()).isEqualTo(due.toInstant());

        broker.advance(Duration.ofMinutes(5).minusMillis(1));
        assertThat(none(receiver)).isEmpty();
        broker.advance(Duration.ofMillis(1));
        ServiceBusReceivedMessage received = next(receiver);
        assertThat(received.getMessageId()).isEqualTo("m");
        assertThat(received.getState()).as("STATE-9").isEqualTo(ServiceBusMessageState.SCHEDULED);
        assertThat(received.getSequenceNumber()).as("SCHED-3").isGreaterThan(number);
        assertThat(received.getEnqueuedTime().toInstant()).as("SCHED-3").isEqualTo(due.toInstant());
        assertThat(received.getEnqueuedSequenceNumber()).as("SEQ-5").isEqualTo(number);
        assertThat(broker.counts(queue).scheduled()).isZero();
    }

    @Test
    @DisplayName("SCHED-2: a message with a time in the past is delivered immediately")
    void pastTimeMeansNow() {
        String queue = broker.queue();
        sdk.sender(queue).scheduleMessage(new ServiceBusMessage("m"), in(Duration.ofMinutes(-5)));
        sdk.send(queue, new ServiceBusMessage("n").setScheduledEnqueueTime(in(Duration.ZERO)));
        assertThat(broker.counts(queue).active()).isEqualTo(2);
        assertThat(broker.counts(queue).scheduled()).isZero();
    }

    @Test
    @DisplayName(
            "SCHED-3: messages that are due together are delivered in the order of their times, after existing ones")
    void dueMessagesComeByTime() {
        String queue = broker.queue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        sender.scheduleMessage(inOrder("second").setMessageId("second"), in(Duration.ofMinutes(2)));
        sender.scheduleMessage(inOrder("first").setMessageId("first"), in(Duration.ofMinutes(1)));
        sdk.send(queue, "sent before");
        broker.advance(Duration.ofMinutes(3));
        Await.until(
                "the activation of both messages", () -> broker.counts(queue).active() == 3);
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(queue);
        assertThat(List.of(next(receiver), next(receiver), next(receiver)))
                .extracting(ServiceBusReceivedMessage::getMessageId)
                .containsExactly("sent before", "first", "second");
    }

    @Test
    @DisplayName("SCHED-4: a canceled message is never delivered")
    void cancelledMessageNeverComes() {
        String queue = broker.queue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        long number = sender.scheduleMessage(new ServiceBusMessage("m"), in(Duration.ofMinutes(1)));
        sender.cancelScheduledMessage(number);
        assertThat(broker.counts(queue).total()).isZero();
        sender.cancelScheduledMessage(number); // this SDK does not report "message not found" here
        broker.advance(Duration.ofMinutes(1));
        assertThat(none(sdk.receiver(queue))).isEmpty();
    }

    @Test
    @DisplayName("SCHED-4: several cancellations take effect together or not at all")
    void cancelIsAllOrNone() {
        String queue = broker.queue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        List<Long> numbers = List.of(
                sender.scheduleMessage(new ServiceBusMessage("a"), in(Duration.ofMinutes(1))),
                sender.scheduleMessage(new ServiceBusMessage("b"), in(Duration.ofMinutes(1))));
        sender.cancelScheduledMessages(List.of(numbers.get(0), 4711L)); // fails, which this SDK does not report
        assertThat(broker.counts(queue).scheduled()).isEqualTo(2);
        sender.cancelScheduledMessages(numbers);
        assertThat(broker.counts(queue).scheduled()).isZero();
    }

    @Test
    @DisplayName("SCHED-4: an activated message can no longer be canceled")
    void activatedMessageCannotBeCancelled() {
        String queue = broker.queue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        long number = sender.scheduleMessage(new ServiceBusMessage("m"), in(Duration.ofMinutes(1)));
        broker.advance(Duration.ofMinutes(1));
        Await.until("activation", () -> broker.counts(queue).active() == 1);
        sender.cancelScheduledMessage(number); // fails, which this SDK does not report
        assertThat(broker.counts(queue).active()).isEqualTo(1);
    }

    @Test
    @DisplayName("Several messages are scheduled in one call and keep their numbers' order")
    void severalAtOnce() {
        String queue = broker.queue();
        List<Long> numbers = new ArrayList<>();
        sdk.sender(queue)
                .scheduleMessages(
                        List.of(new ServiceBusMessage("a"), new ServiceBusMessage("b"), new ServiceBusMessage("c")),
                        in(Duration.ofMinutes(1)))
                .forEach(numbers::add);
        assertThat(numbers).hasSize(3).isSorted();
        assertThat(broker.counts(queue).scheduled()).isEqualTo(3);
    }

    @Test
    @DisplayName("SCHED-8: a scheduled message cannot be received by number")
    void scheduledMessageCannotBeReceivedByNumber() {
        String queue = broker.queue();
        long number = sdk.sender(queue).scheduleMessage(new ServiceBusMessage("m"), in(Duration.ofMinutes(1)));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        // This SDK reports "message not found" as no message.
        assertThat(receiver.receiveDeferredMessageBatch(List.of(number))).isEmpty();
        assertThat(broker.counts(queue).scheduled()).isEqualTo(1);
    }

    @Test
    @DisplayName("T-7: messages that became due while the server was stopped are delivered after its start")
    void dueDuringDowntime() {
        String queue = broker.queue();
        sdk.sender(queue).scheduleMessage(new ServiceBusMessage("m"), in(Duration.ofMinutes(1)));
        broker.restart();
        broker.advance(Duration.ofMinutes(1));
        assertThat(next(sdk.receiver(queue)).getBody().toString()).isEqualTo("m");
    }
}
