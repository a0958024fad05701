package dev.jitney.runtime.sharded;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.core.namespace.EntityRules;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.ShardFigures;
import dev.jitney.runtime.namespace.NamespaceChanges;
import dev.jitney.runtime.namespace.NamespaceRows;
import dev.jitney.runtime.namespace.PartitionedChanges;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.namespace.ServedNamespace;
import dev.jitney.runtime.namespace.ServedNamespaces;
import dev.jitney.runtime.namespace.ServedQueue;
import dev.jitney.runtime.namespace.ServedSubscription;
import dev.jitney.runtime.namespace.ServedTopic;
import dev.jitney.runtime.partitioned.Fragments;
import dev.jitney.runtime.rows.CurrentLevel;
import dev.jitney.runtime.rows.StoreFault;
import dev.jitney.runtime.shard.ChangeTask;
import dev.jitney.runtime.shard.HungShards;
import dev.jitney.runtime.shard.Shard;
import dev.jitney.runtime.shard.SharedMoment;
import dev.jitney.runtime.shard.TransactionMemory;
import dev.jitney.runtime.shard.entity.ShardEntities;
import dev.jitney.runtime.store.FormatLevels;
import dev.jitney.runtime.store.LevelRow;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.testing.AdjustableClock;
import dev.jitney.runtime.testing.BrokerTesting;
import dev.jitney.runtime.testing.MessageHistory;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The broker of one process: namespaces distributed over shards. */
public final class ShardedBroker extends Broker implements BrokerTesting.Tested {
    private static final int STORES_MAX = 255;

    /** The time for which a shard waits for the others in {@link #atOneMoment}: at first, and after many attempts. */
    private static final long MOMENT_NANOS_MIN = 3_000_000;

    private static final long MOMENT_NANOS_MAX = 50_000_000;

    private final Clock clock;
    private final Clock steady;
    private final @Nullable ShardedTesting testing;
    private final FormatLevels levels;
    private final CurrentLevel level;
    private final List<Shard> shards = new ArrayList<>();
    private final PartitionedChanges partitioned = new PartitionedChanges(() -> shards, Fragments::new);
    private final ServedNamespaces namespaces;
    private final NamespaceChanges namespaceChanges;
    /** Held by the caller that waits for a moment. */
    private final ReentrantLock moments = new ReentrantLock();

    private volatile boolean abandoned;

    private ShardedBroker(BrokerOptions options, CurrentLevel level, Clock clock, Clock steady) {
        this.clock = clock;
        this.steady = steady;
        this.testing = options.underTest() ? new ShardedTesting(shards, adjustable(clock), new MessageHistory()) : null;
        this.levels = options.levels();
        this.level = level;
        Clock seconds = options.underTest() ? clock : steady; // a test may stop the time of messages
        namespaces = new ServedNamespaces(
                options.maker(),
                namespace -> new ServedNamespace(
                        namespace, key -> shardFor(namespace.name(), key), partitioned, steady, seconds));
        options.namespaces().forEach(namespaces::configure);
        namespaceChanges = new NamespaceChanges(namespaces, shards, namespacesMax());
    }

    private static AdjustableClock adjustable(Clock clock) {
        if (clock instanceof AdjustableClock adjustable) {
            return adjustable;
        }
        throw new IllegalArgumentException(
                "Expected an AdjustableClock for a broker under test, but got " + clock + ".");
    }

    /**
     * Opens a broker over stores and starts its shards, one per store. The caller closes the stores after the broker.
     *
     * @param stores in the same order at every start, because entities stay in the store where they were created
     * @throws StoreException if a store cannot be read, contains a namespace that is not configured, or has a level that {@link
     *     BrokerOptions#levels} does not support (CL-61)
     */
    public static Broker open(BrokerOptions options, List<MessagingStore> stores, Clock clock) throws StoreException {
        ShardedBroker broker = load(options, stores, clock);
        broker.start();
        return broker;
    }

    static ShardedBroker load(BrokerOptions options, List<MessagingStore> stores, Clock clock) throws StoreException {
        return load(options, stores, clock, new SecureRandom());
    }

