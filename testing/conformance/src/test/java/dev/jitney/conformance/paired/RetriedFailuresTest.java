package dev.jitney.conformance.paired;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.paired.FailureClassifier;
import dev.jitney.paired.MessageSender;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.PathState;
import dev.jitney.paired.Syphon;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of failures that the SDK reports after its retries, in wrappers. */
@OrdinaryOnly("The queue of the throttled namespace is declared, and other tests cover partitioned entities")
class RetriedFailuresTest extends PairedTest {
    private static final int CREDITS = 3;

    /** Longer than the first connection takes on a busy machine: a slower first send would already be diverted. */
    private static final Duration TRY_TIMEOUT = Duration.ofSeconds(15);

    /** A throttled broker without new credits, because its clock does not move. */
    @RegisterExtension
    static final TestBroker throttled = TestBroker.configured("""
            {"UserConfig": {"Namespaces": [
              {"Name": "throttled", "Throttling": 3, "Queues": [{"Name": "q", "Properties": {}}]}
            ]}}
            """);

    private static AmqpRetryOptions retries(Duration tryTimeout) {
        return new AmqpRetryOptions()
                .setMode(AmqpRetryMode.FIXED)
                .setDelay(Duration.ofMillis(100))
                .setMaxRetries(1)
                .setTryTimeout(tryTimeout);
    }

    private MessagingFactory paired(TestBroker broker, int port, FailureClassifier classifier, Duration tryTimeout) {
        String connectionString =
                broker.lastingConnectionString().replace("localhost:" + broker.amqpPort(), "localhost:" + port);
        MessagingFactory factory =
                keep(factory(broker, connectionString).namespaceName(namespace).build());
        factory.pairNamespace(options(o -> o.classifier(classifier).primaryRetryOptions(retries(tryTimeout))));
        return factory;
    }

    @Test
    @DisplayName(
            "PAIR-9, THR-4: with SEED a throttled namespace is not failed over; the caller gets a busy error, and a"
                    + " syphon leaves its messages for later")
    void throttledBySeed() {
        MessagingFactory factory =
                paired(throttled, throttled.amqpPort(), FailureClassifier.SEED, Duration.ofSeconds(20));
        MessageSender sender = sender(factory, "q");
        int stored = 0;
        Throwable refusal = null;
        while (refusal == null && stored <= CREDITS) {
            refusal = catchThrowable(() -> sender.send(new ServiceBusMessage("m")));
            stored += refusal == null ? 1 : 0;
        }
        assertThat(refusal).as("the error after the last credit").isNotNull();
        assertThat(refusal).hasStackTraceContaining("50009");
        assertThat(factory.state("q")).isEqualTo(PathState.HEALTHY);
        assertThat(secondary.counts(backlogQueue(0)).total()).isZero();

        ServiceBusMessage parked = new ServiceBusMessage("parked");
        parked.getApplicationProperties().put("x-ms-path", "q");
        atSecondary.sender(backlogQueue(0)).sendMessage(parked);
        Syphon syphon = keep(Syphon.start(factory, options(o -> o)));
        Await.until("the message to be left", () -> syphon.figures().left() > 0);
        assertThat(secondary.counts(backlogQueue(0)).deadLetter()).isZero();
        assertThat(secondary.counts(backlogQueue(0)).active()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(FailureClassifier.class)
    @DisplayName(
            "PAIR-9, PAIR-10, PAIR-13, PAIR-37: with both classifiers an unreachable primary is failed over, also when"
                    + " the SDK has retried, and failed pings continue the diversion")
    void gone(FailureClassifier classifier) throws IOException {
        String queue = primary.queue();
        try (Relay relay = new Relay(primary.amqpPort())) {
            MessagingFactory factory = paired(primary, relay.port(), classifier, TRY_TIMEOUT);
            MessageSender sender = sender(factory, queue);
            sender.send(new ServiceBusMessage("before").setMessageId("before"));
            assertThat(factory.state(queue)).isEqualTo(PathState.HEALTHY);
            relay.close();
            sender.send(new ServiceBusMessage("diverted"));
            assertThat(factory.state(queue)).isEqualTo(PathState.FAILED_OVER);
            sender.send(new ServiceBusMessage("diverted too"));
        }
        ServiceBusReceiverClient backlog = atSecondary.receiver(backlogQueue(0));
        for (int i = 0; i < 2; i++) {
            ServiceBusReceivedMessage diverted = next(backlog);
            assertThat(diverted.getBody().toString()).startsWith("diverted");
            assertThat(diverted.getMessageId()).as("generated message id").isNotBlank();
        }
    }

    @ParameterizedTest
    @EnumSource(FailureClassifier.class)
    @DisplayName("PAIR-9, PAIR-10, PAIR-13: with both classifiers a primary that does not reply is failed over")
    void silent(FailureClassifier classifier) throws IOException {
        String queue = primary.queue();
        try (Relay relay = new Relay(primary.amqpPort())) {
            MessagingFactory factory = paired(primary, relay.port(), classifier, TRY_TIMEOUT);
            MessageSender sender = sender(factory, queue);
            sender.send(new ServiceBusMessage("before"));
            assertThat(factory.state(queue)).isEqualTo(PathState.HEALTHY);
            relay.holdBack();
            sender.send(new ServiceBusMessage("diverted"));
            assertThat(factory.state(queue)).isEqualTo(PathState.FAILED_OVER);
            assertThat(secondary.counts(backlogQueue(0)).active()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("PAIR-8: a paired primary has its own retry options, which detect silence in less time than"
            + " a try of the SDK; also for senders created before the pairing")
    void noticesSilenceSoon() throws IOException {
        String queue = primary.queue();
        try (Relay relay = new Relay(primary.amqpPort())) {
            String connectionString =
                    primary.connectionString().replace("localhost:" + primary.amqpPort(), "localhost:" + relay.port());
            MessagingFactory factory = keep(MessagingFactory.builder()
                    .connectionString(connectionString)
                    .namespaceName(namespace)
                    .build());
            MessageSender sender = sender(factory, queue);
            sender.send(new ServiceBusMessage("before the pairing"));
            factory.pairNamespace(options(o -> o));
            sender.send(new ServiceBusMessage("before the outage"));
            relay.holdBack();
            long begun = System.nanoTime();
            sender.send(new ServiceBusMessage("diverted"));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(60));
            assertThat(factory.state(queue)).isEqualTo(PathState.FAILED_OVER);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("PAIR-8: a primary that was silent, or refused connections, before the first send is detected as fast")
    void noticesSilenceFromTheStart(boolean silent) throws IOException {
        String queue = primary.queue();
        try (Relay relay = new Relay(primary.amqpPort())) {
            if (silent) {
                relay.holdBack();
            } else {
                relay.close();
            }
            String connectionString =
                    primary.connectionString().replace("localhost:" + primary.amqpPort(), "localhost:" + relay.port());
            MessagingFactory factory = keep(MessagingFactory.builder()
                    .connectionString(connectionString)
                    .namespaceName(namespace)
                    .build());
            factory.pairNamespace(options(o -> o));
            MessageSender sender = sender(factory, queue);
            long begun = System.nanoTime();
            sender.send(new ServiceBusMessage("diverted"));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(60));
            assertThat(factory.state(queue)).isEqualTo(PathState.FAILED_OVER);
        }
    }
}
