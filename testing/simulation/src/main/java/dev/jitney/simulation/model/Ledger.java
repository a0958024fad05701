package dev.jitney.simulation.model;

import dev.jitney.model.EntityDescription;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reference model: what is stored, who holds what, and what was promised.
 *
 * <p>It follows the batches that become durable and what clients hear, in the order in which they do, and judges every step by
 * the rules of the service. So it never has to guess whether something that failed has happened: the disk says so, and the step
 * is judged like any other.
 */
public final class Ledger {
    private final Map<Long, Shelf> shelves = new LinkedHashMap<>();
    private final Map<String, List<Shelf>> byPath = new LinkedHashMap<>();

    private final Map<String, IntPredicate> filters = new HashMap<>();

    private final Set<Request> pending = new LinkedHashSet<>();
    private final List<Request> uncertain = new ArrayList<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final Map<Long, Request.Send> sends = new HashMap<>();
    private final long[] turnMs;
    private final boolean[] troubled;
    private final long[] turns;
    private final long[] begunMs;

    /** What time it was for a store before the turn that is under way. */
    private final long[] beforeMs;

    /** How much had gone wrong when the last turn of a store began, and when the one before it did. */
    private final long[] disturbancesAtBegin;

    private final long[] disturbancesBefore;

    /** Entities whose deletion was asked for. */
    private final Set<String> toBeDeleted = new HashSet<>();

    private long disturbances;
    private long requests;
    private long horizon = Long.MAX_VALUE;
    private final long[] horizons;

    /** The horizons of the batches whose answers and deliveries are being told. */
    private final long[] heard;

    private final List<Dealing> dealings = new ArrayList<>();
    private final SessionStates states = new SessionStates(this);
    private final Desk desk = new Desk(this);
    private final Audit audit = new Audit(this);
    private final Answers answers = new Answers(this);
    private final Deliveries deliveries = new Deliveries(this);
    private final BatchJudge judge = new BatchJudge(this);

    public Ledger(int stores) {
        turnMs = new long[stores];
        troubled = new boolean[stores];
        turns = new long[stores];
        begunMs = new long[stores];
        beforeMs = new long[stores];
        horizons = new long[stores];
        Arrays.fill(horizons, Long.MAX_VALUE);
        heard = horizons.clone();
        disturbancesBefore = new long[stores];
        disturbancesAtBegin = new long[stores];
    }

    /** What is to be true of all of it. */
    public Audit audit() {
        return audit;
    }

    /** Where clients ask. */
    public Desk desk() {
        return desk;
    }

    List<Dealing> dealings() {
        return dealings;
    }

    Answers answers() {
        return answers;
    }

    Deliveries deliveries() {
        return deliveries;
    }

    /** How often copies have come and gone, and why. */
    public Map<Step, Long> steps() {
        return judge.steps();
    }

    // --- what the simulator tells ---

    /**
     * A shard begins a turn.
     *
     * @param stopped whether an operator has stopped its store, so that nothing happens in it
     */
    public void turnBegins(int store, long nowMs, boolean stopped) {
        begunMs[store] = nowMs;
        if (!troubled[store] && !stopped) { // else what the last batch has come to is judged by the time it was made
            turnMs[store] = Math.max(turnMs[store], nowMs);
        }
        beforeMs[store] = turnMs[store];
        turns[store]++;
        disturbancesBefore[store] = disturbancesAtBegin[store];
        disturbancesAtBegin[store] = disturbances;
    }

    /** A batch of a store is written; what is asked for until it is durable has no part in it. */
    public void written(int store) {
        horizons[store] = requests;
    }

    /** A batch of a store has become durable. */
    public void durable(int store, List<Write> writes) {
        horizon = horizons[store];
        heard[store] = horizon;
        guard(() -> judge.judge(store, writes));
        horizon = Long.MAX_VALUE;
        horizons[store] = Long.MAX_VALUE;
    }

