package dev.jitney.simulation.cluster;

import dev.jitney.cluster.Entry;
import dev.jitney.cluster.EntryException;
import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.TermEndedException;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.simulation.SeededRandom;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.SimulatedCrash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes with a log that they agree on by the rules of Raft. Everything that takes several messages happens in one call:
 * an election, or the way of an entry to the other nodes. The simulator decides which messages arrive, who fails in the
 * middle, and when a node notices. For one thread.
 */
public final class SimulatedCluster {
    private static final int NODES = 3;

    /** The number of checkpoints after which one certainly arrives. */
    private static final int INSTALLS_MAX = 100;

    /** The shortest time without a leader after which nodes vote for another one. */
    private static final long ELECTION_MS = 1_000;

    /** The time for which a leader may release outputs after a majority has answered (CL-9). */
    private static final long LEASE_MS = ELECTION_MS * 9 / 10;

    private static final long ELECTION_SPREAD_MS = 600;

    /** The largest difference of a node's clock from the true time. */
    private static final long CLOCK_MS = 100_000;

    /** The fault that happens at the next commit of the leader. */
    public enum Plan {
        NOTHING,
        /** The consensus refuses the batch, and no log has it. */
        REFUSE,
        /** Other events happen before the batch is agreed on. */
        STALL,
        /** The process of the leader stands still when the batch is in its log; others may elect a leader meanwhile. */
        FREEZE,
        /** The network disconnects the leader when some nodes may have the batch. */
        CUT_OFF,
        /** The batch is agreed on, and the leader does not get to know. */
        LOSE_ANSWER,
        /** The node loses the leadership and leads again in a later term, in which its log has the batch (CL-3). */
        COME_BACK,
        /** The log has the batch twice. */
        TWICE,
        /** The leader stops leading after some parts of the batch (CL-7). */
        PART_WAY,
        /** The consensus does not take one of the parts of the batch, but the others (CL-7). */
        PART_LOST,
        /** The batch is agreed on, and the leader's copy fails to take it. */
        APPLY_FAILS,
        /** The leader is killed before other nodes have the batch. */
        KILL_UNSENT,
        /** The leader is killed when other nodes have the batch. */
        KILL_SENT,
        /** The leader is killed after the batch was agreed on and before the broker gets to know. */
        KILL_AGREED
    }

    private final SeededRandom random;
    private final Clock time;
    private final LongConsumer pass;
    private final ClusterWatcher watcher;
    private final AgreedLog agreed;
    private final List<SimulatedNode> nodes = new ArrayList<>();

    /** The largest size of the parts of a batch in bytes. */
    private final int partBytes;

    private Plan plan = Plan.NOTHING;
    private long terms;
    private long identities;
    private @Nullable Leadership current;

    /**
     * @param time the true time, which never runs back
     * @param pass lets this number of milliseconds pass
     */
    public SimulatedCluster(int stores, SeededRandom random, Clock time, LongConsumer pass, ClusterWatcher watcher) {
        this.random = random;
        this.time = time;
        this.pass = pass;
        this.watcher = watcher;
        this.agreed = new AgreedLog(stores, watcher::durable);
        this.partBytes = random.perMille(500) ? Entry.BYTES_MAX : (int) random.between(50, 2_000);
        Members founders = new Members(Set.of(1L, 2L, 3L), null);
        for (int i = 0; i < NODES; i++) {
            NodeClock clock = new NodeClock(time);
            clock.set(random.between(-CLOCK_MS, CLOCK_MS));
            nodes.add(new SimulatedNode(i, ++identities, stores, founders, clock, this::readFails));
        }
    }

    private void readFails(SimulatedNode node) {
        Leadership leadership = current;
        if (leadership != null && leadership.node == node) {
            watcher.fault(leadership);
        }
    }

    // --- events ---

    /** Sets the fault for the next commit of the leader. */
    public void plan(Plan next) {
        plan = next;
    }

    /** Returns the leadership of the newest broker. */
    public Leadership current() {
        if (current == null) {
            throw new IllegalStateException("Expected a leader, but none was elected.");
        }
        return current;
    }

    /** Returns whether the node of the newest broker leads, and is connected with a majority. */
    public boolean isLeading() {
        Leadership leadership = current();
        SimulatedNode node = leadership.node;
        return !leadership.hasFailed && node.leads == leadership.term() && node.isRunning() && reachesMajority(node);
    }

    /** Returns whether a node is not the one of the newest broker. */
    public boolean isFollower(int number) {
        return current().node.number != number;
    }

