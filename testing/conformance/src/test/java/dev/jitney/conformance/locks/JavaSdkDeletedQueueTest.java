package dev.jitney.conformance.locks;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of clients that continue with a queue after it was deleted and created again. */
class JavaSdkDeletedQueueTest {
    private static final Duration LOCK = Duration.ofSeconds(5);

    @RegisterExtension
    static final TestBroker broker = TestBroker.frozen();

    private static void createAgain(String queue) {
        broker.delete(queue);
        broker.queue(queue, q -> q.lockDurationMs(LOCK.toMillis()));
    }

    /** Sends until a send succeeds, because sends may fail before the client has noticed the deletion. */
    private static void sendUntilTaken(ServiceBusSenderClient sender, String text) throws Exception {
        Await.until("a send", () -> {
            try {
                sender.sendMessage(new ServiceBusMessage(text));
                return true;
            } catch (ServiceBusException notYet) {
                return false;
            }
        });
    }

    @Test
    @DisplayName("Wire 9.3: after its queue was deleted and created again, a processor renews locks as before")
    void processorRenewsAgain() throws Exception {
        String queue = broker.queue(q -> q.lockDurationMs(LOCK.toMillis()));
        List<String> renewed = new CopyOnWriteArrayList<>();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        broker.advance(Duration.between(broker.now(), Instant.now())); // the client uses its own clock for renewals
        try (Sdk sdk = broker.sdk()) {
            ServiceBusProcessorClient processor = sdk.builder()
                    .processor()
                    .queueName(queue)
                    .maxAutoLockRenewDuration(Duration.ofMinutes(5))
                    .processMessage(context -> {
                        ServiceBusReceivedMessage message = context.getMessage();
                        try {
                            long calls = broker.meter(queue).calls();
                            Await.until("a renewal", () -> broker.meter(queue).calls() > calls);
                            renewed.add(message.getBody().toString());
                        } catch (Throwable e) {
                            failures.add(e);
                        }
                    })
                    .processError(context -> {})
                    .buildProcessorClient();
            ServiceBusSenderClient sender = sdk.sender(queue);
            processor.start();
            try {
                sender.sendMessage(new ServiceBusMessage("before"));
                Await.until("the first renewal", () -> renewed.contains("before"));
                createAgain(queue);
                sendUntilTaken(sender, "after");
                Await.until("a renewal in the new queue", () -> renewed.contains("after") || !failures.isEmpty());
            } finally {
                processor.close();
            }
        }
        assertThat(failures).isEmpty();
        assertThat(renewed).contains("before", "after");
    }

    @Test
    @DisplayName("Wire 9.3: a client that has peeked and sent continues with the new queue")
    void peeksAndSendsAgain() throws Exception {
        String queue = broker.queue();
        try (Sdk sdk = broker.sdk()) {
            ServiceBusReceiverClient receiver = sdk.receiver(queue);
            ServiceBusSenderClient sender = sdk.sender(queue);
            sender.sendMessage(new ServiceBusMessage("before"));
            assertThat(receiver.peekMessage().getBody().toString()).isEqualTo("before");
            createAgain(queue);
            sendUntilTaken(sender, "after");
            Await.until("a peek of the new queue", () -> {
                try {
                    ServiceBusReceivedMessage peeked = receiver.peekMessage(0);
                    return peeked != null && peeked.getBody().toString().equals("after");
                } catch (RuntimeException notYet) {
                    return false;
                }
            });
        }
    }
}
