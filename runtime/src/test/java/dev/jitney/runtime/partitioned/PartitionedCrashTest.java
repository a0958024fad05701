package dev.jitney.runtime.partitioned;

import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.RuleDescription;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random work on partitioned entities with crashes, failing commits and stores that stay away for a while: what was
 * acknowledged is there exactly once, and what was completed does not come back.
 */
@DisplayName("PART-3, PART-10, STATE-2: partitioned entities under crashes and failing stores")
class PartitionedCrashTest {
    private final Set<String> acknowledged = new HashSet<>();
    private final Set<String> uncertain = new HashSet<>();
    private final Set<String> completed = new HashSet<>();
    private final Set<String> perhapsCompleted = new HashSet<>();
    private BrokerFixture f;
    private Random random;
    private int sent;

    @ParameterizedTest(name = "{0} stores, seed {1}")
    @CsvSource({"1, 1", "2, 2", "3, 3", "4, 4", "4, 5"})
    void exactlyOnce(int stores, long seed) throws StoreException {
        random = new Random(seed);
        f = new BrokerFixture(
                BrokerFixture.options("ns"),
                Stream.generate(InMemoryMessagingStore::new).limit(stores).toList());
        f.create(QueueDescription.named("pq").enablePartitioning(true).build());
        f.create(QueueDescription.named("source")
                .enablePartitioning(true)
                .forwardTo("pq")
                .build());
        f.namespace()
                .createTopic(
                        TopicDescription.named("pt").enablePartitioning(true).build());
        f.settle();
        f.namespace()
                .createSubscription(
                        SubscriptionDescription.of("pt", "s").forwardTo("pq").build(),
                        RuleDescription.takeEverything());
        f.settle();
        for (int round = 0; round < 80; round++) {
            if (random.nextInt(4) == 0) {
                InMemoryMessagingStore store = f.stores.get(random.nextInt(stores));
                store.failNextCommit(Reason.IO, random.nextBoolean());
                store.refuseReopens(random.nextInt(4));
            }
            for (int i = random.nextInt(6); i > 0; i--) {
                send(List.of("pq", "source", "pt").get(random.nextInt(3)));
            }
            if (random.nextInt(2) == 0) {
                receive();
            }
            if (random.nextInt(5) == 0) {
                f.crash();
            }
            f.nowMs += random.nextInt(400);
            f.turn();
        }
        f.crash();
        for (int i = 0; i < 6; i++) {
            f.nowMs += 70_000;
            f.settle();
        }
        Map<String, Integer> found = new HashMap<>();
        for (String path : List.of("pq", "source", "pt/subscriptions/s")) {
            for (SubQueue subQueue : SubQueue.values()) {
                all(f.entity(path), subQueue).forEach(body -> found.merge(body, 1, Integer::sum));
            }
        }
        assertThat(found.values()).allMatch(count -> count == 1);
        assertThat(completed).doesNotContainAnyElementsOf(found.keySet());
        Set<String> wanted = new HashSet<>(acknowledged);
        wanted.removeAll(completed);
        wanted.removeAll(perhapsCompleted);
        assertThat(found.keySet()).containsAll(wanted);
        Set<String> known = new HashSet<>(acknowledged);
        known.addAll(uncertain);
        assertThat(known).containsAll(found.keySet());
        assertThat(acknowledged.size()).isGreaterThan(40);
        assertThat(completed.size()).isGreaterThan(10);
    }

    private void send(String path) {
        String body = path + "-" + sent++;
        String key = random.nextBoolean() ? null : "key" + random.nextInt(20);
        IncomingMessage m = message(body);
        Answer answer = f.submit(
                f.entity(path),
                new Command.SendMessages(List.of(IncomingMessage.of(m.content())
                        .partitionKey(key)
                        .sizes(m.encodedSizeBytes(), 0, 0)
                        .build())));
        f.turn();
        if (answer.isThere() && answer.isDone()) {
            acknowledged.add(body);
        } else {
            uncertain.add(body);
        }
    }

    private void receive() {
        Entity queue = f.entity("pq");
        Listening listening = new Listening();
        listening.receiver =
                queue.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, listening, listening.attached);
        listening.receiver.setCredit(1 + random.nextInt(8), false);
        for (int i = 0; i < 4; i++) {
            f.turn();
        }
        for (MessageView message : List.copyOf(listening.messages)) {
            String body = body(message);
            Answer answer =
                    f.submit(queue, new Command.CompleteMessages(List.of(Objects.requireNonNull(message.lockToken()))));
            f.turn();
            if (answer.isThere() && answer.isDone()) {
                completed.add(body);
            } else {
                perhapsCompleted.add(body);
            }
        }
        listening.receiver.detach();
        f.turn();
    }

    private static String body(MessageView message) {
        return StandardCharsets.UTF_8.decode(message.content().body()).toString();
    }

    private List<String> all(Entity entity, SubQueue subQueue) {
        List<String> bodies = new ArrayList<>();
        long from = 0;
        while (true) {
            Answer answer = f.submit(entity, new Command.PeekMessages(subQueue, from, 250, null));
            for (int i = 0; i < 40 && !answer.isThere(); i++) {
                f.turn();
            }
            if (!answer.isThere() || !answer.isDone()) {
                return bodies;
            }
            List<MessageView> messages = ((Reply.Messages) answer.reply()).messages();
            if (messages.isEmpty()) {
                return bodies;
            }
            for (MessageView message : messages) {
                bodies.add(body(message));
                from = message.sequenceNumber() + 1;
            }
        }
    }
}
