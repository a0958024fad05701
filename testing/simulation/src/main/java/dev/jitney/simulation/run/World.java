package dev.jitney.simulation.run;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.ShardFigures;
import dev.jitney.runtime.sharded.DrivenBroker;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.DiskWatcher;
import dev.jitney.simulation.disk.SimulatedDisk;
import dev.jitney.simulation.disk.SimulatedStore;
import dev.jitney.simulation.disk.Write;
import dev.jitney.simulation.model.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The broker with its disks and its clock, and the ledger that checks it. Disks, clock and ledger outlive the processes
 * of the broker.
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
    private final VirtualClock clock = new VirtualClock();
    private final History history = new History();
    private final List<SimulatedDisk> disks = new ArrayList<>();
    private final boolean[] stalled;
    private final boolean[] stopped;
    private final Ledger ledger;
    private final BrokerOptions options;
    private final int backlogMax;
    private final Administration administration;
    private final Partitions partitions;
    private DrivenBroker driven;
    private long turns;

    /** @param onStall runs while a store is in the middle of a commit */
    World(long seed, Runnable onStall) {
        random = new SeededRandom(SeededRandom.mix(seed));
        int stores = random.perMille(600) ? 1 : 2;
        stalled = new boolean[stores];
        stopped = new boolean[stores];
        int credits = seed % THROTTLED_SEEDS == 6 ? 5 + (int) (seed % 45) : 0;
        partitions = Partitions.of(seed, credits > 0);
        ledger = new Ledger(stores, partitions.fragments(), credits, clock);
        for (int i = 0; i < stores; i++) {
            disks.add(new SimulatedDisk(new SeededRandom(random.nextLong()), watcher(i, onStall)));
        }
        options = options(random, credits, partitions);
        backlogMax = random.perMille(200) ? LONG_BACKLOG_MAX : BACKLOG_MAX;
        driven = open();
        administration = new Administration(this, EntityPlan.of(random, partitions));
        administration.createAll();
    }

    private DiskWatcher watcher(int store, Runnable onStall) {
        return new DiskWatcher() {
            @Override
            public void durable(List<Write> writes) {
                history.add(writes);
                ledger.durable(store, writes);
            }

            @Override
            public void written() {
                ledger.written(store);
            }

            @Override
            public void fault() {
                ledger.disturb();
                if (isTroubled(store)) {
                    ledger.storeIsNotBack(store);
                }
            }

            @Override
            public void opened() {
                ledger.storeIsBack(store);
            }

            @Override
            public void stalls() {
                stalled[store] = true;
                checkRules(ledger.subscriptions(store)); // rules must not show a change before its commit
                onStall.run();
                stalled[store] = false;
                ledger.hasStalled();
            }
        };
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

    private DrivenBroker open() {
        List<MessagingStore> stores = new ArrayList<>();
        for (int i = 0; i < disks.size(); i++) {
            stores.add(new SimulatedStore(disks.get(i)));
            stalled[i] = false;
            stopped[i] = false;
        }
        ledger.processBegins(clock.nowMs());
        try {
            return DrivenBroker.open(options, stores, clock, new Random(random.nextLong()));
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.DISK_FULL) {
                throw new Violation("Expected the stores to be readable, but got " + e, e);
            }
            // A start with unfinished deletions needs free space for them. Without it the start fails, and the operator
            // frees space.
            disks.forEach(disk -> disk.leaveRoom(Long.MAX_VALUE));
            endProcess();
            return open();
        }
    }

    private void endProcess() {
        disks.forEach(SimulatedDisk::crash);
        ledger.processEnds();
    }

    /** Kills the process and starts the next one with the same disks. */
    void kill() {
        endProcess();
        driven = open();
        administration.processEnded();
    }

    // --- time and turns ---

    void turnBackClock(long ms) {
        ledger.clockGoesBack(clock.nowMs());
        clock.pass(-ms);
    }

    /**
     * Runs one turn of the shard of a store. Returns false if there was no work or the shard is in the middle of a
     * turn.
     */
    boolean turn(int store) {
        if (stalled[store]) {
            return false;
        }
        ledger.turnBegins(store, clock, stopped[store]);
        boolean worked = driven.turn(store);
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
        for (int store = 0; store < disks.size(); store++) {
            turn(store);
        }
    }

    /** Lets throttled clients wait until they have credits for urgent requests. */
    void awaitCredits() {
        if (ledger.credits().areLimited()) {
            clock.pass(2_000);
        }
    }

    /** Stops or starts a store, as an operator would. */
    void operate(int store, boolean stop) {
        ledger.disturb();
        stopped[store] = stop;
        if (stop) {
            driven.broker().stopStore(store);
        } else {
            driven.broker().startStore(store);
        }
    }

    /**
     * Checks that the memory of each shard stays within the configured limits, plus the windows that remain after
     * trimming.
     */
    private void checkMemory() {
        for (ShardFigures figures : driven.broker().shards()) {
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
        return !driven.isServing(store);
    }

    /** Runs turns of all shards until none has any work. */
    void rest() {
        for (int i = 0; i < REST_TURNS_MAX; i++) {
            boolean worked = false;
            for (int store = 0; store < disks.size(); store++) {
                worked |= turn(store);
            }
            for (int store = 0; store < disks.size(); store++) {
                // A turn that only commits delayed settlements counts as idle. During a long commit, clients make
                // requests.
                worked |= driven.isServing(store) && hasTasks(store);
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
        for (int store = 0; store < disks.size(); store++) {
            next = Math.min(next, driven.nextWorkMs(store));
        }
        return next;
    }

    boolean isStalled() {
        for (boolean one : stalled) {
            if (one) {
                return true;
            }
        }
        return false;
    }

    boolean hasTasks(int store) {
        return driven.hasTasks(store);
    }

    VirtualClock clock() {
        return clock;
    }

    int stores() {
        return disks.size();
    }

    SimulatedDisk disk(int store) {
        return disks.get(store);
    }

    // --- entities ---

    Namespace namespace() {
        return driven.broker().namespace(null);
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