    /**
     * A turn has ended; what it has taken must have been told.
     *
     * @return entities whose counters may have changed
     */
    public List<String> turnEnds(int store, boolean trouble) {
        if (trouble && !troubled[store]) {
            check(
                    disturbances != disturbancesBefore[store],
                    "Expected the shard to work while nothing is wrong",
                    store);
        }
        troubled[store] = trouble;
        heard[store] = Long.MAX_VALUE;
        if (!trouble) {
            deliveries.leaversAreGone(store);
        }
        List<String> paths = new ArrayList<>();
        judge.turnEnds(store);
        for (Shelf shelf : judge.takeTouched(store)) {
            deliveries.turnEnded(shelf);
            if (!shelf.gone && !trouble) {
                paths.add(shelf.path);
            }
        }
        return paths;
    }

    /** A store is open again and has shown what it has. */
    public void storeIsBack(int store) {
        settleUncertain(store);
        for (Dealing dealing : List.copyOf(dealings)) {
            List<Shelf> of = shelvesOf(dealing.home);
            if (dealing.hasWorked() && (of.isEmpty() || of.get(0).store == store)) {
                end(dealing);
            }
        }
        deliveries.storeIsBack(store);
        turnMs[store] = Math.max(turnMs[store], begunMs[store]);
    }

    /** A store that was open again could not be read after all: its shard has not begun to work, and knows no later time. */
    public void storeIsNotBack(int store) {
        if (troubled[store]) {
            turnMs[store] = beforeMs[store];
        }
    }

    /** Something went wrong: answers may be refusals for a while. */
    public void disturb() {
        disturbances++;
    }

    /** A process reads what the stores have. */
    public void processBegins(long nowMs) {
        Arrays.fill(turnMs, nowMs);
        Arrays.fill(beforeMs, nowMs);
    }

    /** The process has gone with all that it had in memory. */
    public void processEnds() {
        uncertain.addAll(pending);
        pending.clear();
        for (int store = 0; store < turnMs.length; store++) {
            settleUncertain(store);
        }
        uncertain.clear();
        Arrays.fill(horizons, Long.MAX_VALUE);
        Arrays.fill(heard, Long.MAX_VALUE);
        List.copyOf(dealings).forEach(this::end);
        deliveries.processEnded();
        listeners.clear();
        Arrays.fill(troubled, false);
        disturb();
    }

    void end(Dealing dealing) {
        dealing.end();
        dealings.remove(dealing);
    }

    /** No more can come of what is uncertain: the disk has shown all. */
    private void settleUncertain(int store) {
        uncertain.removeIf(request -> {
            List<Shelf> of = shelvesOf(request.path);
            boolean settled = of.isEmpty() || of.get(0).store == store;
            if (settled && request instanceof Request.Send send) {
                answers.forget(send);
            } else if (settled && request instanceof Request.Settle settle) {
                settle.forget();
            }
            return settled;
        });
    }

    // --- what clients do ---

    /** An entity is to be created or changed. */
    public void ask(EntityDescription description) {
        judge.entities().ask(description);
    }

    /** Which tags a subscription takes. */
    public void filter(String subscription, IntPredicate takes) {
        filters.put(key(subscription), takes);
    }

    /** An entity is to be deleted. */
    public void askToDelete(String path) {
        toBeDeleted.add(key(path));
    }

    // --- what the parts share ---

    SessionStates states() {
        return states;
    }

    BatchJudge judge() {
        return judge;
    }

    /** Requests that may still take effect: those without an answer, and those whose answer leaves it open. */
    List<Request> open() {
        List<Request> all = new ArrayList<>(uncertain);
        all.addAll(pending);
        return all;
    }

    Set<Request> pending() {
        return pending;
    }

    List<Request> uncertain() {
        return uncertain;
    }

    List<Listener> listeners() {
        return listeners;
    }

