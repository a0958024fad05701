package dev.jitney.conformance.paired;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.EntityStatus;
import dev.jitney.paired.MessageSender;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.MessagingFactoryBuilder;
import dev.jitney.paired.PathState;
import dev.jitney.paired.SendAvailabilityPairedNamespaceOptions;
import dev.jitney.server.config.PartitioningDefault;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A base class with two brokers and the library between them. A queue or topic of the primary becomes unavailable by
 * being disabled, which the classifier SEED treats as unavailable (PAIR-9).
 */
abstract class PairedTest {
    @RegisterExtension
    static final TestBroker primary = TestBroker.ticking();

    /** The secondary, which partitions entities unless a description says otherwise (PAIR-24). */
    @RegisterExtension
    static final TestBroker secondary = TestBroker.ticking(b -> b.partitioningDefault(PartitioningDefault.ON));

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** The name that the backlog queues of this test contain. */
    String namespace = "";

    Sdk atPrimary;
    Sdk atSecondary;

    @BeforeEach
    final void begin() {
        namespace = TestBroker.name("contoso");
        atPrimary = keep(primary.sdk());
        atSecondary = keep(secondary.sdk());
    }

    @AfterEach
    final void end() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    /** Closes a resource after the test. Resources are closed in reverse order. */
    final <T extends AutoCloseable> T keep(T resource) {
        open.push(resource);
        return resource;
    }

    final String backlogQueue(int index) {
        return namespace + "/x-servicebus-transfer/" + index;
    }

    static MessagingFactoryBuilder factory(TestBroker broker) {
        return factory(broker, broker.connectionString());
    }

    static MessagingFactoryBuilder factory(TestBroker broker, String connectionString) {
        return MessagingFactory.builder()
                .connectionString(connectionString)
                .administrationEndpoint("http://localhost:" + broker.httpPort())
                .retryOptions(new AmqpRetryOptions()
                        .setMode(AmqpRetryMode.FIXED)
                        .setDelay(Duration.ofMillis(100))
                        .setMaxRetries(0)
                        .setTryTimeout(Duration.ofSeconds(30)));
    }

    /** Returns a paired primary. It fails over at the first failure and pings every second. */
    final MessagingFactory paired(UnaryOperator<SendAvailabilityPairedNamespaceOptions.Builder> options) {
        MessagingFactory factory = unpaired();
        factory.pairNamespace(options(options));
        return factory;
    }

    final MessagingFactory unpaired() {
        return keep(factory(primary).namespaceName(namespace).build());
    }

    /** Returns options with a separate factory for the secondary. */
    final SendAvailabilityPairedNamespaceOptions options(
            UnaryOperator<SendAvailabilityPairedNamespaceOptions.Builder> options) {
        return options.apply(SendAvailabilityPairedNamespaceOptions.builder(
                                keep(factory(secondary).build()))
                        .backlogQueueCount(1)
                        .failoverInterval(Duration.ZERO)
                        .pingPrimaryInterval(Duration.ofSeconds(1)))
                .build();
    }

    static void disable(String queue) {
        primary.status(queue, EntityStatus.DISABLED);
    }

    static void enable(String queue) {
        primary.status(queue, EntityStatus.ACTIVE);
    }

    /** Waits until a ping has arrived. */
    static void awaitHealthy(MessagingFactory factory, String path) {
        Await.until(path + " to be healthy", () -> factory.state(path) == PathState.HEALTHY);
    }

    static MessageSender sender(MessagingFactory factory, String path) {
        return factory.createMessageSender(path);
    }
}
