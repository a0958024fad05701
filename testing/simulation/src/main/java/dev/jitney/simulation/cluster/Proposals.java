package dev.jitney.simulation.cluster;

import dev.jitney.cluster.Entry;
import dev.jitney.cluster.EntryException;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.TermEndedException;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.SimulatedCrash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The batches that brokers propose, with the faults that happen on the way. */
final class Proposals {
    private final Network network;
    private final Elections elections;
    private final Replication replication;
    private final SeededRandom random;
    private final ClusterWatcher watcher;
    private final Predicate<Leadership> isNewest;

    /** The largest size of the parts of a batch in bytes. */
    private final int partBytes;

    private Plan plan = Plan.NOTHING;

    /** @param isNewest returns whether a leadership is that of the newest broker */
    Proposals(
            Network network,
            Elections elections,
            Replication replication,
            SeededRandom random,
            ClusterWatcher watcher,
            Predicate<Leadership> isNewest) {
        this.network = network;
        this.elections = elections;
        this.replication = replication;
        this.random = random;
        this.watcher = watcher;
        this.isNewest = isNewest;
        partBytes = random.perMille(500) ? Entry.BYTES_MAX : (int) random.between(50, 2_000);
    }

    /** Sets the fault for the next batch of the newest broker. */
    void plan(Plan next) {
        plan = next;
    }

    /**
     * Proposes a batch.
     *
     * @param entries the encoded entries of the batch
     */
    CompletionStage<StoreReplica.Result> append(Leadership from, List<byte[]> entries) {
        boolean newest = isNewest.test(from);
        Plan now = newest ? plan : Plan.NOTHING;
        plan = newest ? Plan.NOTHING : plan;
        network.touch();
        if (now == Plan.REFUSE || from.node.leads == 0) {
            return failed(from, "The node does not take the batch");
        }
        if (now == Plan.COME_BACK && from.node.leads == from.term() && network.reachesMajority(from.node)) {
            elections.elect(from.node);
            Replication.append(from.node, Elections.first(from.node));
        }
        Entry first = decoded(entries.get(0));
        Decision decision =
                new Decision(from.term(), first.store(), ++from.proposed[first.store()], from.basis[first.store()]);
        List<byte[]> parts = divide(entries);
        List<byte[]> taken = taken(parts, now);
        SimulatedNode node = from.node;
        long term = node.leads;
        taken.forEach(part -> node.log.append(Logged.batch(term, part, decision)));
        long last = node.log.last();
        if (now == Plan.TWICE) {
            parts.forEach(part -> node.log.append(Logged.batch(term, part, decision)));
        }
        watcher.written(from, first.store());
        happens(now, from, first.store(), last - 1 - random.below(parts.size()));
        if (node.leads != term || newest && !isNewest.test(from)) {
            return failed(from, "The node does not lead any more");
        }
        StoreReplica.Result result = agree(node, last, now);
        if (result == null || taken.size() < parts.size()) {
            return failed(from, "The node has lost its majority or its copy");
        }
        if (result == StoreReplica.Result.APPLIED) {
            from.basis[first.store()] = last;
        } else {
            fail(from);
        }
        return CompletableFuture.completedFuture(result);
    }

    /** Returns the parts of a batch that the consensus takes. */
    private List<byte[]> taken(List<byte[]> parts, Plan now) {
        List<byte[]> taken = new ArrayList<>(parts);
        if (now == Plan.PART_WAY) {
            int count = random.below(parts.size());
            taken.subList(count, parts.size()).clear();
        } else if (now == Plan.PART_LOST) {
            taken.remove(random.below(parts.size()));
        }
        return taken;
    }

    /**
     * Makes a planned fault happen when a batch is in the leader's log.
     *
     * @param some the index of the last entry that others may have
     */
    private void happens(Plan now, Leadership from, int store, long some) {
        SimulatedNode node = from.node;
        switch (now) {
            case STALL -> {
                replication.spread(node, Math.max(some, node.commit));
                watcher.stalls(from, store);
            }
            case FREEZE -> {
                replication.sendToSome(node, some);
                network.touch();
                node.state = SimulatedNode.State.FROZEN;
                watcher.stalls(from, store);
                node.state = SimulatedNode.State.RUNNING;
                network.touch();
            }
            case CUT_OFF -> {
                replication.sendToSome(node, some);
                network.touch();
                node.cutOff = true;
                watcher.stalls(from, store);
            }
            case PART_WAY -> {
                replication.sendToSome(node, some);
                node.leads = 0;
            }
            case KILL_UNSENT -> throw new SimulatedCrash();
            case KILL_SENT -> {
                replication.sendToSome(node, some);
                throw new SimulatedCrash();
            }
            default -> {}
        }
    }

    /** Brings the entries of a leader to a majority. Returns the result of an entry; null if the outcome is unknown. */
    private StoreReplica.@Nullable Result agree(SimulatedNode leader, long index, Plan now) {
        Replication.sync(leader);
        replication.advance(leader);
        List<SimulatedNode> nodes = network.nodes();
        int first = random.below(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            SimulatedNode node = nodes.get((first + i) % nodes.size());
            boolean sends = node != leader && (leader.commit < index || random.perMille(500));
            if (sends && replication.replicate(leader, node)) {
                replication.advance(leader);
                replication.learn(leader, node);
            }
        }
        if (leader.leads == 0 || leader.commit < index) {
            return null;
        }
        switch (now) {
            case LOSE_ANSWER -> {
                leader.leads = 0;
                return null;
            }
            case KILL_AGREED -> throw new SimulatedCrash();
            case APPLY_FAILS -> leader.replica(random.below(leader.stores())).failNextApply();
            default -> {}
        }
        StoreReplica.Result result = replication.applyAsLeader(leader, index);
        return result == null || replication.applyAsLeader(leader, leader.commit) == null ? null : result;
    }

    private CompletionStage<StoreReplica.Result> failed(Leadership from, String reason) {
        fail(from);
        return CompletableFuture.failedFuture(new TermEndedException(reason));
    }

    /** Ends a leadership after a failure, as soon as another leader is elected. */
    void fail(Leadership from) {
        from.hasFailed = true;
        watcher.fault(from);
    }

    private static Entry decoded(byte[] entry) {
        try {
            return Entry.decode(entry);
        } catch (EntryException e) {
            throw new Violation("Expected an undamaged entry, but got " + e.getMessage(), e);
        }
    }

    /** Divides the entry of a batch into small parts, so that many batches have several. */
    private List<byte[]> divide(List<byte[]> entries) {
        Entry whole = decoded(entries.get(0));
        int bytes = whole.length();
        if (entries.size() > 1 || bytes <= partBytes) {
            return entries;
        }
        List<byte[]> parts = new ArrayList<>();
        int count = (bytes + partBytes - 1) / partBytes;
        for (int i = 0; i < count; i++) {
            parts.add(new Entry(
                            Arrays.copyOfRange(whole.batch(), i * partBytes, Math.min(bytes, (i + 1) * partBytes)),
                            bytes,
                            i,
                            count,
                            whole.deletesRange(),
                            whole.store(),
                            whole.term(),
                            whole.number(),
                            whole.timeMs())
                    .encoded());
        }
        return parts;
    }
}