    /** Kills the process of a node. It stays down until it is repaired. */
    public void kill(int number) {
        touch();
        nodes.get(number).kill(random);
    }

    /** Stops the process of a node, which does not notice it. */
    public void freeze(int number) {
        touch();
        if (nodes.get(number).isRunning()) {
            nodes.get(number).state = SimulatedNode.State.FROZEN;
        }
    }

    /** Disconnects a node from the others. */
    public void cutOff(int number) {
        touch();
        nodes.get(number).cutOff = true;
    }

    /** Restarts, continues or connects a node. */
    public void repair(int number) {
        touch();
        repair(nodes.get(number));
    }

    private static void repair(SimulatedNode node) {
        switch (node.state) {
            case DOWN -> node.restart();
            case FROZEN -> node.state = SimulatedNode.State.RUNNING;
            case RUNNING -> node.cutOff = false;
        }
    }

    /** Repairs all nodes and removes all planned faults. */
    public void heal() {
        plan = Plan.NOTHING;
        touch();
        for (SimulatedNode node : nodes) {
            while (!node.isRunning() || node.cutOff) {
                repair(node);
            }
            node.heal();
        }
    }

    /** Throws the disk of a node away, unless another node without a disk has not joined yet. */
    public boolean wipe(int number) {
        touch();
        SimulatedNode lost = nodes.get(number);
        for (SimulatedNode node : nodes) {
            if (node != lost && !isMember(node)) {
                return false;
            }
        }
        lost.kill(random);
        lost.wipe(++identities);
        return true;
    }

    private boolean isMember(SimulatedNode node) {
        return members(current().node).identities().contains(node.identity);
    }

    /** Returns the members by the log of a node: the last ones that it has, whether agreed on or not. */
    private static Members members(SimulatedNode node) {
        return node.log.members(node.log.last());
    }

    /** Lets a node that has a new identity take part, if the leader can (CL-51). */
    public boolean join(int number) {
        touch();
        SimulatedNode node = nodes.get(number);
        SimulatedNode leader = current().node;
        if (!isLeading() || isMember(node) || !replicate(leader, node)) {
            return false;
        }
        Set<Long> identities = nodes.stream().map(one -> one.identity).collect(Collectors.toSet());
        Set<Long> before = members(leader).identities();
        return changeMembers(leader, new Members(identities, before))
                && changeMembers(leader, new Members(identities, null));
    }

    /** Returns whether the change was agreed on. */
    private boolean changeMembers(SimulatedNode leader, Members members) {
        append(leader, Logged.members(leader.leads, members));
        nodes.forEach(node -> replicate(leader, node));
        advance(leader);
        return leader.commit == leader.log.last();
    }

    /** Brings followers up to date, some with the news about agreed entries. */
    public void follow() {
        touch();
        SimulatedNode leader = current().node;
        for (SimulatedNode node : nodes) {
            if (leader.leads != 0 && node != leader && random.perMille(700) && replicate(leader, node)) {
                learn(leader, node);
            }
        }
    }

    /** Writes recent rows of a node to table files, and removes entries of its log. */
    public void maintain(int number) {
        SimulatedNode node = nodes.get(number);
        if (node.isRunning()) {
            for (int store = 0; store < node.stores(); store++) {
                if (random.perMille(600)) {
                    node.flush(store);
                }
            }
            if (random.perMille(600)) {
                node.purge(random.between(node.log.start(), node.log.last()));
            }
        }
    }

    /** Sets the clock of a node. */
    public void setClock(int number) {
        nodes.get(number).clock.set(random.between(-CLOCK_MS, CLOCK_MS));
    }

    /** Fills the disk of a node, or gives it room. */
    public void fill(int number, boolean full) {
        SimulatedNode node = nodes.get(number);
        for (int store = 0; store < node.stores(); store++) {
            node.replica(store).fill(full);
        }
    }

    /** Makes the next read of the leader's copy fail, or kills the process during that read. */
    public void failNextRead(int store, boolean kill) {
        current().node.replica(store).failNextRead(kill);
    }

    /** Brings all connected nodes up to date, and compares all rows of all tables (CL-85). */
    public void verify() {
        touch();
        SimulatedNode leader = current().node;
        if (!isLeading()) {
            return;
        }
        for (SimulatedNode node : nodes) {
            if (node == leader || replicate(leader, node)) {
                node.commit = Math.max(node.commit, Math.min(leader.commit, node.log.last()));
                apply(node);
                if (node.applied() == agreed.last()) {
                    agreed.requireEqual(node);
                }
            }
        }
    }

