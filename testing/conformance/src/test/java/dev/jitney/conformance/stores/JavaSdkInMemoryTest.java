package dev.jitney.conformance.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.Namespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A broker that keeps everything in memory, with clients of the official SDK")
@OrdinaryOnly("A partitioned queue uses the memory of several stores, and this test fills one")
class JavaSdkInMemoryTest {
    private static final long STORE_BYTES = 2 << 20;

    @RegisterExtension
    static final TestBroker broker = TestBroker.ticking(
            b -> b.dataDir(null).inMemoryBytes(2 * STORE_BYTES).stores(2));

    private final Sdk sdk = broker.sdk();

    @AfterEach
    void close() throws Exception {
        sdk.close();
    }

    @Test
    @DisplayName("Messages wait, expire into the dead-letter queue and are completed")
    void lifeOfAMessage() {
        String queue = broker.queue(q -> q.deadLetteringOnMessageExpiration(true));
        sdk.send(queue, "kept");
        sdk.send(queue, new ServiceBusMessage("expired").setTimeToLive(Duration.ofSeconds(20)));
        broker.advance(Duration.ofMinutes(1));
        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        ServiceBusReceivedMessage kept = Sdk.next(receiver);
        assertThat(kept.getBody().toString()).isEqualTo("kept");
        receiver.complete(kept);
        assertThat(Sdk.next(sdk.deadLetterReceiver(queue)).getBody().toString()).isEqualTo("expired");
        Await.until("only the dead letter", () -> broker.counts(queue).active() == 0);
    }

    @Test
    @DisplayName("A store that is stopped and started again still has its messages")
    void stoppedAndStarted() {
        String queue = broker.queue();
        sdk.send(queue, "before");
        broker.stopStore(0);
        broker.stopStore(1);
        assertThat(broker.trouble()).contains("stopped by an administrator");
        broker.startStore(0);
        broker.startStore(1);
        assertThat(broker.trouble()).isNull();
        sdk.send(queue, "after");
        ServiceBusReceiverClient receiver = sdk.deletingReceiver(queue);
        assertThat(Sdk.next(receiver).getBody().toString()).isEqualTo("before");
        assertThat(Sdk.next(receiver).getBody().toString()).isEqualTo("after");
    }

    @Test
    @DisplayName("At the limit of the memory, sends are refused as on a full disk, and receivers make room")
    void limit() {
        String queue = broker.queue();
        ServiceBusSenderClient sender = sdk.sender(queue);
        byte[] body = new byte[100_000];
        List<Integer> sent = new ArrayList<>();
        assertThatThrownBy(() -> {
                    while (sent.size() < 100) {
                        sender.sendMessage(new ServiceBusMessage(body));
                        sent.add(sent.size());
                    }
                })
                .isInstanceOfSatisfying(ServiceBusException.class, e -> {
                    assertThat(e.getReason()).isEqualTo(ServiceBusFailureReason.QUOTA_EXCEEDED);
                    assertThat(e.getCause())
                            .isInstanceOfSatisfying(
                                    AmqpException.class,
                                    cause -> assertThat(cause.getErrorCondition())
                                            .isEqualTo(AmqpErrorCondition.RESOURCE_LIMIT_EXCEEDED));
                })
                .hasMessageContaining("The messaging store is full.");
        assertThat(sent)
                .hasSizeBetween((int) (STORE_BYTES * 8 / 10) / body.length, (int) STORE_BYTES / body.length + 1);
        assertThat(broker.trouble()).matches("The memory of messaging store [01] is full\\. Jitney refuses sends\\.");

        ServiceBusReceiverClient receiver = sdk.receiver(queue);
        for (int i = 0; i < 3; i++) {
            receiver.complete(Sdk.next(receiver));
        }
        assertThat(broker.trouble()).isNull();
        sender.sendMessage(new ServiceBusMessage(body));
        for (int i = 3; i <= sent.size(); i++) {
            receiver.complete(Sdk.next(receiver));
        }
        assertThat(broker.counts(queue).total()).isZero();
    }

    @Test
    @DisplayName("A hundred namespaces are made and dropped again, and leave no bytes behind")
    void manyNamespaces() {
        Broker all = broker.server().broker();
        long before = usedBytes();
        int room = Broker.NAMESPACES_MAX - all.namespaces().size();
        List<CompletableFuture<Namespace>> made = new ArrayList<>();
        for (int i = 0; i < room; i++) {
            AccessRule own = new AccessRule("test-" + i, EnumSet.allOf(AccessRight.class), "key-of-test-" + i, null);
            made.add(all.createNamespace("test-" + i, TierProfile.STANDARD, List.of(own))
                    .toCompletableFuture());
        }
        for (CompletableFuture<Namespace> namespace : made) {
            namespace
                    .join()
                    .createQueue(QueueDescription.named("orders").build())
                    .toCompletableFuture()
                    .join();
        }
        assertThat(usedBytes()).isGreaterThan(before);
        for (int i = 0; i < room; i++) {
            all.deleteNamespace("test-" + i).toCompletableFuture().join();
        }
        Await.until("the namespaces are gone", () -> all.leavingNamespaces().isEmpty());
        assertThat(usedBytes()).isLessThan(before + 100 * room);
    }

    private static long usedBytes() {
        return broker.server().broker().shards().stream()
                .mapToLong(shard -> shard.disk().tableBytes())
                .sum();
    }

    @Test
    @DisplayName("The data directory of the test stays empty")
    void noFile() throws Exception {
        sdk.send(broker.queue(), "in memory");
        try (Stream<Path> files = Files.list(broker.dataDir())) {
            assertThat(files).isEmpty();
        }
    }
}
