package dev.jitney.simulation.run;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.ShardFigures;
import dev.jitney.runtime.sharded.DrivenBroker;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
import dev.jitney.simulation.model.Ledger;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The broker with its machines, and the ledger that checks it. Machines and ledger outlive the processes of the broker.
 */
final class World {
    private static final int REST_TURNS_MAX = 20_000;
    private static final int TURNS_PER_LOOK = 64;

    /** The number of messages of an entity that remain in memory after its windows are trimmed. */
    private static final long WINDOWS = 3 * 64;

    private static final long TAKEN_IN_A_TURN = 1_024;

    /**
     * The message count at which senders stop. It fills several pages, and is small enough that clients receive all
     * messages.
     */
    private static final int BACKLOG_MAX = 60;

    private static final int LONG_BACKLOG_MAX = 300;

    /** One of this number of histories throttles its clients. */
    private static final int THROTTLED_SEEDS = 8;

    private final SeededRandom random;
    private final VirtualClock time = new VirtualClock();
    private final Clock clock = new BrokerClock();
    private final Runnable onStall;
    private final History history = new History();
    private final int stores;
    private final Machines machines;
    private final Ledger ledger;
    private final BrokerOptions options;
    private final int backlogMax;
    private final Administration administration;
    private final Partitions partitions;
    private @Nullable BrokerProcess process;
    private long turns;

    /** @param onStall runs while a store is in the middle of a commit */
    World(long seed, StoreKind kind, Runnable onStall) {
        this.onStall = onStall;
        random = new SeededRandom(SeededRandom.mix(seed));
        stores = random.perMille(600) ? 1 : 2;
        int credits = seed % THROTTLED_SEEDS == 6 ? 5 + (int) (seed % 45) : 0;
        partitions = Partitions.of(seed, credits > 0);
        ledger = new Ledger(stores, partitions.fragments(), credits, clock);
        machines = switch (kind) {
            case SINGLE -> new SingleMachine(this, stores, random);
            case CLUSTER -> new ClusterMachines(this, stores, random);
        };
        options = options(random, credits, partitions);
        backlogMax = random.perMille(200) ? LONG_BACKLOG_MAX : BACKLOG_MAX;
        process = open(machines.start());
        administration = new Administration(this, EntityPlan.of(random, partitions));
        administration.createAll();
    }

    /** The time of the newest broker. Before the first one it is the true time. */
    private final class BrokerClock implements Clock {
        @Override
        public long nowMs() {
            BrokerProcess newest = process;
            return newest == null ? time.nowMs() : newest.clock.nowMs();
        }

        @Override
        public long pauseNanos() {
            return time.pauseNanos();
        }

        @Override
        public String toString() {
            return "now " + nowMs();
        }
    }

    // --- called by machines ---

    /** Called when a batch has become durable: once for each batch, in order. */
    void durable(int store, List<Write> writes) {
        history.add(writes);
        ledger.durable(store, writes);
    }

    /** Called when the commit of the newest broker takes long. Other events may happen during the call. */
    void stalls(int store) {
        BrokerProcess mine = process();
        mine.stalled[store] = true;
        checkRules(ledger.subscriptions(store)); // rules must not show a change before its commit
        try {
            onStall.run();
        } finally {
            mine.stalled[store] = false;
        }
        if (mine == process) {
            ledger.hasStalled();
        }
    }

    private static BrokerOptions options(SeededRandom random, int credits, Partitions partitions) {
        NamespaceOptions namespace = new NamespaceOptions(
                "sim",
                List.of(AccessRule.root("key")),
                Limits.of(partitions.tier()),
                random.perMille(500) ? ExpiryEnforcement.BACKGROUND : ExpiryEnforcement.ON_RECEIVER,
                credits,
                TransferFailureTarget.TRANSFER_DLQ,
                false,
                partitions.partitioning());
        boolean tight = random.perMille(500);
        return new BrokerOptions(List.of(namespace), 1 << 20, 10_000, tight ? 2_048 : 1 << 20, tight ? 16 : 10_000);
    }

