package dev.jitney.gateway.http;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.security.SharedAccessSignature;
import dev.jitney.runtime.sharded.ShardedBroker;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A whole broker on a store in memory, with a clock that the test sets and two namespaces: {@code first}, {@code
 * second}.
 */
public final class TestBroker implements AutoCloseable {
    public static final String KEY = "SAS_KEY_VALUE";
    private static final long FAR_FUTURE_SECONDS = 4_000_000_000L;

    public final AtomicLong nowMs = new AtomicLong(1_795_244_503_000L);
    public final Broker broker;

    /** The stores in the order of the shards. */
    public final List<InMemoryMessagingStore> stores;

    public TestBroker() {
        this(0);
    }

    public TestBroker(int creditsPerSecond) {
        this(creditsPerSecond, 1, TierProfile.STANDARD, Partitioning.DEFAULT);
    }

    private TestBroker(int creditsPerSecond, int stores, TierProfile tier, Partitioning partitioning) {
        this.stores = Stream.generate(InMemoryMessagingStore::new).limit(stores).toList();
        try {
            broker = ShardedBroker.open(
                    BrokerOptions.of(List.of(
                            namespace("first", creditsPerSecond, tier, partitioning),
                            namespace("second", 0, TierProfile.STANDARD, Partitioning.DEFAULT))),
                    this.stores.stream().map(MessagingStore.class::cast).toList(),
                    nowMs::get);
        } catch (StoreException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a broker on several stores. */
    public static TestBroker onStores(int count) {
        return new TestBroker(0, count, TierProfile.STANDARD, Partitioning.DEFAULT);
    }

    /** Returns a broker whose first namespace has that tier and partitioning. */
    public static TestBroker partitioning(TierProfile tier, Partitioning partitioning) {
        return new TestBroker(0, 1, tier, partitioning);
    }

    private static NamespaceOptions namespace(
            String name, int creditsPerSecond, TierProfile tier, Partitioning partitioning) {
        return new NamespaceOptions(
                name,
                List.of(
                        AccessRule.root(KEY),
                        new AccessRule("listen", Set.of(AccessRight.LISTEN), "listen-key", "second-key"),
                        new AccessRule("send", Set.of(AccessRight.SEND), "send-key", null)),
                Limits.of(tier),
                ExpiryEnforcement.BACKGROUND,
                creditsPerSecond,
                TransferFailureTarget.TRANSFER_DLQ,
                false,
                partitioning);
    }

    public Entity create(String path) throws Exception {
        return create(path, builder -> builder);
    }

    public Entity create(String path, UnaryOperator<QueueDescription.Builder> change) throws Exception {
        return broker.namespace(null)
                .createQueue(change.apply(QueueDescription.named(path)).build())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    public Entity update(String path, UnaryOperator<QueueDescription.Builder> change) throws Exception {
        QueueDescription before =
                (QueueDescription) broker.namespace(null).entity(path).description();
        return broker.namespace(null)
                .updateQueue(change.apply(before.toBuilder()).build())
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    /** Returns a token of the root rule for the whole namespace. */
    public static String token() {
        return token("https://localhost", AccessRule.ROOT_NAME, KEY);
    }

    public static String token(String resource, String rule, String key) {
        return SharedAccessSignature.create(resource, rule, key, FAR_FUTURE_SECONDS);
    }

    @Override
    public void close() {
        broker.close();
    }
}