    static ShardedBroker load(BrokerOptions options, List<MessagingStore> stores, Clock clock, Random random)
            throws StoreException {
        if (stores.isEmpty() || stores.size() > STORES_MAX) {
            throw new IllegalArgumentException(
                    "Expected 1 to " + STORES_MAX + " stores, but got " + stores.size() + ".");
        }
        Clock steady = clock.steady();
        ShardedBroker broker = new ShardedBroker(options, level(options, stores.get(0)), clock, steady);
        TransactionMemory transactions =
                new TransactionMemory(options.mailboxBytesMax() * stores.size(), stores.size());
        try {
            for (int i = 0; i < stores.size(); i++) {
                Shard shard = new Shard(
                        i, stores.get(i), steady, options, transactions, broker.level, random, broker.history());
                broker.shards.add(shard);
                List<EntityRow> rows = shard.load();
                if (i == 0) {
                    broker.namespaceRows(shard).load();
                }
                for (EntityRow row : rows) {
                    broker.adopt(shard, row);
                }
            }
            new FragmentLoader(broker.shards).load(broker.wholes(), broker.partitioned);
            broker.shards.forEach(shard -> shard.connect(broker::shardOf));
            if (broker.shards.size() > 1) {
                HungShards hung = new HungShards(broker.shards);
                broker.shards.forEach(shard -> shard.lookAfter(hung));
            }
            broker.namespaceRows(broker.shards.get(0)).adopt();
            broker.namespaceChanges.resume();
        } catch (StoreFault e) {
            throw e.fault();
        }
        return broker;
    }

    /** Returns the level of the data. */
    private static CurrentLevel level(BrokerOptions options, MessagingStore first) throws StoreException {
        int stored = Math.max(FormatLevels.FIRST, LevelRow.stored(first));
        String refusal = options.levels().refusal(stored, "");
        if (refusal != null) {
            throw new StoreException(StoreException.Reason.IO, refusal);
        }
        return new CurrentLevel(stored);
    }

    private NamespaceRows namespaceRows(Shard first) {
        return new NamespaceRows(first.lifecycle(), namespaces);
    }

    /** Returns the shard of an existing or deleted entity; null if no shard has assigned this id. */
    private @Nullable Shard shardOf(long entityId) {
        int index = ShardEntities.shardOf(entityId);
        return index < shards.size() ? shards.get(index) : null;
    }

    private void adopt(Shard shard, EntityRow row) throws StoreException {
        ServedNamespace namespace = namespaceOf(row);
        EntityDescription description = row.description();
        if (description instanceof QueueDescription) {
            namespace.adopt(shard, new ServedQueue(shard, row, namespace.directory()));
        } else if (description instanceof TopicDescription) {
            namespace.adopt(shard, new ServedTopic(shard, row, namespace.directory()));
        } else if (description instanceof SubscriptionDescription subscription) {
            // Topics have lower ids than their subscriptions and come first.
            if (!(namespace.named(subscription.topicPath()) instanceof ServedTopic topic)) {
                throw new StoreException(
                        StoreException.Reason.CORRUPT,
                        "Expected the topic of subscription '" + description.path() + "' in the same store.");
            }
            namespace.adopt(shard, new ServedSubscription(shard, row, namespace.directory(), topic));
        }
    }

    /** Returns all partitioned entities, topics before their subscriptions. */
    private List<ServedEntity> wholes() {
        List<ServedEntity> wholes = new ArrayList<>();
        for (ServedNamespace namespace : namespaces.all()) {
            for (Entity entity : namespace.entities()) {
                ServedEntity served = (ServedEntity) entity;
                if (!EntityRules.isPartitioned(served.description())) {
                    continue;
                }
                int count = namespace
                        .options()
                        .partitioning()
                        .fragments(true, namespace.limits().tier());
                partitioned.partition(served, count);
                wholes.add(served);
                for (Entity subscription : served.subscriptions()) {
                    ServedEntity part = (ServedEntity) subscription;
                    partitioned.partition(part, count);
                    wholes.add(part);
                }
            }
        }
        return wholes;
    }

    private ServedNamespace namespaceOf(EntityRow row) throws StoreException {
        ServedNamespace namespace = namespaces.find(row.namespace());
        if (namespace != null) {
            return namespace;
        }
        throw new StoreException(
                StoreException.Reason.IO,
                "The store contains the entity '" + row.description().path() + "' of namespace '" + row.namespace()
                        + "', which is not configured. Configure that namespace, or use another data directory.");
    }

    /** Starts the threads. */
    void start() {
        shards.forEach(Shard::start);
    }

    /** Runs one turn of every shard in the caller's thread, instead of their own threads. */
    boolean turn() {
        boolean worked = false;
        for (Shard shard : shards) {
            worked |= shard.turn();
        }
        return worked;
    }

    /** Returns the shard of a store, for a caller that drives it. */
    Shard shard(int index) {
        return shards.get(index);
    }