    private BrokerProcess open(Machines.Environment environment) {
        ledger.processBegins(environment.clock().steady().nowMs());
        try {
            DrivenBroker driven = DrivenBroker.open(
                    options, environment.stores(), environment.clock(), new Random(random.nextLong()));
            return new BrokerProcess(driven, environment.clock().steady(), stores);
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.DISK_FULL) {
                throw new Violation("Expected the stores to be readable, but got " + e, e);
            }
            // A start with unfinished deletions needs free space for them. Without it the start fails, and the operator
            // frees space.
            machines.makeRoom();
            Machines.Environment next = machines.start();
            ledger.processEnds();
            return open(next);
        }
    }

    /** Kills the process of the newest broker and starts the next one. */
    void kill() {
        machines.kill();
        replace();
    }

    /** Starts the next process, which finds what is durable. */
    void replace() {
        Machines.Environment next = machines.start();
        ledger.processEnds();
        process = open(next);
        administration.processEnded();
    }

    /** Returns the newest process of the broker. */
    BrokerProcess process() {
        if (process == null) {
            throw new IllegalStateException("Expected a process, but none has started.");
        }
        return process;
    }

    private DrivenBroker driven() {
        return process().driven;
    }

    // --- time and turns ---

    /**
     * Runs one turn of the shard of a store. Returns false if there was no work or the shard is in the middle of a
     * turn.
     */
    boolean turn(int store) {
        BrokerProcess mine = process();
        if (mine.stalled[store] || !machines.isRunning()) {
            return false;
        }
        ledger.turnBegins(store, mine.clock, mine.stopped[store]);
        boolean worked = mine.driven.turn(store);
        if (mine != process) {
            return worked; // another node leads since then
        }
        if (++turns % TURNS_PER_LOOK == 0) {
            checkMemory();
        }
        boolean trouble = isTroubled(store);
        for (String path : ledger.turnEnds(store, trouble)) {
            Entity entity = namespace().entity(path);
            if (entity == null) {
                throw new Violation("Expected '" + path + "' to exist.");
            }
            ledger.audit().checkCounts(path, entity.counts());
        }
        checkRules(trouble ? List.of() : ledger.changedRules(store));
        return worked;
    }

    /** Checks that subscriptions show the rules on the disk. */
    private void checkRules(List<String> subscriptions) {
        for (String path : subscriptions) {
            Entity entity = namespace().entity(path);
            ledger.audit().checkRules(path, entity == null ? List.of() : entity.rules());
        }
    }

    /** Runs one turn of each shard. */
    void turnAll() {
        for (int store = 0; store < stores; store++) {
            turn(store);
        }
    }

    /** Lets throttled clients wait until they have credits for urgent requests. */
    void awaitCredits() {
        if (ledger.credits().areLimited()) {
            time.pass(2_000);
        }
    }

    /** Stops or starts a store, as an operator would. */
    void operate(int store, boolean stop) {
        ledger.disturb();
        process().stopped[store] = stop;
        if (stop) {
            driven().broker().stopStore(store);
        } else {
            driven().broker().startStore(store);
        }
    }

    /**
     * Checks that the memory of each shard stays within the configured limits, plus the windows that remain after
     * trimming.
     */
    private void checkMemory() {
        for (ShardFigures figures : driven().broker().shards()) {
            long trackedMax = Math.max(options.cachedMessagesMax(), WINDOWS * administration.windowCount());
            if (figures.cachedBytes() > options.cacheBytesMax()
                    || figures.trackedMessages() > trackedMax + TAKEN_IN_A_TURN) {
                throw new Violation("Expected at most " + options.cacheBytesMax() + " cached bytes and " + trackedMax
                        + " tracked messages in memory, but there are " + figures.cachedBytes() + " and "
                        + figures.trackedMessages() + ".");
            }
        }
    }

    boolean isTroubled(int store) {
        return !driven().isServing(store);
    }

    /** Runs turns of all shards until none has any work. */
    void rest() {
        for (int i = 0; i < REST_TURNS_MAX; i++) {
            if (!machines.isRunning()) {
                return;
            }
            boolean worked = false;
            for (int store = 0; store < stores; store++) {
                worked |= turn(store);
            }
            for (int store = 0; store < stores; store++) {
                // A turn that only commits delayed settlements counts as idle. During a long commit, clients make
                // requests.
                worked |= driven().isServing(store) && hasTasks(store);
            }
            if (!worked) {
                ledger().audit().checkFetches();
                return;
            }
        }
        throw new Violation(
                "Expected the shards to finish their work, but they still work after " + REST_TURNS_MAX + " turns.");
    }

    /**
     * Returns the time of the next work of any shard in milliseconds since the epoch; {@link Long#MAX_VALUE} if there
     * is none.
     */
    long nextWorkMs() {
        long next = Long.MAX_VALUE;
        for (int store = 0; store < stores; store++) {
            next = Math.min(next, driven().nextWorkMs(store));
        }
        return next;
    }

    boolean isStalled() {
        return process().isStalled();
    }

    boolean hasTasks(int store) {
        return driven().hasTasks(store);
    }

    /** Returns the clock of the newest broker. */
    Clock clock() {
        return clock;
    }

    /** Returns the true time. */
    VirtualClock time() {
        return time;
    }

    int stores() {
        return stores;
    }

    Machines machines() {
        return machines;
    }

    // --- entities ---

    Namespace namespace() {
        return driven().broker().namespace(null);
    }

    @Nullable
    Entity entity(String path) {
        return namespace().entity(path);
    }

    /** Returns the number of fragments of a partitioned entity. */
    int partitions() {
        return partitions.fragments();
    }

    /** Returns the message count of an entity at which senders stop. */
    int backlogMax() {
        return backlogMax;
    }

    /** Returns the administrator, which creates, changes and deletes entities. */
    Administration administration() {
        return administration;
    }

    Ledger ledger() {
        return ledger;
    }

    History history() {
        return history;
    }
}
