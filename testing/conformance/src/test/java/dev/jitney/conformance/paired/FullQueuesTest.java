package dev.jitney.conformance.paired;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.EntityStatus;
import dev.jitney.paired.MessageSender;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.PathState;
import dev.jitney.paired.SendAvailabilityPairedNamespaceOptions;
import dev.jitney.paired.Syphon;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of full queues, with queues of one megabyte. */
@OrdinaryOnly("PART-18: each of the 16 fragments has the requested size of the whole queue")
class FullQueuesTest extends PairedTest {
    @RegisterExtension
    static final TestBroker small = TestBroker.configuredTicking("""
            {"UserConfig": {"Namespaces": [{"Name": "small", "Limits": {"maxQueueSizeInMegabytes": 2}}]}}
            """);

    @Test
    @DisplayName("PAIR-29, PAIR-16: a full backlog queue leaves the rotation, and the message goes to another one")
    void full() {
        IntStream.range(0, 3).forEach(i -> small.queue(backlogQueue(i), q -> q.maxSizeInMegabytes(1)));
        MessagingFactory factory = unpaired();
        factory.pairNamespace(SendAvailabilityPairedNamespaceOptions.builder(
                        keep(factory(small).build()))
                .backlogQueueCount(3)
                .failoverInterval(Duration.ZERO)
                .build());
        String queue = primary.queue();
        disable(queue);
        MessageSender sender = sender(factory, queue);
        ServiceBusMessage large = new ServiceBusMessage(new byte[100 * 1024]);
        for (int i = 0; i < 25; i++) {
            sender.send(large);
        }
        assertThat(IntStream.range(0, 3)
                        .map(i -> (int) small.counts(backlogQueue(i)).total()))
                .as("messages of 100 KB in queues of 1 MB")
                .allMatch(count -> count >= 3 && count <= 11);
        assertThat(factory.backlogQueueCount()).isEqualTo(3);
        assertThat(factory.state(queue)).isEqualTo(PathState.FAILED_OVER);
    }

    @Test
    @DisplayName(
            "PAIR-44, PAIR-47: delivery to a full destination is retried later, and other destinations do not wait for it")
    void fullDestination() {
        String full = small.queue(q -> q.maxSizeInMegabytes(1));
        String other = small.queue();
        MessagingFactory factory = keep(factory(small).namespaceName(namespace).build());
        factory.pairNamespace(options(o -> o));
        small.status(full, EntityStatus.DISABLED);
        small.status(other, EntityStatus.DISABLED);
        MessageSender toFull = sender(factory, full);
        for (int i = 0; i < 13; i++) {
            toFull.send(new ServiceBusMessage(new byte[100 * 1024]).setMessageId("m" + i));
        }
        sender(factory, other).send(new ServiceBusMessage("gets through"));
        small.status(full, EntityStatus.ACTIVE);
        small.status(other, EntityStatus.ACTIVE);
        Syphon syphon = keep(Syphon.start(factory, options(o -> o)));
        Sdk atSmall = keep(small.sdk());
        next(atSmall.receiver(other));
        Await.until("messages that the syphon left", () -> syphon.figures().left() > 0);
        assertThat(secondary.counts(backlogQueue(0)).deadLetter()).isZero();

        Set<String> ids = new HashSet<>();
        ServiceBusReceiverClient receiver = atSmall.receiver(full);
        while (ids.size() < 13) {
            ServiceBusReceivedMessage message = next(receiver);
            assertThat(ids.add(message.getMessageId())).isTrue();
            receiver.complete(message);
        }
        Await.until("an empty backlog", () -> secondary.counts(backlogQueue(0)).total() == 0);
    }
}
