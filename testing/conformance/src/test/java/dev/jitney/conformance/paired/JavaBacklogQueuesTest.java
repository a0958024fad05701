package dev.jitney.conformance.paired;

import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.EntityStatus;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.PathState;
import dev.jitney.paired.SendAvailabilityPairedNamespaceOptions;
import dev.jitney.paired.Syphon;
import dev.jitney.samples.PlainHttpPolicy;
import dev.jitney.testing.amqp.SasToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests of backlog queues, which the official administration client reads. */
class JavaBacklogQueuesTest extends PairedTest {
    private static final long FAR_FUTURE_SECONDS = 4_000_000_000L;
    private static final Duration MAX = Duration.parse("P10675199DT2H48M5.4775807S");

    private static ServiceBusAdministrationClient administration() {
        return new ServiceBusAdministrationClientBuilder()
                .connectionString(secondary.connectionString())
                .addPolicy(new PlainHttpPolicy(secondary.httpPort()))
                .buildClient();
    }

    /** Creates a queue whose description does not mention partitioning, unlike those of the SDK. */
    private static String unsaid() throws IOException, InterruptedException {
        String name = TestBroker.name("unsaid");
        String origin = "http://localhost:" + secondary.httpPort();
        HttpRequest request = HttpRequest.newBuilder(URI.create(origin + "/" + name + "?api-version=2021-05"))
                .header("Authorization", SasToken.create(origin, TestBroker.RULE, TestBroker.KEY, FAR_FUTURE_SECONDS))
                .header("Content-Type", "application/atom+xml")
                .PUT(BodyPublishers.ofString(
                        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
                                + "<QueueDescription xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\"/>"
                                + "</content></entry>"))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return name;
    }

    @Test
    @DisplayName("PAIR-23, PAIR-24: ten backlog queues with exactly the properties of the table, the rest defaults, not"
            + " partitioned even where that is the default")
    void asInTheTable() throws Exception {
        MessagingFactory factory = paired(o -> o.backlogQueueCount(10));
        assertThat(factory.backlogQueueCount()).isEqualTo(10);
        ServiceBusAdministrationClient administration = administration();
        QueueProperties plain = administration.createQueue(
                TestBroker.name("plain"), new CreateQueueOptions().setPartitioningEnabled(false));
        assertThat(administration.getQueue(unsaid()).isPartitioningEnabled())
                .as("partitioning of a queue that does not specify it")
                .isTrue();
        for (int i = 0; i < 10; i++) {
            QueueProperties queue = administration.getQueue(backlogQueue(i));
            assertThat(queue.getMaxSizeInMegabytes()).isEqualTo(5120);
            assertThat(queue.getMaxDeliveryCount()).isEqualTo(Integer.MAX_VALUE);
            assertThat(queue.getDefaultMessageTimeToLive()).isEqualTo(MAX);
            assertThat(queue.getAutoDeleteOnIdle()).isEqualTo(MAX);
            assertThat(queue.getLockDuration()).isEqualTo(Duration.ofMinutes(1));
            assertThat(queue.isDeadLetteringOnMessageExpiration()).isTrue();
            assertThat(queue.isBatchedOperationsEnabled()).isTrue();
            assertThat(queue.isPartitioningEnabled()).isFalse();

            assertThat(queue.isDuplicateDetectionRequired()).isEqualTo(plain.isDuplicateDetectionRequired());
            assertThat(queue.getDuplicateDetectionHistoryTimeWindow())
                    .isEqualTo(plain.getDuplicateDetectionHistoryTimeWindow());
            assertThat(queue.isSessionRequired()).isEqualTo(plain.isSessionRequired());
            assertThat(queue.getForwardTo()).isNull();
            assertThat(queue.getForwardDeadLetteredMessagesTo()).isNull();
            assertThat(queue.getMaxMessageSizeInKilobytes()).isEqualTo(plain.getMaxMessageSizeInKilobytes());
            assertThat(queue.getStatus()).isEqualTo(EntityStatus.ACTIVE);
            assertThat(queue.getUserMetadata()).isEqualTo(plain.getUserMetadata());
            assertThat(queue.getAuthorizationRules()).isEmpty();
        }
        assertThat(administration.getQueueExists(backlogQueue(10))).isFalse();
    }

    @Test
    @DisplayName("PAIR-23: the first label of the primary's host names the backlog queues")
    void namedByTheHost() {
        MessagingFactory factory = keep(factory(primary).build());
        factory.pairNamespace(options(o -> o));
        assertThat(secondary.has("localhost/x-servicebus-transfer/0")).isTrue();
    }

    @Test
    @DisplayName("PAIR-25: two applications that pair at once create each queue once")
    void created() {
        List<CompletableFuture<Void>> pairings = Stream.generate(this::unpaired)
                .limit(2)
                .map(factory -> factory.pairNamespaceAsync(options(o -> o.backlogQueueCount(10)))
                        .toCompletableFuture())
                .toList();
        pairings.forEach(CompletableFuture::join);
        assertThat(IntStream.range(0, 10)).allMatch(i -> secondary.has(backlogQueue(i)));
    }

