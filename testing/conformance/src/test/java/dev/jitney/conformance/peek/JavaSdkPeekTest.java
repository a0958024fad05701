package dev.jitney.conformance.peek;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.PartitionedRun.numberBeside;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.models.ServiceBusMessageState;
import dev.jitney.conformance.support.SdkTest;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaSdkPeekTest extends SdkTest {

    private String queueWith(int count) {
        String queue = broker.queue();
        sdk.sender(queue)
                .sendMessages(IntStream.rangeClosed(1, count)
                        .mapToObj(i -> inOrder("m" + i).setMessageId("m" + i))
                        .toList());
        return queue;
    }

    @Test
    @DisplayName("PEEK-1: a hundred peeks have no effect")
    void peekChangesNothing() {
        String queue = queueWith(1);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        for (int i = 0; i < 100; i++) {
            ServiceBusReceivedMessage peeked = receiver.peekMessage(1);
            assertThat(peeked.getMessageId()).isEqualTo("m1");
            assertThat(peeked.getDeliveryCount()).isZero();
        }
        assertThat(broker.counts(queue).locked()).isZero();
        assertThat(next(receiver).getDeliveryCount()).isZero();
    }

    @Test
    @DisplayName(
            "PEEK-2, STATE-9: active, locked, deferred, scheduled and expired messages are shown, with their state")
    void peekShowsEveryState() {
        String queue = queueWith(3);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        receiver.defer(next(receiver));
        next(receiver); // remains locked
        sdk.send(queue, inOrder("m4").setTimeToLive(Duration.ofSeconds(1)));
        sdk.send(
                queue,
                inOrder("m5")
                        .setScheduledEnqueueTime(broker.now().plusSeconds(600).atOffset(ZoneOffset.UTC)));
        broker.advance(Duration.ofSeconds(1));

        assertThat(sdk.receiver(queue).peekMessages(10))
                .extracting(m -> m.getBody().toString(), ServiceBusReceivedMessage::getState)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("m1", ServiceBusMessageState.DEFERRED),
                        org.assertj.core.groups.Tuple.tuple("m2", ServiceBusMessageState.ACTIVE),
                        org.assertj.core.groups.Tuple.tuple("m3", ServiceBusMessageState.ACTIVE),
                        org.assertj.core.groups.Tuple.tuple("m4", ServiceBusMessageState.ACTIVE),
                        org.assertj.core.groups.Tuple.tuple("m5", ServiceBusMessageState.SCHEDULED));
    }

    @Test
    @DisplayName("PEEK-3: a peek continues after the last one, or starts at a given number")
    void peekGoesOn() {
        String queue = queueWith(5);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        assertThat(ids(receiver.peekMessages(2))).containsExactly("m1", "m2");
        assertThat(ids(receiver.peekMessages(2))).containsExactly("m3", "m4");
        long last = receiver.peekMessage().getSequenceNumber();
        assertThat(ids(receiver.peekMessages(2, numberBeside(last, 2)))).containsExactly("m2", "m3");
        assertThat(ids(receiver.peekMessages(10, last))).containsExactly("m5");
    }

    private static List<String> ids(Iterable<ServiceBusReceivedMessage> messages) {
        List<String> ids = new java.util.ArrayList<>();
        messages.forEach(m -> ids.add(m.getMessageId()));
        return ids;
    }

    @Test
    @DisplayName("PEEK-4: a peek of an empty queue returns no messages and no error")
    void emptyQueue() {
        ServiceBusReceiverClient receiver = sdk.receiver(broker.queue());
        assertThat(receiver.peekMessages(10)).isEmpty();
        assertThat(receiver.peekMessage()).isNull();
    }

    @Test
    @DisplayName("PEEK-7, PEEK-8: a peek ends before 256 KB, and repeated peeks show all messages")
    void peekEndsBeforeItGrowsTooLarge() {
        String queue = broker.queue();
        for (int i = 0; i < 10; i++) {
            sdk.send(queue, inOrder(new ServiceBusMessage(new byte[60 * 1024])));
        }
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        assertThat(receiver.peekMessages(10)).hasSize(4);
        assertThat(receiver.peekMessages(10)).hasSize(4);
        assertThat(receiver.peekMessages(10)).hasSize(2);
        assertThat(receiver.peekMessages(10)).isEmpty();
    }

    @Test
    @DisplayName("PEEK-2: dead-lettered messages are shown by the dead-letter queue only")
    void deadLetteredMessages() {
        String queue = queueWith(2);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        receiver.deadLetter(next(receiver));
        assertThat(ids(sdk.receiver(queue).peekMessages(10))).containsExactly("m2");
        assertThat(ids(sdk.deadLetterReceiver(queue).peekMessages(10))).containsExactly("m1");
    }
}
