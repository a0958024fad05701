package dev.jitney.conformance.locks;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The client's own timer renews, so this one runs in real time, with the shortest lock there is. */
class JavaSdkLockRenewalTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.ticking();

    @Test
    @DisplayName("LOCK-5: a processor renews the lock while its handler works, so that nothing is counted")
    void processorRenews() throws Exception {
        String queue = broker.queue(q -> q.lockDurationMs(5_000));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (Sdk sdk = broker.sdk()) {
            sdk.send(queue, "long work");
            ServiceBusProcessorClient processor = sdk.builder()
                    .processor()
                    .queueName(queue)
                    .processMessage(context -> {
                        ServiceBusReceivedMessage message = context.getMessage();
                        try {
                            Await.until(
                                    "the first lock's end",
                                    () -> broker.now()
                                            .isAfter(message.getEnqueuedTime()
                                                    .toInstant()
                                                    .plusSeconds(6)));
                            assertThat(broker.counts(queue).locked()).isEqualTo(1);
                            assertThat(message.getDeliveryCount()).isZero();
                        } catch (Throwable e) {
                            failure.set(e);
                        }
                    })
                    .processError(context -> failure.set(context.getException()))
                    .buildProcessorClient();
            processor.start();
            try {
                Await.until(
                        "completion",
                        Duration.ofSeconds(30),
                        () -> broker.counts(queue).total() == 0);
            } finally {
                processor.close();
            }
        }
        assertThat(failure.get()).isNull();
    }
}