    // --- time and network ---

    /** Notes the contacts of leaders with other nodes up to now. Called before the network or a process changes. */
    private void touch() {
        for (SimulatedNode leader : nodes) {
            if (leader.leads == 0 || !leader.isRunning()) {
                continue;
            }
            for (SimulatedNode node : nodes) {
                if (node != leader && reaches(leader, node)) {
                    if (node.term <= leader.leads) {
                        node.heardMs = time.nowMs();
                    } else if (random.perMille(300)) {
                        leader.leads = 0; // otherwise it gets to know later
                    }
                }
            }
            if (leader.leads != 0 && reachesMajority(leader)) {
                leader.contactMs = time.nowMs();
            }
        }
    }

    private static boolean reaches(SimulatedNode from, SimulatedNode to) {
        return from.isRunning() && to.isRunning() && (from == to || !from.cutOff && !to.cutOff);
    }

    /** Returns whether a majority answers a leader. */
    private boolean reachesMajority(SimulatedNode leader) {
        return isMajority(members(leader), node -> reaches(leader, node) && node.term <= leader.leads);
    }

    private boolean isMajority(Members members, Predicate<SimulatedNode> counts) {
        return members.isMajority(
                identity -> nodes.stream().anyMatch(node -> node.identity == identity && counts.test(node)));
    }

    // --- elections ---

    /**
     * Elects another leader, or the same one again. All entries of earlier terms are applied when it returns (CL-11).
     *
     * @param orderly whether the leader hands over (CL-15), so that no time passes without one
     */
    public Leadership change(boolean orderly) {
        plan = Plan.NOTHING;
        touch();
        if (current != null && current.node.isRunning() && !current.node.cutOff) {
            current.node.leads = 0;
        }
        while (true) {
            SimulatedNode candidate = candidate();
            if (!orderly || random.perMille(100)) {
                pass.accept(quietMs(candidate) + random.between(0, ELECTION_SPREAD_MS));
                touch();
            }
            elect(candidate);
            if (random.perMille(300)) {
                failBeforeReady(candidate);
            } else {
                return ready(candidate);
            }
        }
    }

    /** Returns a node that a majority can vote for. Repairs nodes until there is one. */
    private SimulatedNode candidate() {
        while (true) {
            List<SimulatedNode> able = nodes.stream().filter(this::mayWin).toList();
            if (!able.isEmpty()) {
                return able.get(random.below(able.size()));
            }
            repair(nodes.get(random.below(NODES)));
        }
    }

    private boolean mayWin(SimulatedNode candidate) {
        Members members = members(candidate);
        return candidate.isRunning()
                && members.identities().contains(candidate.identity)
                && isMajority(members, node -> mayVote(node, candidate));
    }

    private static boolean mayVote(SimulatedNode node, SimulatedNode candidate) {
        long term = node.log.lastTerm();
        long candidateTerm = candidate.log.lastTerm();
        return reaches(candidate, node)
                && (term < candidateTerm || term == candidateTerm && node.log.last() <= candidate.log.last());
    }

    /** Returns the time until nodes vote, because no leader has sent them anything for long enough. */
    private long quietMs(SimulatedNode candidate) {
        long heardMs = 0;
        for (SimulatedNode node : nodes) {
            heardMs = reaches(candidate, node) ? Math.max(heardMs, node.heardMs) : heardMs;
        }
        return Math.max(0, heardMs + ELECTION_MS - time.nowMs());
    }

    private void elect(SimulatedNode candidate) {
        terms += 1 + random.below(2);
        for (SimulatedNode node : nodes) {
            if (mayVote(node, candidate)) {
                node.term = terms;
                node.leads = 0;
            }
        }
        candidate.leads = terms;
        candidate.matches.clear();
    }

    private static void append(SimulatedNode leader, Logged entry) {
        leader.log.append(entry);
        leader.log.sync();
        leader.matches.put(leader.identity, leader.log.last());
    }

    /** Kills a new leader before or while the others get its first entry. */
    private void failBeforeReady(SimulatedNode leader) {
        append(leader, first(leader));
        long before = leader.log.last() - 1;
        for (SimulatedNode node : nodes) {
            if (random.perMille(400)) {
                replicate(leader, node, random.perMille(500) ? before : leader.log.last());
                advance(leader);
            }
        }
        leader.kill(random);
        if (random.perMille(500)) {
            leader.restart();
        }
    }

    /** Returns the first entry of a leader. The very first one names the members. */
    private static Logged first(SimulatedNode leader) {
        return leader.log.last() == 0
                ? Logged.members(leader.leads, leader.log.members(0))
                : Logged.first(leader.leads);
    }

