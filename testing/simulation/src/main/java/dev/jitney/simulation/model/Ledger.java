package dev.jitney.simulation.model;

import dev.jitney.model.EntityDescription;
import dev.jitney.runtime.Clock;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    private final Shelves shelves = new Shelves();
    private final Set<Request> pending = new LinkedHashSet<>();
    private final Uncertain uncertain = new Uncertain(this);
    private final List<Listener> listeners = new ArrayList<>();
    private final Map<Long, Request.Send> sends = new HashMap<>();
    private final List<Dealing> dealings = new ArrayList<>();

    /** One for each store. */
    private final List<ShardTurns> shards = new ArrayList<>();

    /** Entities whose deletion was asked for. */
    private final Set<String> toBeDeleted = new HashSet<>();

    private long disturbances;
    private long requests;
    private long horizon = Long.MAX_VALUE;

    /** What went wrong in an answer, whose listener the broker shields itself from. */
    private @Nullable Violation heard;

    private final SessionStates states = new SessionStates(this);
    private final Rules rules = new Rules(this);
    private final Idling idling = new Idling(this);
    private final Lingering lingering = new Lingering(this);
    private final Credits credits;
    private final int partitions;
    private final Desk desk = new Desk(this);
    private final Audit audit = new Audit(this);
    private final Answers answers = new Answers(this);
    private final Deliveries deliveries = new Deliveries(this);
    private final BatchJudge judge = new BatchJudge(this);

    /**
     * @param partitions how many fragments a partitioned entity has
     * @param creditsPerSecond what clients may spend before they are throttled; 0 for as much as they like
     */
    public Ledger(int stores, int partitions, int creditsPerSecond, Clock clock) {
        this.partitions = partitions;
        credits = new Credits(this, creditsPerSecond, clock);
        for (int i = 0; i < stores; i++) {
            shards.add(new ShardTurns());
        }
    }

    /** What is to be true of all of it. */
    public Audit audit() {
        return audit;
    }

    /** Where clients ask. */
    public Desk desk() {
        return desk;
    }

    /** The clock is about to be set back. */
    public void clockGoesBack(long nowMs) {
        deliveries.clockGoesBack(nowMs);
    }

    /** What clients spend. */
    public Credits credits() {
        return credits;
    }

    /** How many fragments a partitioned entity has. */
    int partitions() {
        return partitions;
    }

    int stores() {
        return shards.size();
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
     * @param clock what the shard sees
     * @param stopped whether an operator has stopped its store, so that nothing happens in it
     */
    public void turnBegins(int store, Clock clock, boolean stopped) {
        credits.tick();
        shards.get(store).begin(clock, stopped, disturbances, requests);
    }

    /** A batch of a store is written; what is asked for until it is durable has no part in it. */
    public void written(int store) {
        shards.get(store).written(requests);
    }

    /** A batch of a store has become durable. */
    public void durable(int store, List<Write> writes) {
        horizon = shards.get(store).durable();
        guard(() -> judge.judge(store, writes));
        horizon = Long.MAX_VALUE;
    }

    /**
     * A turn has ended; what it has taken must have been told.
     *
     * @return entities whose counters may have changed
     */
    public List<String> turnEnds(int store, boolean trouble) {
        requireNothingWrong();
        ShardTurns shard = shards.get(store);
        check(
                !trouble || shard.isTroubled() || shard.isDisturbed(disturbances),
                "Expected the shard to work while nothing is wrong",
                store);
        if (!trouble) {
            idling.turnEnds(store);
        }
        shard.end(trouble);
        if (!trouble && !lingering.turnEnds(store)) {
            deliveries.leaversAreGone(store);
        }
        List<String> paths = new ArrayList<>();
        judge.turnEnds(store, trouble);
        for (Shelf shelf : judge.takeTouched(store)) {
            deliveries.turnEnded(shelf);
            if (!shelf.gone && !trouble && isShown(shelf) && !paths.contains(shelf.path)) {
                paths.add(shelf.path);
            }
        }
        shelves.turnEnds(store);
        return paths;
    }

    /** Whether the counters of an entity can be seen: of a partitioned one they are shown of what works (PART-58). */
    private boolean isShown(Shelf shelf) {
        Shelf whole = shelf.whole;
        return whole == null
                ? !shelf.path.isEmpty()
                : !whole.gone
                        && shelves.of(shelf.path).stream()
                                .noneMatch(part -> shards.get(part.store).isTroubled());
    }

    /** A store is open again and has shown what it has. */
    public void storeIsBack(int store) {
        uncertain.settle(store);
        for (Dealing dealing : List.copyOf(dealings)) {
            List<Shelf> of = shelves.of(dealing.home);
            if (dealing.hasWorked() && (of.isEmpty() || of.get(0).store == store)) {
                end(dealing);
            }
        }
        deliveries.storeIsBack(store);
        idling.lose(store);
        shards.get(store).back();
    }

    /** A store that was open again could not be read after all. */
    public void storeIsNotBack(int store) {
        shards.get(store).notBack();
    }

    /** Something went wrong: answers may be refusals for a while. */
    public void disturb() {
        disturbances++;
    }

    /** A process reads what the stores have. */
    public void processBegins(long nowMs) {
        shards.forEach(shard -> shard.restart(nowMs));
        credits.restart();
    }

    /** The process has gone with all that it had in memory. */
    public void processEnds() {
        requireNothingWrong();
        pending.forEach(uncertain::add);
        pending.clear();
        for (int store = 0; store < shards.size(); store++) {
            shelves.turnEnds(store);
            uncertain.settle(store);
        }
        uncertain.clear();
        List.copyOf(dealings).forEach(this::end);
        judge.entities().parts().processEnds();
        deliveries.processEnded();
        listeners.clear();
        for (int store = 0; store < shards.size(); store++) {
            idling.lose(store);
        }
        disturb();
    }

    void end(Dealing dealing) {
        dealing.end();
        dealings.remove(dealing);
    }

    /** Subscriptions whose rules have changed in the turn of a store that has ended. */
    public List<String> changedRules(int store) {
        return rules.takeChanged(store);
    }

    // --- what clients do ---

    /** An entity is to be created or changed. */
    public void ask(EntityDescription description, @Nullable String name) {
        if (shelves.of(description.path()).isEmpty()) {
            toBeDeleted.remove(description.path());
        }
        judge.entities().ask(description, String.valueOf(name));
    }

    /** What the next description that is asked for is to have as its user metadata, so that its row tells which one it is. */
    public String nextName() {
        return judge.entities().nextName();
    }

    /** An entity is to be deleted. */
    public void askToDelete(String path) {
        toBeDeleted.add(path);
    }

    // --- what the parts share ---

    SessionStates states() {
        return states;
    }

    Rules rules() {
        return rules;
    }

    Idling idling() {
        return idling;
    }

    BatchJudge judge() {
        return judge;
    }

    /** Requests that may still take effect: those without an answer, and those whose answer leaves it open. */
    List<Request> open() {
        List<Request> all = new ArrayList<>(uncertain.all());
        all.addAll(pending);
        return all;
    }

    Set<Request> pending() {
        return pending;
    }

    Uncertain uncertain() {
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

    /** What is known of the shard of a store. */
    ShardTurns shard(int store) {
        return shards.get(store);
    }

    long disturbances() {
        return disturbances;
    }

    /** Whether something has gone wrong since the last turn of some store. */
    boolean isDisturbed() {
        for (ShardTurns shard : shards) {
            if (shard.isTroubled() || shard.isDisturbed(disturbances)) {
                return true;
            }
        }
        return false;
    }

    /** Whether some store is in the middle of a commit. */
    boolean isCommitting() {
        return shards.stream().anyMatch(ShardTurns::isCommitting);
    }

    /** The time of the last turn of the shard that has an entity. */
    long nowMs(String path) {
        List<Shelf> of = shelves.of(path);
        return of.isEmpty() ? 0 : nowMs(of.get(0));
    }

    /** The same of the fragment that has a session. */
    long nowMs(String path, @Nullable String session) {
        Shelf shelf = shelves.ofSession(path, session);
        return shelf == null ? 0 : nowMs(shelf);
    }

    /** Whether a store works for sure; what commits may hang (PART-41). */
    boolean isHealthy(int store) {
        ShardTurns shard = shard(store);
        return !shard.isTroubled() && !shard.isDisturbed(disturbances) && !shard.isCommitting();
    }

    /** A commit has taken long, in which the clock may have gone on. */
    public void hasStalled() {
        credits().blur();
        deliveries().hasStalled();
    }

    /** The latest time that the clock or a shard has. */
    long latestMs() {
        long latest = credits().nowMs();
        for (ShardTurns shard : shards) {
            latest = Math.max(latest, shard.nowMs());
        }
        return latest;
    }

    long nowMs(Shelf shelf) {
        return shards.get(shelf.store).nowMs();
    }

    Shelves shelves() {
        return shelves;
    }

    /** Whether the status of an entity forbids something, now or before the batch that is being told, in which it may have gone. */
    boolean mayBeClosed(String path) {
        return isToBeDeleted(path) || shelves.of(path).stream().anyMatch(Shelf::isClosed);
    }

    boolean isToBeDeleted(String path) {
        return toBeDeleted.contains(path);
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

    /** Hears an answer where nothing may be thrown; what is wrong with it is told at the end of the turn. */
    public void hear(Runnable answer) {
        try {
            answer.run();
        } catch (Violation e) {
            heard = heard == null ? e : heard;
        }
    }

    private void requireNothingWrong() {
        if (heard != null) {
            throw heard;
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
