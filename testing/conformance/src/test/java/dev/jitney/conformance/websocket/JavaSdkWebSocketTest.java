package dev.jitney.conformance.websocket;

import static dev.jitney.conformance.support.PartitionedRun.inOrder;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.OverWebSocket;
import dev.jitney.conformance.support.SdkTest;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@OverWebSocket
class JavaSdkWebSocketTest extends SdkTest {

    @Test
    @DisplayName("Wire 1.4: messages of 200 KB pass in both directions in frames of 4,096 bytes")
    void largeMessages() {
        String queue = broker.queue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        for (int i = 0; i < 10; i++) {
            byte[] body = new byte[200 * 1024 + i];
            new Random(i).nextBytes(body);
            sender.sendMessage(new ServiceBusMessage(BinaryData.fromBytes(body)));
            ServiceBusReceivedMessage received = next(receiver);
            assertThat(received.getBody().toBytes()).isEqualTo(body);
            receiver.complete(received);
        }
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("1,000 messages are sent and received, each once")
    void manyMessages() {
        String queue = broker.queue();
        int total = 1_000;
        ServiceBusSenderClient sender = sdk.sender(queue);
        List<ServiceBusMessage> messages = IntStream.range(0, total)
                .mapToObj(i -> new ServiceBusMessage("body " + i).setMessageId("m" + i))
                .toList();
        for (int from = 0; from < total; from += 100) {
            sender.sendMessages(messages.subList(from, from + 100));
        }
        assertThat(broker.counts(queue).active()).isEqualTo(total);

        Set<String> received = ConcurrentHashMap.newKeySet();
        ServiceBusProcessorClient processor = sdk.keep(sdk.builder()
                .processor()
                .queueName(queue)
                .maxConcurrentCalls(8)
                .prefetchCount(100)
                .maxAutoLockRenewDuration(Duration.ZERO)
                .processMessage(context -> received.add(context.getMessage().getMessageId()))
                .processError(error -> {})
                .buildProcessorClient());
        processor.start();
        Await.until(
                "all messages to be completed",
                Duration.ofSeconds(60),
                () -> broker.counts(queue).total() == 0);
        assertThat(received).hasSize(total);
    }

    @Test
    @DisplayName("Wire 88: after a restart of the server the same clients connect again and continue")
    void restart() {
        String queue = broker.queue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        sender.sendMessage(inOrder("before").setMessageId("before"));
        receiver.complete(next(receiver));
        sender.sendMessage(inOrder("kept").setMessageId("kept"));

        broker.restart();

        Await.until("the sender to be connected again", Duration.ofSeconds(60), () -> {
            sender.sendMessage(inOrder("after").setMessageId("after"));
            return true;
        });
        ServiceBusReceivedMessage kept = next(receiver);
        assertThat(kept.getMessageId()).isEqualTo("kept");
        receiver.complete(kept);
        assertThat(next(receiver).getMessageId()).isEqualTo("after");
    }
}
