package dev.jitney.runtime.partitioned;

import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.core.partition.FragmentNumbers;
import dev.jitney.core.partition.KeyHash;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** A partitioned queue over some stores, four if nothing else is said, on a clock the test moves. */
abstract class PartitionedScenario {
    BrokerFixture f;
    Entity pq;

    @BeforeEach
    void open() throws StoreException {
        open(4);
    }

    final void open(int stores) throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("ns"),
                Stream.generate(InMemoryMessagingStore::new).limit(stores).toList());
        pq = create(QueueDescription.named("pq"));
    }

    Entity create(QueueDescription.Builder description) {
        return f.create(description.enablePartitioning(true).build());
    }

    static IncomingMessage keyed(String body, @Nullable String session, @Nullable String key) {
        return identified(null, body, session, key);
    }

    static IncomingMessage identified(
            @Nullable String id, String body, @Nullable String session, @Nullable String key) {
        IncomingMessage m = message(body);
        return IncomingMessage.of(m.content())
                .messageId(id)
                .partitionKey(key)
                .sizes(m.encodedSizeBytes(), 0, 0)
                .sent(session, 0)
                .build();
    }

    Answer send(Entity entity, IncomingMessage... messages) {
        Answer answer = f.submit(entity, new Command.SendMessages(List.of(messages)));
        f.settle();
        return answer;
    }

    void sendPlain(Entity entity, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(send(entity, message(String.valueOf(i))).isDone()).isTrue();
        }
    }

    /** A session or a partition key that leads to one of sixteen fragments (PART-25). */
    static String keyOf(int fragment) {
        int i = 0;
        while (KeyHash.fragment("key-" + i, 16) != fragment) {
            i++;
        }
        return "key-" + i;
    }

    static String body(MessageView message) {
        return StandardCharsets.UTF_8.decode(message.content().body()).toString();
    }

    Listening attach(Entity entity, SubQueue subQueue, ReceiveMode mode, int credit) {
        Listening listening = new Listening();
        listening.receiver = entity.attach(subQueue, mode, Runnable::run, listening, listening.attached);
        f.settle();
        listening.receiver.setCredit(credit, false);
        f.settle();
        return listening;
    }

    Listening attach(Entity entity, int credit) {
        return attach(entity, SubQueue.MAIN, ReceiveMode.PEEK_LOCK, credit);
    }

    Answer done(Entity entity, Command command) {
        Answer answer = f.submit(entity, command);
        f.settle();
        return answer;
    }

    static UUID token(MessageView message) {
        return Objects.requireNonNull(message.lockToken());
    }

    List<MessageView> peekAll(Entity entity) {
        List<MessageView> all = new ArrayList<>();
        long from = 0;
        while (true) {
            Answer answer = done(entity, new Command.PeekMessages(SubQueue.MAIN, from, 100, null));
            List<MessageView> some = ((Reply.Messages) answer.reply()).messages();
            if (some.isEmpty()) {
                return all;
            }
            all.addAll(some);
            from = some.get(some.size() - 1).sequenceNumber() + 1;
        }
    }

    Map<Integer, Integer> perFragment(Entity entity) {
        Map<Integer, Integer> counts = new HashMap<>();
        peekAll(entity).forEach(m -> counts.merge(FragmentNumbers.fragment(m.sequenceNumber()), 1, Integer::sum));
        return counts;
    }
}