    /** Returns the shard of an entity by a hash that never changes, because the rows stay in their store. */
    private Shard shardFor(String namespace, String key) {
        if (key.isEmpty()) {
            return shards.get(0);
        }
        long hash = 0xcbf29ce484222325L; // FNV-1a, 64 bit
        String name = namespace.toLowerCase(Locale.ROOT) + "/" + EntityAddress.keyOf(key);
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return shards.get((int) Long.remainderUnsigned(hash, shards.size()));
    }

    @Override
    public List<Namespace> namespaces() {
        return namespaces.served();
    }

    @Override
    public CompletionStage<Namespace> createNamespace(String name, TierProfile tier, List<AccessRule> rules) {
        return namespaceChanges.create(name, tier, rules);
    }

    @Override
    public CompletionStage<Void> deleteNamespace(String name) {
        return namespaceChanges.delete(name);
    }

    @Override
    public List<String> leavingNamespaces() {
        return namespaces.leaving().stream().map(ServedNamespace::name).toList();
    }

    @Override
    public int namespacesMax() {
        return testing == null ? NAMESPACES_MAX : BrokerTesting.NAMESPACES_MAX;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public long messageTimeMs() {
        return steady.nowMs();
    }

    private @Nullable MessageHistory history() {
        return testing == null ? null : testing.history();
    }

    @Override
    public @Nullable BrokerTesting testing() {
        return testing;
    }

    @Override
    public int level() {
        return level.get();
    }

    @Override
    public CompletionStage<Void> raiseLevel(int to) {
        if (!levels.supports(to)) {
            throw new IllegalArgumentException("Expected " + levels + ", but got " + to + ".");
        }
        // Other shards write in the new formats only when the row is agreed on, so that every node reads it first.
        return ChangeTask.send(shards.get(0), shard -> {
            if (level.get() < to) {
                shard.entities().putLevel(to, () -> level.raised(to));
            }
            return null;
        });
    }

    @Override
    public @Nullable String trouble() {
        StringJoiner troubles = new StringJoiner(" ");
        for (Shard shard : shards) {
            String trouble = shard.trouble();
            if (trouble != null) {
                troubles.add(trouble);
            }
        }
        return troubles.length() == 0 ? null : troubles.toString();
    }

    @Override
    public @Nullable String damage() {
        StringJoiner damages = new StringJoiner(" ");
        for (Shard shard : shards) {
            String damage = shard.damage();
            if (damage != null) {
                damages.add(damage);
            }
        }
        return damages.length() == 0 ? null : damages.toString();
    }

    @Override
    public CompletionStage<Void> stopStore(int index) {
        return shards.get(index).operate(true);
    }

    @Override
    public CompletionStage<Void> startStore(int index) {
        return shards.get(index).operate(false);
    }

    @Override
    public List<ShardFigures> shards() {
        return shards.stream().map(Shard::figures).toList();
    }

    @Override
    public long atOneMoment(Runnable action) throws InterruptedException {
        moments.lockInterruptibly();
        try {
            return awaitMoment(action);
        } finally {
            moments.unlock();
        }
    }

    private long awaitMoment(Runnable action) throws InterruptedException {
        long waitNanos = MOMENT_NANOS_MIN;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOMENT_SECONDS);
        while (true) {
            requireServing();
            long paused = SharedMoment.await(shards, waitNanos, action);
            if (paused >= 0) {
                return paused;
            }
            if (System.nanoTime() - end > 0) {
                throw new BrokerException(new Rejection(
                        ErrorCode.SERVER_BUSY,
                        "Expected all messaging stores to finish a commit within " + waitNanos / 1_000_000
                                + " ms of each other, but they did not in " + MOMENT_SECONDS
                                + " s. A disk is too slow or too busy; try again later."));
            }
            waitNanos = Math.min(MOMENT_NANOS_MAX, waitNanos + waitNanos / 4);
            TimeUnit.NANOSECONDS.sleep(waitNanos); // clients come first
        }
    }

    private void requireServing() {
        for (Shard shard : shards) {
            String wrong = shard.trouble();
            if (!shard.isServing()) {
                throw new BrokerException(new Rejection(
                        ErrorCode.SERVER_BUSY,
                        wrong == null ? "Messaging store " + shard.index() + " is not responding." : wrong));
            }
        }
    }

    @Override
    public long tryOneMoment(long waitNanos, Runnable action) throws InterruptedException {
        if (!moments.tryLock()) {
            return -1;
        }
        try {
            requireServing();
            return SharedMoment.await(shards, waitNanos, action);
        } finally {
            moments.unlock();
        }
    }

    @Override
    public void abandon() {
        abandoned = true;
        shards.forEach(Shard::abandon);
    }

    @Override
    public void close() {
        if (!abandoned) {
            shards.forEach(Shard::stop);
        }
    }
}