    private Leadership ready(SimulatedNode leader) {
        agreed.requireAll(leader);
        append(leader, first(leader));
        for (int i = 0; i < INSTALLS_MAX && leader.commit < leader.log.last(); i++) {
            nodes.forEach(node -> replicate(leader, node));
            advance(leader);
        }
        leader.heal();
        apply(leader);
        if (leader.applied() != leader.log.last()) {
            throw new Violation("Expected the new leader " + leader + " to apply all entries, but it has applied "
                    + leader.applied() + " of " + leader.log.last() + ".");
        }
        agreed.requireEqual(leader);
        touch();
        Leadership next = new Leadership(this, leader, leader.leads);
        if (next.clock().steady().nowMs() < agreed.timeMs()) {
            throw new Violation("CL-13: Expected the time of " + next + " to start at " + agreed.timeMs()
                    + " or later, but it starts at " + next.clock().steady().nowMs() + ".");
        }
        current = next;
        return next;
    }

    // --- the log ---

    /** Sends a node all entries of a leader that it lacks, or a checkpoint. Returns whether the node has them all now. */
    private boolean replicate(SimulatedNode leader, SimulatedNode node) {
        return replicate(leader, node, leader.log.last());
    }

    /** Sends a node the entries of a leader up to an index. */
    private boolean replicate(SimulatedNode leader, SimulatedNode node, long upTo) {
        if (node == leader || !reaches(leader, node) || leader.leads == 0) {
            return node == leader;
        }
        if (node.term > leader.leads) {
            leader.leads = 0;
            return false;
        }
        node.term = leader.leads;
        node.leads = 0;
        node.heardMs = time.nowMs();
        long same = Math.min(leader.log.last(), node.log.last());
        long start = Math.max(leader.log.start(), node.log.start());
        while (same > start && leader.log.term(same) != node.log.term(same)) {
            same--;
        }
        if (same < leader.log.start() || leader.log.term(same) != node.log.term(same)) {
            if (!install(leader, node)) {
                return false;
            }
            same = node.log.last();
        }
        // Entries behind the last one that is sent may differ.
        if (same < Math.min(node.log.last(), upTo)) {
            if (same < node.commit) {
                throw new Violation("CL-1: Expected " + node + " to keep its agreed entries up to " + node.commit
                        + ", but the leader " + leader + " has others from " + (same + 1) + ".");
            }
            node.log.truncate(same);
        }
        for (long index = node.log.last() + 1; index <= upTo; index++) {
            node.log.append(leader.log.get(index));
        }
        node.log.sync();
        leader.matches.merge(node.identity, Math.max(same, upTo), Math::max);
        return true;
    }

    /** Sends a checkpoint. Sometimes the node is killed when it has replaced some stores. */
    private boolean install(SimulatedNode leader, SimulatedNode node) {
        int count = random.perMille(200) ? random.below(node.stores()) : node.stores();
        try {
            node.install(leader, count);
        } catch (StoreException e) {
            count = 0;
        }
        if (count == node.stores()) {
            return true;
        }
        node.kill(random);
        node.restart();
        return false;
    }

    /** Lets a leader count which entries a majority has, and agrees on them. Only entries of its own term count. */
    private void advance(SimulatedNode leader) {
        for (long index = leader.log.last(); index > leader.commit && leader.log.term(index) == leader.leads; index--) {
            long at = index;
            Predicate<SimulatedNode> has = node -> leader.matches.getOrDefault(node.identity, 0L) >= at;
            if (isMajority(members(leader), has)) {
                while (leader.commit < index) {
                    leader.commit++;
                    agreed.agree(leader.commit, leader.log.get(leader.commit), leader);
                }
                leader.contactMs = time.nowMs();
                return;
            }
        }
    }

    /** Informs a follower that entries are agreed on. */
    private void learn(SimulatedNode leader, SimulatedNode node) {
        if (random.perMille(500)) {
            node.commit = Math.max(node.commit, Math.min(leader.commit, node.log.last()));
            apply(node);
        }
    }

    private StoreReplica.@Nullable Result apply(SimulatedNode node) {
        try {
            return node.apply(node.commit, agreed);
        } catch (StoreException e) {
            openAgain(node);
            return null;
        }
    }

    /** Opens the log and the copies of a node again after a fault (CL-42). Nothing of an earlier term may read them. */
    private void openAgain(SimulatedNode node) {
        node.log.sync();
        if (current != null && current.node == node) {
            current.end();
        }
        node.kill(random);
        node.restart();
    }

