package dev.jitney.testkit.junit;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusErrorContext;
import com.azure.messaging.servicebus.ServiceBusProcessorClient;
import com.azure.messaging.servicebus.ServiceBusReceivedMessageContext;
import dev.jitney.testkit.Jitney;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test of an application, as its authors write it. */
@Timeout(60)
class OrdersTest {
    @RegisterExtension
    static final JitneyExtension jitney = JitneyExtension.broker()
            .queue("orders", q -> q.lockDuration(ofSeconds(30)).maxDeliveryCount(3))
            .topic("drinks", t -> t.subscription("large", s -> s.sql("cups > 2", "SET priority = 'high'")))
            .namespacePerTest();

    @Test
    @DisplayName("An application that never settles gets the message until it is dead-lettered")
    void retriesThreeTimesThenDeadLetters(Jitney broker) throws InterruptedException {
        try (App app = new App(broker.connectionString())) {
            broker.queue("orders").send("{\"id\":7}", m -> m.property("customer", "c2"));
            for (int delivery = 1; delivery <= 3; delivery++) {
                app.awaitDelivery(delivery);
                broker.clock().advance(ofMinutes(5));
            }
            broker.awaitIdle();

            assertThat(broker.queue("orders").deadLetters()).singleElement().satisfies(d -> {
                assertThat(d.reason()).isEqualTo("MaxDeliveryCountExceeded");
                assertThat(d.properties()).containsEntry("customer", "c2");
            });
            broker.faults().loseLocks("orders");
        }
    }

    /** An application that receives and never settles. */
    private static final class App implements AutoCloseable {
        private final CountDownLatch[] deliveries = {new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1)
        };
        private final ServiceBusProcessorClient processor;

        App(String connectionString) {
            processor = new ServiceBusClientBuilder()
                    .connectionString(connectionString)
                    .processor()
                    .queueName("orders")
                    .disableAutoComplete()
                    .maxAutoLockRenewDuration(Duration.ZERO)
                    .maxConcurrentCalls(1)
                    .processMessage(this::process)
                    .processError(App::ignore)
                    .buildProcessorClient();
            processor.start();
        }

        private void process(ServiceBusReceivedMessageContext context) {
            deliveries[(int) context.getMessage().getDeliveryCount()].countDown();
        }

        private static void ignore(ServiceBusErrorContext context) {
            // The application of this test has no log.
        }

        void awaitDelivery(int number) throws InterruptedException {
            assertThat(deliveries[number - 1].await(20, TimeUnit.SECONDS))
                    .as("delivery " + number)
                    .isTrue();
        }

        @Override
        public void close() {
            processor.close();
        }
    }
}