    @Test
    @DisplayName("PAIR-25, PAIR-28: a queue that exists is used as it is, and a syphon empties it")
    void usedAsItIs() {
        secondary.queue(
                backlogQueue(0),
                q -> q.lockDurationMs(30_000).maxDeliveryCount(7).userMetadata("mine"));
        MessagingFactory factory = paired(o -> o.enableSyphon(true));
        assertThat(secondary.description(backlogQueue(0)).lockDurationMs()).isEqualTo(30_000);
        assertThat(secondary.description(backlogQueue(0)).maxDeliveryCount()).isEqualTo(7);
        assertThat(secondary.description(backlogQueue(0)).userMetadata()).isEqualTo("mine");

        String queue = primary.queue();
        disable(queue);
        sender(factory, queue).send(new ServiceBusMessage("home"));
        enable(queue);
        assertThat(next(atPrimary.receiver(queue)).getBody()).hasToString("home");
    }

    @Test
    @DisplayName(
            "PAIR-26, PAIR-27: queues beyond the count remain and get no messages; no queue is deleted when the count is"
                    + " lowered or the pairing ends")
    void surplus() {
        secondary.queue(backlogQueue(7), q -> q);
        MessagingFactory factory = paired(o -> o.backlogQueueCount(5));
        assertThat(factory.backlogQueueCount()).isEqualTo(5);
        String queue = primary.queue();
        disable(queue);
        for (int i = 0; i < 20; i++) {
            sender(factory, queue).send(new ServiceBusMessage("diverted"));
        }
        assertThat(secondary.counts(backlogQueue(7)).total()).isZero();
        assertThat(IntStream.range(0, 5)
                        .mapToLong(i -> secondary.counts(backlogQueue(i)).total())
                        .sum())
                .isEqualTo(20);
        factory.close();

        MessagingFactory fewer = paired(o -> o.backlogQueueCount(2));
        assertThat(fewer.backlogQueueCount()).isEqualTo(2);
        fewer.close();
        assertThat(IntStream.of(0, 1, 2, 3, 4, 7)).allMatch(i -> secondary.has(backlogQueue(i)));
        assertThat(IntStream.of(5, 6, 8)).noneMatch(i -> secondary.has(backlogQueue(i)));
    }

    @Test
    @DisplayName("PAIR-5: without the right to manage the secondary pairing fails at once")
    void withoutTheRight() {
        secondary.accessRules(List.of(
                AccessRule.root(TestBroker.KEY),
                new AccessRule("sends", Set.of(AccessRight.SEND, AccessRight.LISTEN), "key", null)));
        String connectionString = "Endpoint=sb://localhost:" + secondary.amqpPort()
                + ";SharedAccessKeyName=sends;SharedAccessKey=key;UseDevelopmentEmulator=true";
        MessagingFactory other = keep(factory(secondary, connectionString).build());
        MessagingFactory factory = unpaired();
        assertThatThrownBy(() -> factory.pairNamespace(
                        SendAvailabilityPairedNamespaceOptions.builder(other).build()))
                .isInstanceOf(ClientAuthenticationException.class);
        factory.pairNamespace(options(o -> o));
        assertThat(factory.backlogQueueCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("PAIR-4: a connection string with a ready-made signature pairs as well")
    void withSignature() {
        MessagingFactory other =
                keep(factory(secondary, secondary.lastingConnectionString()).build());
        MessagingFactory factory = unpaired();
        factory.pairNamespace(SendAvailabilityPairedNamespaceOptions.builder(other)
                .backlogQueueCount(1)
                .build());
        assertThat(secondary.has(backlogQueue(0))).isTrue();
    }

    @Test
    @DisplayName(
            "PAIR-45: a message that was not sent by a pairing is dead-lettered in its backlog queue, with the reason")
    void foreignMessage() {
        MessagingFactory factory = unpaired();
        SendAvailabilityPairedNamespaceOptions options = options(o -> o);
        secondary.queue(backlogQueue(0), q -> q);
        atSecondary.send(backlogQueue(0), "foreign");
        keep(Syphon.start(factory, options));
        ServiceBusReceivedMessage dead = next(atSecondary.deadLetterReceiver(backlogQueue(0)));
        assertThat(dead.getDeadLetterReason()).isEqualTo("NotADivertedMessage");
        assertThat(dead.getDeadLetterErrorDescription()).contains("x-ms-path");
    }

    @Test
    @DisplayName("PAIR-60: a receiver of a queue that is failed over gets the primary's error")
    void receivers() {
        MessagingFactory factory = paired(o -> o);
        String queue = primary.queue();
        disable(queue);
        sender(factory, queue).send(new ServiceBusMessage("diverted"));
        assertThatThrownBy(() ->
                        atPrimary.receiver(queue).receiveMessages(1).stream().count())
                .isInstanceOf(RuntimeException.class);
        assertThat(factory.state(queue)).isEqualTo(PathState.FAILED_OVER);
    }
}
