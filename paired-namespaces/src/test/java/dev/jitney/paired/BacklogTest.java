package dev.jitney.paired;

import static dev.jitney.paired.Pair.BACKLOG;
import static dev.jitney.paired.Pair.failure;
import static dev.jitney.paired.Pair.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.jitney.paired.internal.failure.Failures;
import dev.jitney.paired.internal.message.DivertedMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The choice of backlog queues. */
final class BacklogTest {

    private static Pair failedOverAtOnce(int queues) {
        Pair pair = Pair.with(options -> options.backlogQueueCount(queues).failoverInterval(Duration.ZERO));
        pair.contoso.fail(SdkErrors::communication);
        return pair;
    }

    @Test
    @DisplayName("PAIR-14: over 1,000 factories all of 10 backlog queues are chosen about equally often")
    void choosesAtRandom() {
        List<String> queues = BacklogQueues.paths("contoso", 10);
        Map<String, Integer> chosen = new HashMap<>();
        for (int seed = 0; seed < 1_000; seed++) {
            BacklogRotation rotation =
                    new BacklogRotation(queues, Duration.ofMinutes(1), new ManualClock(), new Random(seed * 31L));
            chosen.merge(rotation.choose(), 1, Integer::sum);
        }

        assertThat(chosen).hasSize(10);
        // Within five standard deviations of 100.
        assertThat(chosen.values()).allSatisfy(count -> assertThat(count).isBetween(53, 147));
    }

