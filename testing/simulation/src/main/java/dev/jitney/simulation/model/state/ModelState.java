package dev.jitney.simulation.model.state;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state that all parts of the model share: what is stored, who waits for what, and what was asked for. */
public final class ModelState {
    private final Timeline timeline;
    private final int partitions;
    private final StoredEntities entities = new StoredEntities();
    private final Set<Request> pending = new LinkedHashSet<>();
    private final List<Request> uncertain = new ArrayList<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final Map<Long, Request.Send> sends = new HashMap<>();
    private final List<TransactionModel> openTransactions = new ArrayList<>();
    private final Map<Step, Long> steps = new EnumMap<>(Step.class);

    /** Entities whose deletion was asked for. */
    private final Set<String> toBeDeleted = new HashSet<>();

    /** Entities whose counters have to be compared when the turn is over. */
    private final Set<StoredEntity> touched = new LinkedHashSet<>();

    private long batch;

    /** @param partitions how many fragments a partitioned entity has */
    public ModelState(Timeline timeline, int partitions) {
        this.timeline = timeline;
        this.partitions = partitions;
    }

    public Timeline timeline() {
        return timeline;
    }

    /** How many fragments a partitioned entity has. */
    public int partitions() {
        return partitions;
    }

    public StoredEntities entities() {
        return entities;
    }

    /** Requests without an answer. */
    public Set<Request> pending() {
        return pending;
    }

    /** Requests whose answers leave open whether they have happened. */
    public List<Request> uncertain() {
        return uncertain;
    }

    /** Requests that may still take effect: those without an answer, and those whose answer leaves it open. */
    public List<Request> open() {
        List<Request> all = new ArrayList<>(uncertain);
        all.addAll(pending);
        return all;
    }

    public List<Listener> listeners() {
        return listeners;
    }

    /** Sends by the numbers of their messages. */
    public Map<Long, Request.Send> sends() {
        return sends;
    }

    /** Transactions that are not over. */
    public List<TransactionModel> openTransactions() {
        return openTransactions;
    }

    // --- entities ---

    /** The time of the last turn of the shard that has an entity. */
    public long nowMs(String path) {
        List<StoredEntity> of = entities.of(path);
        return of.isEmpty() ? 0 : nowMs(of.get(0));
    }

    /** The same of the fragment that has a session. */
    public long nowMs(String path, @Nullable String session) {
        StoredEntity entity = entities.ofSession(path, session);
        return entity == null ? 0 : nowMs(entity);
    }

    public long nowMs(StoredEntity entity) {
        return timeline.shard(entity.store).nowMs();
    }

    /** Whether the status of an entity forbids something, now or before the batch that is being told, in which it may have gone. */
    public boolean mayBeClosed(String path) {
        return isToBeDeleted(path) || entities.of(path).stream().anyMatch(StoredEntity::isClosed);
    }

    public boolean isToBeDeleted(String path) {
        return toBeDeleted.contains(path);
    }

    /** An entity is to be deleted. */
    public void askToDelete(String path) {
        toBeDeleted.add(path);
    }

    /** An entity of a path is to be created that has none. */
    public void askToCreate(String path) {
        toBeDeleted.remove(path);
    }

    // --- batches ---

    /** The number of the batch that is judged, or was judged last. */
    public long batch() {
        return batch;
    }

    public void nextBatch() {
        batch++;
    }

    public void count(Step step) {
        steps.merge(step, 1L, Long::sum);
    }

    /** How often copies have come and gone, and why. */
    public Map<Step, Long> steps() {
        return steps;
    }

    /** The counters of an entity have to be compared when the turn is over. */
    public void touch(StoredEntity entity) {
        touched.add(entity);
    }

    /** Entities of a store that have changed since this was asked last. */
    public List<StoredEntity> takeTouched(int store) {
        List<StoredEntity> of = new ArrayList<>();
        for (StoredEntity entity : touched) {
            if (entity.store == store) {
                of.add(entity);
            }
        }
        of.forEach(touched::remove);
        return of;
    }
}
