package dev.jitney.paired;

import static dev.jitney.paired.Pair.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import dev.jitney.paired.internal.message.DivertedMessages;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class PairingTest {
    private final Pair pair = new Pair();

    private CompletableFuture<Void> pairing(int count) {
        return pair.primary
                .pairNamespaceAsync(pair.options(options -> options.backlogQueueCount(count)))
                .toCompletableFuture();
    }

    @Test
    @DisplayName("PAIR-1, PAIR-23: pairing creates the configured number of backlog queues, named after the primary")
    void createsBacklogQueues() {
        pair.primary.pairNamespace(pair.options(options -> options));

        assertThat(pair.fabrikam.queues()).hasSize(10);
        for (int index = 0; index < 10; index++) {
            assertThat(pair.fabrikam.queue("contoso/x-servicebus-transfer/" + index))
                    .isNotNull();
        }
        assertThat(pair.primary.backlogQueueCount()).isEqualTo(10);
        assertThat(pair.contoso.calls()).as("no calls to the primary").isEmpty();
    }

    @Test
    @DisplayName("PAIR-23, PAIR-24: each is created with the properties of 18.3, and explicitly without partitions")
    void createsWithTheRightProperties() {
        pairing(1);

        CreateQueueOptions created = pair.fabrikam.queue("contoso/x-servicebus-transfer/0").description;
        CreateQueueOptions defaults = new CreateQueueOptions();
        assertThat(created.getMaxSizeInMegabytes()).isEqualTo(5120);
        assertThat(created.getMaxDeliveryCount()).isEqualTo(Integer.MAX_VALUE);
        assertThat(created.getDefaultMessageTimeToLive()).isEqualTo(DivertedMessages.FOR_EVER);
        assertThat(created.getAutoDeleteOnIdle()).isEqualTo(DivertedMessages.FOR_EVER);
        assertThat(created.getLockDuration()).isEqualTo(Duration.ofMinutes(1));
        assertThat(created.isDeadLetteringOnMessageExpiration()).isTrue();
        assertThat(created.isBatchedOperationsEnabled()).isTrue();
        assertThat(created.isPartitioningEnabled()).isFalse();
        assertThat(created)
                .usingRecursiveComparison()
                .ignoringFields(
                        "maxSizeInMegabytes",
                        "maxDeliveryCount",
                        "defaultMessageTimeToLive",
                        "autoDeleteOnIdle",
                        "lockDuration",
                        "deadLetteringOnMessageExpiration",
                        "enableBatchedOperations",
                        "enablePartitioning")
                .isEqualTo(defaults);
    }

    @Test
    @DisplayName("PAIR-25: a queue is created only if the lookup does not find it")
    void createsWhatIsMissingOnly() {
        pair.fabrikam.with("contoso/x-servicebus-transfer/1");

        pairing(3);

        assertThat(pair.fabrikam.count("exists contoso/x-servicebus-transfer/1"))
                .isEqualTo(1);
        assertThat(pair.fabrikam.count("create contoso/x-servicebus-transfer/1"))
                .isZero();
        assertThat(pair.fabrikam.count("create contoso/x-servicebus-transfer/0"))
                .isEqualTo(1);
        assertThat(pair.primary.backlogQueueCount()).isEqualTo(3);
    }

    @Test
    @DisplayName("PAIR-25: two clients may pair at once")
    void sharesQueuesWithAnotherClient() {
        MessagingFactory other = pair.factory(pair.contoso, new Random());
        MessagingFactory othersSecondary = pair.factory(pair.fabrikam, new Random());
        pair.fabrikam.hold("exists contoso/x-servicebus-transfer/0");
        CompletableFuture<Void> first = pairing(1);
        CompletableFuture<Void> second = other.pairNamespaceAsync(
                        SendAvailabilityPairedNamespaceOptions.builder(othersSecondary)
                                .backlogQueueCount(1)
                                .build())
                .toCompletableFuture();

        pair.fabrikam.release("exists contoso/x-servicebus-transfer/0", null);

        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(other.backlogQueueCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("PAIR-26, PAIR-27: with a lower number, surplus queues are neither used nor deleted")
    void leavesSurplusQueues() {
        FakeQueue surplus = pair.fabrikam.with("contoso/x-servicebus-transfer/7");
        pair.primary.pairNamespace(
                pair.options(options -> options.backlogQueueCount(5).failoverInterval(Duration.ZERO)));
        pair.contoso.fail(SdkErrors::communication);

        for (int i = 0; i < 200; i++) {
            MessageSender sender = pair.primary.createMessageSender("orders");
            sender.send(Pair.message("m"));
            sender.close();
        }

        assertThat(pair.backlog()).hasSize(200);
        assertThat(surplus.messages).isEmpty();
        pair.close();
        assertThat(pair.fabrikam.queue(surplus.path)).isSameAs(surplus);
        assertThat(pair.fabrikam.queues()).hasSize(6);
        assertThat(pair.fabrikam.calls()).noneMatch(call -> call.contains("delete"));
    }

    @Test
    @DisplayName("PAIR-28: a queue of that name with other properties is used unchanged")
    void usesAQueueAsItIs() {
        FakeQueue own = pair.fabrikam.with("contoso/x-servicebus-transfer/0", Duration.ofSeconds(30));
        pair.primary.pairNamespace(pair.options(options ->
                options.backlogQueueCount(1).failoverInterval(Duration.ZERO).enableSyphon(true)));
        pair.contoso.fail(SdkErrors::communication);
        pair.primary.createMessageSender("orders").send(Pair.message("m"));
        pair.contoso.heal();

        pair.clock.advance(Duration.ofMinutes(2));

        assertThat(pair.fabrikam.queue(own.path)).isSameAs(own);
        assertThat(own.lockDuration).isEqualTo(Duration.ofSeconds(30));
        assertThat(Pair.texts(pair.contoso.queue("orders"))).containsExactly("m");
    }

    @Test
    @DisplayName("PAIR-4: with the secondary down for 30 s pairing completes later, when its queues exist")
    void waitsForTheSecondary() {
        pair.fabrikam.fail(SdkErrors::communication);
        CompletableFuture<Void> pairing = pairing(10);
        pair.clock.seconds(29);
        assertThat(pairing).isNotDone();
        assertThat(pair.primary.backlogQueueCount()).isZero();

        pair.fabrikam.heal();
        pair.clock.seconds(30);

        assertThat(pairing).isCompleted();
        assertThat(pair.primary.backlogQueueCount()).isEqualTo(10);
    }

    @Test
    @DisplayName("PAIR-5: a queue that cannot be created in three attempts, 30 s apart, is left out")
    void leavesOutWhatCannotBeHad() {
        pair.fabrikam.fail("create contoso/x-servicebus-transfer/3", SdkErrors::internal);

        CompletableFuture<Void> pairing = pairing(10);
        pair.clock.seconds(59);
        assertThat(pairing).isNotDone();
        assertThat(pair.fabrikam.count("create contoso/x-servicebus-transfer/3"))
                .isEqualTo(2);
        pair.clock.seconds(60);

        assertThat(pairing).isCompleted();
        assertThat(pair.fabrikam.count("create contoso/x-servicebus-transfer/3"))
                .isEqualTo(3);
        assertThat(pair.primary.backlogQueueCount()).isEqualTo(9);
    }

    @Test
    @DisplayName("PAIR-4, PAIR-5: the waiting time does not grow with the number of queues: at most two minutes in"
            + " total")
    void waitsTogether() {
        pair.fabrikam.fail(SdkErrors::communication);
        CompletableFuture<Void> pairing = pairing(100);

        pair.clock.advance(Duration.ofMinutes(2));

        assertThat(failure(pairing)).isInstanceOf(SendAvailabilityBacklogException.class);
        assertThat(pair.fabrikam.calls()).hasSize(300);
        assertThat(pair.clock.waiting()).isZero();
    }

    @Test
    @DisplayName("PAIR-5: without any queue pairing fails, and may be tried again")
    void failsWithoutAnyQueue() {
        pair.fabrikam.fail(SdkErrors::communication);
        CompletableFuture<Void> pairing = pairing(10);
        pair.clock.advance(Duration.ofMinutes(2));

        assertThat(failure(pairing)).isInstanceOfSatisfying(SendAvailabilityBacklogException.class, thrown -> {
            assertThat(thrown.isTransient()).isFalse();
            assertThat(thrown).hasMessageContaining("none of 10");
        });
        assertThat(pair.primary.backlogQueueCount()).isZero();

        pair.fabrikam.heal();
        assertThat(pairing(2)).isCompleted();
        assertThat(pair.primary.backlogQueueCount()).isEqualTo(2);
    }

    @Test
    @DisplayName("PAIR-5: pairing fails immediately without Manage on the secondary")
    void needsTheRightToManage() {
        pair.fabrikam.fail(
                "create contoso/x-servicebus-transfer/3", () -> new ClientAuthenticationException("no Manage", null));
        assertThat(failure(pairing(10))).isInstanceOf(ClientAuthenticationException.class);

        pair.fabrikam.fail("exists contoso/x-servicebus-transfer/3", SdkErrors::unauthorized);
        assertThat(failure(pairing(10))).isInstanceOf(com.azure.messaging.servicebus.ServiceBusException.class);
        assertThat(pair.clock.waiting()).isZero();
    }

    @Test
    @DisplayName("PAIR-3: two factories of one namespace cannot be paired")
    void needsTwoNamespaces() {
        MessagingFactory same = pair.factory(pair.contoso, new Random());

        for (MessagingFactory secondary : new MessagingFactory[] {same, pair.primary}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> pair.primary.pairNamespace(SendAvailabilityPairedNamespaceOptions.builder(secondary)
                                    .build()))
                    .withMessageContaining("contoso.servicebus.example");
        }
        assertThat(pairing(1)).as("and may be paired with another afterwards").isCompleted();
    }

    @Test
    @DisplayName("PAIR-3: a factory is paired once, and a secondary belongs to one pair, in one role")
    void pairsOnce() {
        MessagingFactory third = pair.factory(new FakeNamespace("third", pair.clock), new Random());
        pairing(1).join();

        record Attempt(MessagingFactory primary, MessagingFactory secondary) {}
        for (Attempt attempt : new Attempt[] {
            new Attempt(pair.primary, pair.secondary),
            new Attempt(pair.primary, third),
            new Attempt(third, pair.secondary),
            new Attempt(third, pair.primary),
            new Attempt(pair.secondary, third),
        }) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> attempt.primary()
                            .pairNamespace(SendAvailabilityPairedNamespaceOptions.builder(attempt.secondary())
                                    .build()))
                    .withMessageContaining("of a pair");
        }
        MessagingFactory fourth = pair.factory(new FakeNamespace("fourth", pair.clock), new Random());
        third.pairNamespace(
                SendAvailabilityPairedNamespaceOptions.builder(fourth).build());
        assertThat(third.backlogQueueCount())
                .as("refused factories keep no role")
                .isEqualTo(10);
    }

    @Test
    @DisplayName("PAIR-3: closed factories cannot be paired")
    void needsOpenFactories() {
        pair.secondary.close();
        assertThat(failure(pairing(1))).isInstanceOf(IllegalStateException.class);

        Pair another = new Pair();
        another.primary.fault(new IllegalStateException("test"));
        assertThat(failure(another.primary.pairNamespaceAsync(another.options(options -> options))))
                .isInstanceOf(PairedMessagingFactoryException.class);
    }

    @Test
    @DisplayName("PAIR-4: a waiting pairing ends when one of the factories is closed")
    void endsWithTheFactories() {
        pair.fabrikam.fail(SdkErrors::communication);
        CompletableFuture<Void> first = pairing(1);
        pair.secondary.close();
        assertThat(failure(first)).isInstanceOf(IllegalStateException.class).hasMessageContaining("fabrikam");

        MessagingFactory other = pair.factory(pair.fabrikam, new Random());
        CompletableFuture<Void> second = pair.primary
                .pairNamespaceAsync(
                        SendAvailabilityPairedNamespaceOptions.builder(other).build())
                .toCompletableFuture();
        assertThat(second).isNotDone();
        pair.primary.close();
        assertThat(failure(second)).isInstanceOf(IllegalStateException.class).hasMessageContaining("contoso");
        assertThat(pair.clock.waiting()).isZero();
    }
}