    @Test
    @DisplayName("PAIR-14: the same random generator makes the same choices")
    void choosesAlikeWithTheSameSeed() {
        List<List<String>> runs = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            Pair pair = failedOverAtOnce(10);
            for (int i = 0; i < 20; i++) {
                pair.primary.createMessageSender("orders").send(message("m" + i));
            }
            runs.add(pair.fabrikam.calls());
        }
        assertThat(runs.get(1)).isEqualTo(runs.get(0));
    }

    @Test
    @DisplayName("PAIR-21: a sender keeps the queue of its first diverted send, and 100 senders use all queues")
    void keepsItsQueue() {
        Pair pair = failedOverAtOnce(10);
        Map<String, Integer> bySender = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            MessageSender sender = pair.primary.createMessageSender(i % 2 == 0 ? "orders" : "bills");
            pair.fabrikam.forgetCalls();
            for (int k = 0; k < 5; k++) {
                sender.send(message("m"));
            }
            assertThat(pair.fabrikam.calls().stream().distinct()).hasSize(1);
            bySender.merge(pair.fabrikam.calls().get(0), 1, Integer::sum);
        }
        assertThat(bySender).hasSize(10);
        assertThat(bySender.values()).allSatisfy(count -> assertThat(count).isLessThan(30));
    }

    @Test
    @DisplayName("PAIR-16, SCN-12: a queue that refuses is removed for the factory; the same call uses another queue")
    void rotatesAwayFromAQueueThatFails() {
        Pair pair = failedOverAtOnce(3);
        List<MessageSender> senders = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            senders.add(pair.primary.createMessageSender("orders"));
            senders.get(i).send(message("before"));
        }
        assertThat(pair.backlogQueuesInUse()).hasSize(3);
        pair.fabrikam.fail("send " + BACKLOG + 1, SdkErrors::full);
        pair.clock.seconds(70);
        pair.fabrikam.forgetCalls();

        senders.forEach(sender -> sender.send(message("after")));
        for (int i = 0; i < 30; i++) {
            pair.primary.createMessageSender("bills").send(message("new"));
        }

        assertThat(pair.backlog()).hasSize(90);
        assertThat(pair.fabrikam.count("send " + BACKLOG + 1))
                .as("it failed only once")
                .isEqualTo(1);
        assertThat(Pair.texts(pair.fabrikam.queue(BACKLOG + 1))).containsOnly("before");
    }

    @Test
    @DisplayName("PAIR-16, PAIR-29: another factory still tries the queue, and finds out by itself that it is full")
    void keepsTheKnowledgeInTheFactory() {
        Pair pair = failedOverAtOnce(2);
        MessagingFactory other = pair.factory(pair.contoso, new Random(5));
        other.pairNamespace(SendAvailabilityPairedNamespaceOptions.builder(pair.factory(pair.fabrikam, new Random()))
                .backlogQueueCount(2)
                .failoverInterval(Duration.ZERO)
                .build());
        pair.fabrikam.fail("send " + BACKLOG + 0, SdkErrors::full);
        for (MessagingFactory factory : new MessagingFactory[] {pair.primary, other}) {
            pair.fabrikam.forgetCalls();
            for (int i = 0; i < 20; i++) {
                factory.createMessageSender("orders").send(message("m"));
            }
            assertThat(pair.fabrikam.count("send " + BACKLOG + 0)).isEqualTo(1);
            assertThat(pair.fabrikam.count("send " + BACKLOG + 1)).isEqualTo(20);
        }
    }

    @Test
    @DisplayName("PAIR-16: a message is not tried on another queue after half the operation timeout")
    void triesElsewhereWhileTimeRemains() {
        Pair pair = failedOverAtOnce(3);
        for (boolean inTime : new boolean[] {true, false}) {
            MessageSender sender = pair.primary.createMessageSender("orders");
            sender.send(message("finds its queue"));
            String call = pair.fabrikam.calls().get(pair.fabrikam.calls().size() - 1);
            pair.fabrikam.hold(call);
            CompletableFuture<Void> sent = sender.sendAsync(message("m")).toCompletableFuture();
            pair.clock.advance(Duration.ofSeconds(inTime ? 29 : 30));
            pair.fabrikam.release(call, SdkErrors.timeout());

            if (inTime) {
                assertThat(sent).isCompleted();
            } else {
                assertThat(failure(sent)).isInstanceOf(ServiceBusException.class);
            }
        }
        assertThat(pair.backlogTexts()).filteredOn("m"::equals).hasSize(1);
    }

    @Test
    @DisplayName("PAIR-17: the send fails if all queues have failed; they are used again after PingPrimaryInterval")
    void comesBackAfterAWhile() {
        Pair pair = failedOverAtOnce(3);
        MessageSender sender = pair.primary.createMessageSender("orders");
        pair.fabrikam.fail(SdkErrors::timeout);

        assertThat(failure(sender.sendAsync(message("lost"))))
                .isInstanceOf(SendAvailabilityBacklogException.class)
                .hasMessageContaining("last of 3")
                .cause()
                .isInstanceOf(ServiceBusException.class);
        assertThat(pair.fabrikam.calls()).as("each was tried").hasSize(3).doesNotHaveDuplicates();
        pair.fabrikam.heal();
        pair.clock.advance(Duration.ofSeconds(59));
        assertThat(failure(sender.sendAsync(message("too early"))))
                .isInstanceOf(SendAvailabilityBacklogException.class)
                .hasMessageContaining("2026-01-01T00:01:00Z");
        assertThat(pair.fabrikam.calls()).as("none was tried again").hasSize(3);
        pair.clock.advance(Duration.ofSeconds(1));
        sender.send(message("in time"));

        assertThat(pair.backlogTexts()).containsExactly("in time");
        assertThat(pair.primary.backlogQueueCount()).isEqualTo(3);
    }

    @Test
    @DisplayName("PAIR-17: the failure of a single backlog queue fails the send")
    void failsWithASingleQueue() {
        Pair pair = failedOverAtOnce(1);
        pair.fabrikam.fail(SdkErrors::full);

        assertThat(failure(pair.primary.createMessageSender("orders").sendAsync(message("m"))))
                .isInstanceOfSatisfying(SendAvailabilityBacklogException.class, thrown -> {
                    assertThat(thrown.isTransient()).isFalse();
                    assertThat(Failures.reason(thrown.getCause())).isEqualTo(ServiceBusFailureReason.QUOTA_EXCEEDED);
                });
    }

    @Test
    @DisplayName("PAIR-52: a message that fits the primary but not the backlog is refused as too large; all queues"
            + " stay in use")
    void refusesWhatIsTooLargeForTheBacklog() {
        Pair pair = failedOverAtOnce(2);
        MessageSender sender = pair.primary.createMessageSender("orders");
        ServiceBusMessage large = new ServiceBusMessage(new byte[256 * 1024 - 20 - 10]);
        assertThat(FakeNamespace.Sizes.of(large)).isEqualTo(256 * 1024 - 10);

        assertThat(failure(sender.sendAsync(large)))
                .isInstanceOfSatisfying(
                        ServiceBusException.class,
                        thrown -> assertThat(thrown.getReason())
                                .isEqualTo(ServiceBusFailureReason.MESSAGE_SIZE_EXCEEDED));
        assertThat(pair.fabrikam.calls()).hasSize(1);
        pair.contoso.heal();
        pair.primary.markPathHealthy("orders");
        sender.send(large);
        assertThat(pair.contoso.queue("orders").messages).hasSize(1);

        pair.contoso.fail(SdkErrors::communication);
        sender.send(message("still works"));
        assertThat(pair.fabrikam.calls()).as("the same queue").hasSize(2);
        assertThat(pair.fabrikam.calls().get(1)).isEqualTo(pair.fabrikam.calls().get(0));
    }

    @Test
    @DisplayName("PAIR-52, PAIR-50: a full batch of the primary is sent to the backlog in parts, in order")
    void sendsABatchInParts() {
        Pair pair = Pair.with(options -> options.backlogQueueCount(1).failoverInterval(Duration.ZERO));
        MessageSender sender = pair.primary.createMessageSender("orders");
        MessageBatch batch = sender.createMessageBatch();
        int count = 0;
        String filling = "-" + "x".repeat(500);
        while (batch.tryAddMessage(message(count + filling))) {
            count++;
        }
        assertThat(batch.count()).isEqualTo(count).isGreaterThan(400);
        assertThat(batch.sizeInBytes()).isLessThanOrEqualTo(batch.maxSizeInBytes());
        pair.contoso.fail(SdkErrors::communication);

        sender.send(batch);

        List<String> texts = pair.backlogTexts();
        assertThat(texts).hasSize(count).doesNotHaveDuplicates();
        assertThat(texts.get(0)).isEqualTo("0" + filling);
        assertThat(texts.get(count - 1)).isEqualTo(count - 1 + filling);
        assertThat(pair.fabrikam.count("send " + BACKLOG + 0)).isEqualTo(2);
        assertThat(pair.backlog())
                .allSatisfy(message ->
                        assertThat(message.getApplicationProperties()).containsEntry(DivertedMessages.PATH, "orders"));
    }

    @Test
    @DisplayName("PAIR-16: when a queue fails in the middle of a batch, only the rest is sent to another queue")
    void sendsTheRestElsewhere() {
        Pair pair = failedOverAtOnce(2);
        MessageSender sender = pair.primary.createMessageSender("orders");
        sender.send(message("finds its queue"));
        String first = pair.backlogQueuesInUse().get(0);
        pair.fabrikam.queue(first).messageBytesMax = 200;
        pair.fabrikam.hold("send " + first);
        CompletableFuture<Void> sent = sender.sendAsync(
                        List.of(message("1".repeat(80)), message("2".repeat(80)), message("3".repeat(80))))
                .toCompletableFuture();
        assertThat(sent).isNotDone();
        assertThat(pair.fabrikam.holds("send " + first)).isEqualTo(1);

        pair.fabrikam.release("send " + first, null);
        assertThat(sent).isCompleted();

        pair.fabrikam.hold("send " + first);
        CompletableFuture<Void> again = sender.sendAsync(List.of(message("4".repeat(80)), message("5".repeat(80))))
                .toCompletableFuture();
        pair.fabrikam.fail("batch " + first, SdkErrors::communication);
        pair.fabrikam.release("send " + first, null);
        assertThat(again).isCompleted();
        // The fake does not store the messages of a released call: only the fifth is in another queue.
        assertThat(pair.backlogTexts()).contains("5".repeat(80)).doesNotContain("4".repeat(80));
    }

    @Test
    @DisplayName("PAIR-52: a batch created after a failover has the size of a backlog queue, including aliases")
    void countsAliasesInTheRoom() {
        Pair pair = failedOverAtOnce(1);
        MessageSender sender = pair.primary.createMessageSender("orders");
        MessageBatch batch = sender.createMessageBatch(120);
        assertThat(batch.tryAddMessage(message("x".repeat(50)))).isTrue();
        assertThat(batch.sizeInBytes()).isGreaterThan(70);
        assertThat(batch.tryAddMessage(message("x".repeat(50)))).isFalse();
        assertThat(batch.count()).isEqualTo(1);

        pair.contoso.heal();
        pair.primary.markPathHealthy("orders");
        sender.send(batch);

        assertThat(pair.contoso.queue("orders").contents().get(0).getApplicationProperties())
                .as("in the primary without aliases")
                .isEmpty();
    }

    @Test
    @DisplayName("PAIR-50: one backlog queue holds messages of several entities")
    void mixesEntities() {
        Pair pair = failedOverAtOnce(1);
        pair.contoso.with("news");
        for (String path : List.of("orders", "bills", "news", "orders")) {
            pair.primary.createMessageSender(path).send(message("for " + path));
        }

        assertThat(pair.backlog())
                .extracting(content -> content.getApplicationProperties().get("x-ms-path"))
                .containsExactly("orders", "bills", "news", "orders");
    }

    @Test
    @DisplayName("PAIR-16: the outlet of a queue that failed for another sender is closed")
    void closesTheLinkToABrokenQueue() {
        Pair pair = failedOverAtOnce(2);
        MessageSender first = pair.primary.createMessageSender("orders");
        first.send(message("m"));
        String queue = pair.backlogQueuesInUse().get(0);
        pair.fabrikam.fail("send " + queue, SdkErrors::full);
        for (int i = 0; i < 20; i++) {
            MessageSender sender = pair.primary.createMessageSender("orders");
            sender.send(message("m"));
            sender.close();
        }
        assertThat(pair.fabrikam.openOutlets()).isEqualTo(1);

        first.send(message("m"));
        assertThat(pair.fabrikam.openOutlets()).isEqualTo(1);
        first.close();
        assertThat(pair.fabrikam.openOutlets()).isZero();
    }
}