    Map<Long, Request.Send> sends() {
        return sends;
    }

    long nextRequest() {
        return requests++;
    }

    /** Requests from this one on explain nothing of the batch that is being judged. */
    long horizon() {
        return horizon;
    }

    /** The same for what is told of the last batch of a store; without a limit if it did not take long. */
    long heard(int store) {
        return heard[store];
    }

    long disturbances() {
        return disturbances;
    }

    boolean isTroubled() {
        for (boolean one : troubled) {
            if (one) {
                return true;
            }
        }
        return false;
    }

    /** Whether something has gone wrong since the last turn of some store. */
    boolean isDisturbed() {
        for (long before : disturbancesBefore) {
            if (before != disturbances) {
                return true;
            }
        }
        return isTroubled();
    }

    boolean isTroubled(int store) {
        return troubled[store];
    }

    /** The time of the last turn of the shard that has an entity. */
    long nowMs(String path) {
        List<Shelf> of = shelvesOf(path);
        return of.isEmpty() ? 0 : turnMs[of.get(0).store];
    }

    long nowMs(Shelf shelf) {
        return turnMs[shelf.store];
    }

    long nowMs(int store) {
        return turnMs[store];
    }

    Map<Long, Shelf> shelves() {
        return shelves;
    }

    static long shelfKey(long entityId, int fragment) {
        return entityId << 16 | fragment;
    }

    static String key(String path) {
        return path.toLowerCase(java.util.Locale.ROOT);
    }

    List<Shelf> shelvesOf(String path) {
        return byPath.getOrDefault(key(path), List.of());
    }

    /** The shelf a number of an entity speaks of; null if there is no such entity. */
    @Nullable
    Shelf shelfOf(String path, long number) {
        List<Shelf> all = shelvesOf(path);
        if (all.size() <= 1) {
            return all.isEmpty() ? null : all.get(0);
        }
        int fragment = (int) (number >>> 48);
        return fragment < all.size() ? all.get(fragment) : null;
    }

    /** Whether a subscription takes messages with a tag. */
    boolean takes(String subscription, int tag) {
        IntPredicate takes = filters.get(key(subscription));
        return takes == null || takes.test(tag);
    }

    /** The shelves of a topic's subscriptions. */
    List<Shelf> subscriptions(String topic) {
        String prefix = key(topic) + "/subscriptions/";
        List<Shelf> all = new ArrayList<>();
        byPath.forEach((path, of) -> {
            if (path.startsWith(prefix)) {
                all.addAll(of);
            }
        });
        return all;
    }

    Set<String> paths() {
        return byPath.keySet();
    }

    boolean isToBeDeleted(String path) {
        return toBeDeleted.contains(key(path));
    }

    /** How many turns of a store have begun. */
    long turns(int store) {
        return turns[store];
    }

    void add(Shelf shelf) {
        shelves.put(shelfKey(shelf.entityId, shelf.fragment), shelf);
        byPath.computeIfAbsent(key(shelf.path), p -> new ArrayList<>()).add(shelf);
    }

    void remove(Shelf shelf) {
        shelf.gone = true;
        List<Shelf> all = byPath.get(key(shelf.path));
        if (all != null) {
            all.remove(shelf);
            if (all.isEmpty()) {
                byPath.remove(key(shelf.path));
            }
        }
    }

    void check(boolean holds, String otherwise, Object about) {
        if (!holds) {
            throw new Violation(otherwise + ": " + about + ".");
        }
    }

    void check(boolean holds, Supplier<String> otherwise, Object about) {
        if (!holds) {
            throw new Violation(otherwise.get() + ": " + about + ".");
        }
    }

    /** Nothing that goes wrong in here may be taken for a fault of the broker's surroundings. */
    void guard(Runnable judging) {
        try {
            judging.run();
        } catch (RuntimeException e) {
            throw new Violation("The model met a bug: " + e, e);
        }
    }
}
