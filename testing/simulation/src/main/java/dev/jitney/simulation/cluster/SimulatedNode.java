package dev.jitney.simulation.cluster;

import dev.jitney.cluster.Entry;
import dev.jitney.cluster.EntryException;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A node: its disk with the log and a copy of each store, and the process that applies agreed entries.
 *
 * <p>Its fields are the state of Raft, which {@link SimulatedCluster} changes.
 */
final class SimulatedNode {
    /** The state of the process of a node. */
    enum State {
        RUNNING,
        /** The process stands still, and continues later without noticing. */
        FROZEN,
        DOWN
    }

    final int number;
    final NodeClock clock;
    State state = State.RUNNING;

    /** The network connects this node with no other one. */
    boolean cutOff;

    // On the disk.
    long identity;
    long term;
    NodeLog log;
    private final List<SimulatedReplica> replicas = new ArrayList<>();

    // In memory.
    private final List<StoreReplica> rules = new ArrayList<>();
    private long[] knownUpTo;

    /** The index up to which the node knows that entries are agreed on. */
    long commit;

    private long applied;

    /** The last entry that was applied before the process began. */
    private long begin;

    /** A place up to {@link #applied} at which no batch has parts on both sides. A restart may begin there (CL-7). */
    private long safe;

    /** The term in which this node leads in its own opinion; 0 if it does not lead. */
    long leads;

    /** By member, the index up to which it has synced the log of this leader. */
    final Map<Long, Long> matches = new HashMap<>();

    /** The true time in milliseconds when this node last received something from a leader. */
    long heardMs;

    /** The true time in milliseconds when a majority last answered this leader. */
    long contactMs;

    private final Consumer<SimulatedNode> readFails;

    /** @param readFails is called when a read fails or the disk is found to be full */
    SimulatedNode(
            int number,
            long identity,
            int stores,
            Members members,
            NodeClock clock,
            Consumer<SimulatedNode> readFails) {
        this.readFails = readFails;
        this.number = number;
        this.identity = identity;
        this.clock = clock;
        this.log = new NodeLog(members);
        this.knownUpTo = new long[stores];
        for (int i = 0; i < stores; i++) {
            replicas.add(new SimulatedReplica(() -> readFails.accept(this)));
        }
        open();
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    SimulatedReplica replica(int store) {
        return replicas.get(store);
    }

    int stores() {
        return replicas.size();
    }

    long applied() {
        return applied;
    }

    /** Removes all planned faults of the disk. */
    void heal() {
        replicas.forEach(SimulatedReplica::heal);
    }

    /** Ends the process: all memory is lost, and unsynced entries may be. */
    void kill(SeededRandom random) {
        state = State.DOWN;
        leads = 0;
        log.crash(random);
        heal();
    }

    /** Starts the process again. */
    void restart() {
        state = State.RUNNING;
        leads = 0;
        replicas.forEach(SimulatedReplica::reopen);
        open();
    }

    /** Throws the disk away. The node comes back with an empty one. */
    void wipe(long newIdentity) {
        identity = newIdentity;
        term = 0;
        log = new NodeLog(Members.NOBODY);
        for (int i = 0; i < replicas.size(); i++) {
            replicas.set(i, new SimulatedReplica(() -> readFails.accept(this)));
        }
        restart();
    }

    /** Opens the copies, as the rules of the product find them. */
    private void open() {
        rules.clear();
        long smallest = Long.MAX_VALUE;
        for (int i = 0; i < replicas.size(); i++) {
            rules.add(new StoreReplica(replicas.get(i)));
            knownUpTo[i] = replicas.get(i).position().index();
            smallest = Math.min(smallest, knownUpTo[i]);
        }
        applied = Math.max(log.start(), smallest);
        applied = Math.min(applied, log.last());
        begin = applied;
        safe = applied;
        commit = applied;
    }

    /**
     * Applies the agreed entries up to an index.
     *
     * @return the result of the last one; KNOWN if all were applied before
     */
    StoreReplica.Result apply(long upTo, AgreedLog agreed) throws StoreException {
        StoreReplica.Result result = StoreReplica.Result.KNOWN;
        while (applied < upTo) {
            long index = applied + 1;
            Logged entry = log.get(index);
            agreed.requireSame(index, entry, this);
            result = apply(index, entry);
            agreed.requireEffect(index, result, isKnown(index, entry), begin, this);
            applied = index;
            if (rules.stream().noneMatch(StoreReplica::hasOpenParts)) {
                safe = index;
            }
        }
        return result;
    }

    private StoreReplica.Result apply(long index, Logged entry) throws StoreException {
        byte[] bytes = entry.bytes;
        if (bytes == null) {
            rules.forEach(rule -> rule.dropPartsBefore(entry.term));
            return StoreReplica.Result.SKIPPED;
        }
        try {
            Entry decoded = Entry.decode(bytes.clone());
            return rules.get(decoded.store()).apply(decoded, entry.term, index);
        } catch (EntryException e) {
            throw new Violation("Expected an undamaged entry, but got " + e.getMessage(), e);
        }
    }

    private boolean isKnown(long index, Logged entry) {
        return entry.decision != null && index <= knownUpTo[entry.decision.store()];
    }

    /** Returns the index up to which a restart needs no entries, because all stores have them in table files. */
    long replayIndex() {
        long index = safe;
        for (SimulatedReplica replica : replicas) {
            if (replica.flushedIndex() < replica.position().index()) {
                index = Math.min(index, replica.flushedIndex());
            }
        }
        return index;
    }

    /**
     * Takes checkpoints of a leader in place of the own copies. A copy that is further stays, and is written to table files.
     *
     * @param count the number of stores after which the process is killed
     */
    void install(SimulatedNode leader, int count) {
        for (int i = 0; i < count; i++) {
            Path directory = Path.of("incoming-" + i);
            leader.replicas.get(i).checkpoint(directory);
            replicas.get(i).put(directory, leader.replicas.get(i).take(directory));
            if (!replicas.get(i).replaceBy(directory)) {
                flush(i);
            }
        }
        if (count == replicas.size()) {
            log.startBehind(leader.safe, leader.log.term(leader.safe), leader.log.members(leader.safe));
            open();
        }
    }

    /** Writes recent rows of a store to table files. */
    void flush(int store) {
        replicas.get(store).flush();
    }

    /** Removes entries that no restart needs. */
    void purge(long index) {
        log.purge(Math.min(index, replayIndex()));
    }

    /** Returns the latest time of all entries that the stores of this node have (CL-13). */
    long timeMs() {
        long latest = 0;
        for (SimulatedReplica replica : replicas) {
            latest = Math.max(latest, replica.position().timeMs());
        }
        return latest;
    }

    @Override
    public String toString() {
        return "node " + number;
    }
}
