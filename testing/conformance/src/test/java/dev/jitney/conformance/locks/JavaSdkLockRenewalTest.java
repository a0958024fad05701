package dev.jitney.conformance.locks;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests of the client's renewal timer, which uses the machine's clock. Only the test moves the broker's clock, so that
 * no lock ends because the machine is busy.
 */
class JavaSdkLockRenewalTest {
    private static final Duration LOCK = Duration.ofSeconds(5);

    @RegisterExtension
    static final TestBroker broker = TestBroker.frozen();

    @Test
    @DisplayName("LOCK-5: a processor renews the lock while its handler works, so that nothing is counted")
    void processorRenews() throws Exception {
        String queue = broker.queue(q -> q.lockDurationMs(LOCK.toMillis()));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        // The client uses its own clock to detect that a lock is about to end.
        broker.advance(Duration.between(broker.now(), Instant.now()));
        try (Sdk sdk = broker.sdk()) {
            sdk.send(queue, "long work");
            ServiceBusProcessorClient processor = sdk.builder()
                    .processor()
                    .queueName(queue)
                    .processMessage(context -> {
                        ServiceBusReceivedMessage message = context.getMessage();
                        Instant end = message.getEnqueuedTime().toInstant().plus(LOCK);
                        try {
                            while (!broker.now().isAfter(end)) {
                                long calls = broker.meter(queue).calls();
                                Await.until(
                                        "a renewal", () -> broker.meter(queue).calls() > calls);
                                broker.advance(LOCK.minusSeconds(1));
                            }
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
                Await.until("completion", () -> broker.counts(queue).total() == 0);
            } finally {
                processor.close();
            }
        }
        assertThat(failure.get()).isNull();
    }
}
