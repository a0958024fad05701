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

/** The state that all parts of the model share: stored entities, receivers, and requests. */
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

    /** The paths of entities whose deletion was requested. */
    private final Set<String> toBeDeleted = new HashSet<>();

    /** The entities whose counters must be compared after the turn. */
    private final Set<StoredEntity> touched = new LinkedHashSet<>();

    private long batch;

    /**
     * Creates an empty state.
     *
     * @param partitions the number of fragments of a partitioned entity
     */
    public ModelState(Timeline timeline, int partitions) {
        this.timeline = timeline;
        this.partitions = partitions;
    }

    public Timeline timeline() {
        return timeline;
    }

    /** Returns the number of fragments of a partitioned entity. */
    public int partitions() {
        return partitions;
    }

    public StoredEntities entities() {
        return entities;
    }

    /** Returns the unanswered requests. */
    public Set<Request> pending() {
        return pending;
    }

    /** Returns the requests whose reply leaves their effect unknown. */
    public List<Request> uncertain() {
        return uncertain;
    }

    /**
     * Returns the requests that may still take effect: unanswered ones, and those whose reply leaves their effect
     * unknown.
     */
    public List<Request> open() {
        List<Request> all = new ArrayList<>(uncertain);
        all.addAll(pending);
        return all;
    }

    public List<Listener> listeners() {
        return listeners;
    }

    /** Returns the sends by the numbers of their messages. */
    public Map<Long, Request.Send> sends() {
        return sends;
    }

    /** Returns the transactions that have not ended. */
    public List<TransactionModel> openTransactions() {
        return openTransactions;
    }

    // --- entities ---

    /** Returns the time of the last turn of the shard that has an entity. */
    public long nowMs(String path) {
        List<StoredEntity> of = entities.of(path);
        return of.isEmpty() ? 0 : nowMs(of.get(0));
    }

    /** Returns the time of the last turn of the shard whose fragment has a session. */
    public long nowMs(String path, @Nullable String session) {
        StoredEntity entity = entities.ofSession(path, session);
        return entity == null ? 0 : nowMs(entity);
    }

    public long nowMs(StoredEntity entity) {
        return timeline.shard(entity.store).nowMs();
    }

    /**
     * Returns whether the status of an entity forbids an operation, now or before the reported batch, in which the
     * entity may have been deleted.
     */
    public boolean mayBeClosed(String path) {
        return isToBeDeleted(path) || entities.of(path).stream().anyMatch(StoredEntity::isClosed);
    }

    public boolean isToBeDeleted(String path) {
        return toBeDeleted.contains(path);
    }

    /** Records that the deletion of an entity was requested. */
    public void askToDelete(String path) {
        toBeDeleted.add(path);
    }

    /** Records that a new entity was requested at a path that has none. */
    public void askToCreate(String path) {
        toBeDeleted.remove(path);
    }

    // --- batches ---

    /** Returns the number of the current or last judged batch. */
    public long batch() {
        return batch;
    }

    public void nextBatch() {
        batch++;
    }

    public void count(Step step) {
        steps.merge(step, 1L, Long::sum);
    }

    /** Returns the number of message changes by kind. */
    public Map<Step, Long> steps() {
        return steps;
    }

    /** Records that the counters of an entity must be compared after the turn. */
    public void touch(StoredEntity entity) {
        touched.add(entity);
    }

    /** Returns the entities of a store that have changed since the last call. */
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
