package dev.jitney.runtime.shard.forward;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static dev.jitney.runtime.sharded.BrokerFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.ContentReader;
import dev.jitney.core.Command;
import dev.jitney.core.Reply;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.shard.entity.ShardEntities;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Entities that forward to each other, on one store or two, on a clock that the test advances. */
abstract class ForwardingScenario {
    BrokerFixture f;
    int placed;
    int names;

    void open(int stores) throws StoreException {
        open(stores, TransferFailureTarget.TRANSFER_DLQ);
    }

    void open(int stores, TransferFailureTarget target) throws StoreException {
        NamespaceOptions namespace = new NamespaceOptions(
                "ns", List.of(AccessRule.root("key")), smallQueues(), ExpiryEnforcement.ON_RECEIVER, 0, target, false);
        f = new BrokerFixture(
                BrokerOptions.of(List.of(namespace)),
                Stream.generate(InMemoryMessagingStore::new).limit(stores).toList());
    }

    /** Quotas with small queues that a test can fill. */
    static Limits smallQueues() {
        Limits l = Limits.of(TierProfile.STANDARD);
        return new Limits(
                l.tier(),
                l.maxMessageSizeBytes(),
                10,
                l.maxTimeToLiveMs(),
                l.maxIdLength(),
                l.maxPropertySizeBytes(),
                l.maxHeaderSizeBytes(),
                l.maxEntities(),
                l.maxPartitionedEntities(),
                l.maxSubscriptions(),
                l.maxSqlFilters(),
                l.maxCorrelationFilters(),
                l.maxConnections(),
                l.maxReceivers(),
                l.maxLocks(),
                l.maxPeekCount(),
                l.maxPeekSizeBytes(),
                l.maxBatchDeleteCount());
    }

    /** Returns a name that is placed on the next store. */
    String name(String prefix) {
        int shard = placed++ % f.stores.size();
        while (true) {
            String name = prefix + names++;
            Entity probe = f.create(name);
            boolean right = ShardEntities.shardOf(((ServedEntity) probe).id()) == shard;
            settled(f.namespace().deleteEntity(name));
            if (right) {
                return name;
            }
        }
    }

    Entity queue() {
        return f.create(name("q"));
    }

    Entity forwarding(Entity destination) {
        return f.create(
                QueueDescription.named(name("q")).forwardTo(destination.path()).build());
    }

    /** Creates a chain of queues and returns the first. The last one does not forward. */
    List<Entity> chain(int length) {
        List<Entity> chain = new ArrayList<>();
        chain.add(queue());
        for (int i = 1; i < length; i++) {
            chain.add(0, forwarding(chain.get(0)));
        }
        return chain;
    }

    <T> T settled(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    void update(QueueDescription description) {
        settled(f.namespace().updateQueue(description));
    }

    static QueueDescription.Builder describe(Entity queue) {
        return BrokerFixture.describe(queue).toBuilder();
    }

    void send(Entity entity, String... bodies) {
        Answer answer = f.send(entity, bodies);
        f.settle();
        assertThat(answer.isDone()).isTrue();
    }

    List<MessageView> peekAll(Entity entity, SubQueue subQueue) {
        Answer answer = f.submit(entity, new Command.PeekMessages(subQueue, 0, 250, null));
        f.settle();
        return ((Reply.Messages) answer.reply()).messages();
    }

    List<String> peek(Entity entity) {
        return peekAll(entity, SubQueue.MAIN).stream()
                .map(ForwardingScenario::body)
                .toList();
    }

    MessageView only(Entity entity, SubQueue subQueue) {
        List<MessageView> messages = peekAll(entity, subQueue);
        assertThat(messages).hasSize(1);
        return messages.get(0);
    }

    static String body(MessageView message) {
        return StandardCharsets.UTF_8.decode(message.content().body()).toString();
    }

    /** Returns an application property, from the content or from the overrides. */
    static String property(MessageView message, String name) {
        return String.valueOf(new ContentReader(message.content())
                .applicationProperties(message.propertyOverrides())
                .get(name));
    }

    Listening attach(Entity entity, SubQueue subQueue) {
        Listening listening = new Listening();
        listening.receiver =
                entity.attach(subQueue, ReceiveMode.PEEK_LOCK, Runnable::run, listening, listening.attached);
        listening.receiver.setCredit(10, false);
        f.settle();
        return listening;
    }

    void done(Entity entity, Command command) {
        Answer answer = f.submit(entity, command);
        f.settle();
        assertThat(answer.isDone()).isTrue();
    }

    static UUID token(MessageView message) {
        return Objects.requireNonNull(message.lockToken());
    }

    void fill(Entity queue) {
        while (f.counts(queue).sizeBytes() < 1 << 20) {
            send(queue, "x".repeat(200_000));
        }
    }
}