    // --- used by leaderships ---

    CompletionStage<StoreReplica.Result> append(Leadership from, List<byte[]> entries) {
        boolean newest = from == current;
        Plan now = newest ? plan : Plan.NOTHING;
        plan = newest ? Plan.NOTHING : plan;
        touch();
        if (now == Plan.REFUSE || from.node.leads == 0) {
            return failed(from, "The node does not take the batch");
        }
        if (now == Plan.COME_BACK && from.node.leads == from.term() && reachesMajority(from.node)) {
            elect(from.node);
            append(from.node, first(from.node));
        }
        Entry first = decoded(entries.get(0));
        Decision decision =
                new Decision(from, first.store(), ++from.proposed[first.store()], from.basis[first.store()]);
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
        if (node.leads != term || newest && from != current) {
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
                spread(node, Math.max(some, node.commit));
                watcher.stalls(from, store);
            }
            case FREEZE -> {
                sendToSome(node, some);
                freeze(node.number);
                watcher.stalls(from, store);
                node.state = SimulatedNode.State.RUNNING;
                touch();
            }
            case CUT_OFF -> {
                sendToSome(node, some);
                cutOff(node.number);
                watcher.stalls(from, store);
            }
            case PART_WAY -> {
                sendToSome(node, some);
                node.leads = 0;
            }
            case KILL_UNSENT -> throw new SimulatedCrash();
            case KILL_SENT -> {
                sendToSome(node, some);
                throw new SimulatedCrash();
            }
            default -> {}
        }
    }

    /** Brings the first entries of a batch to a majority. */
    private void spread(SimulatedNode leader, long upTo) {
        leader.log.sync();
        leader.matches.put(leader.identity, leader.log.last());
        for (SimulatedNode node : nodes) {
            if (replicate(leader, node, upTo)) {
                advance(leader);
                learn(leader, node);
            }
        }
        applyAsLeader(leader, leader.commit);
    }

    private void sendToSome(SimulatedNode leader, long some) {
        if (random.perMille(500)) {
            leader.log.sync();
        }
        for (SimulatedNode node : nodes) {
            if (random.perMille(400)) {
                replicate(leader, node, Math.max(some, leader.commit));
            }
        }
    }

    /** Brings the entries of a leader to a majority. Returns the result of an entry; null if the outcome is unknown. */
    private StoreReplica.@Nullable Result agree(SimulatedNode leader, long index, Plan now) {
        leader.log.sync();
        leader.matches.put(leader.identity, leader.log.last());
        advance(leader);
        int first = random.below(NODES);
        for (int i = 0; i < NODES; i++) {
            SimulatedNode node = nodes.get((first + i) % NODES);
            if (node != leader && (leader.commit < index || random.perMille(500)) && replicate(leader, node)) {
                advance(leader);
                learn(leader, node);
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
        StoreReplica.Result result = applyAsLeader(leader, index);
        return result == null || applyAsLeader(leader, leader.commit) == null ? null : result;
    }

    /** Returns the result of an entry, or null if the copies of the leader fail. */
    private StoreReplica.@Nullable Result applyAsLeader(SimulatedNode leader, long index) {
        try {
            boolean applied = index <= leader.applied();
            StoreReplica.Result result = leader.apply(index, agreed);
            return applied ? agreed.effect(index) : result;
        } catch (StoreException e) {
            openAgain(leader);
            return null;
        }
    }

    private CompletionStage<StoreReplica.Result> failed(Leadership from, String reason) {
        fail(from);
        return CompletableFuture.failedFuture(new TermEndedException(reason));
    }

    private void fail(Leadership from) {
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
        int bytes = whole.batch().length;
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

    void opened(Leadership by, int store) {
        watcher.opened(by, store);
    }

    void requireLease(Leadership from) throws TermEndedException {
        if (!holdsLease(from)) {
            fail(from);
            throw new TermEndedException("The node has lost its lease.");
        }
    }

    /** Returns whether a leader may release outputs: no other node can lead yet (CL-9). */
    public boolean holdsLease(Leadership from) {
        touch();
        SimulatedNode node = from.node;
        return node.leads == from.term() && time.nowMs() - node.contactMs < LEASE_MS;
    }

    boolean acceptsGrowth(Leadership from) {
        boolean accepts = isMajority(
                members(from.node),
                node -> node == from.node
                        || reaches(from.node, node) && !node.replica(0).isFull());
        if (!accepts) {
            watcher.fault(from);
        }
        return accepts;
    }
}
