package dev.jitney.simulation.model.entity;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
import dev.jitney.simulation.model.row.RowBytes;
import dev.jitney.simulation.model.state.EntitySettings;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.StoredEntity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which fragments there are of partitioned entities (semantics chapter 17). The row of the whole decides (PART-56): fragments
 * are there before it and go after it, and each follows a change of it in a turn of its own store.
 */
public final class Fragments {
    private final ModelState model;

    /** Fragments whose entity is not there yet, by its number. */
    private final Map<Long, List<StoredEntity>> unborn = new HashMap<>();

    /** Fragments that may not know of a change yet. */
    private final List<Late> late = new ArrayList<>();

    /** A fragment, and the last turn of its store that had begun when it was told of the change; none while it is not told. */
    private static final class Late {
        final StoredEntity part;
        final StoredEntity whole;
        long toldIn = Long.MAX_VALUE;

        Late(StoredEntity part, StoredEntity whole) {
            this.part = part;
            this.whole = whole;
        }
    }

    Fragments(ModelState model) {
        this.model = model;
    }

    /** A row of PARTS. */
    void follow(Write write) {
        long id = RowBytes.entity(write.key());
        StoredEntity known = model.entities().ofEntity(id);
        if (write.kind() == Write.Kind.PUT) {
            long wholeId = RowBytes.int32(write.argument(), 1) & 0xffff_ffffL;
            if (known != null || model.entities().ofEntity(wholeId) != null) {
                throw new Violation("Expected a new fragment of a new entity, but got one of number " + wholeId + ".");
            }
            StoredEntity part = new StoredEntity(id, RowBytes.int32(write.argument(), 5), "", EntitySettings.NONE);
            model.entities().number(part);
            unborn.computeIfAbsent(wholeId, none -> new ArrayList<>()).add(part);
        } else if (known == null) {
            throw new Violation("Expected a fragment that is there to be deleted.");
        } else if (!known.gone) {
            delete(known);
        }
    }

    /** A partitioned entity is there from now on, with all its fragments, each in the next store (PART-9). */
    void bear(StoredEntity whole) {
        List<StoredEntity> parts = unborn.getOrDefault(whole.entityId, List.of());
        boolean[] found = new boolean[whole.settings.fragments()];
        unborn.remove(whole.entityId);
        for (StoredEntity part : parts) {
            if (part.fragment >= found.length || found[part.fragment]) {
                throw new Violation("Expected fragment " + part.fragment + " of '" + whole.path + "' once.");
            }
            int store = (whole.store + part.fragment) % model.timeline().stores();
            check(part.store == store, () -> "Expected a fragment in store " + store + " (PART-9)", whole.path);
            found[part.fragment] = true;
            part.whole = whole;
            part.path = whole.path;
            part.settings = whole.settings;
            part.before = whole.settings;
            model.entities().add(part);
        }
        check(parts.size() == found.length, "Expected all fragments before their entity (PART-56)", whole.path);
    }

    boolean isUnborn(StoredEntity entity) {
        return unborn.values().stream().anyMatch(parts -> parts.contains(entity));
    }

    /** A fragment goes: its entity has gone before, or was not to be. */
    void delete(StoredEntity part) {
        StoredEntity whole = part.whole;
        if (whole != null && !whole.gone) {
            throw new Violation("Expected fragment " + part.fragment + " of '" + part.path + "' to stay as that does.");
        }
        unborn.values().forEach(parts -> parts.remove(part));
        model.entities().remove(part);
    }

    /** The settings of an entity have changed. */
    void change(StoredEntity whole) {
        for (StoredEntity part : model.entities().of(whole.path)) {
            if (part.whole == whole && !part.gone) {
                part.change(whole.settings, model.nowMs(part));
                late.removeIf(one -> one.part == part);
                late.add(new Late(part, whole));
            }
        }
    }

    /** Fragments hear of a change when the turn in which it became durable is over, and follow in the next one of their own. */
    void turnEnds(int store, boolean trouble) {
        if (trouble || late.isEmpty()) {
            return;
        }
        late.removeIf(one -> {
            boolean follows =
                    one.part.store == store && model.timeline().shard(store).count() > one.toldIn;
            if (follows) {
                one.part.before = one.part.settings;
                one.part.changedMs = model.nowMs(one.part);
            }
            return follows;
        });
        for (Late one : late) {
            if (one.whole.store == store && one.toldIn == Long.MAX_VALUE) {
                one.toldIn = model.timeline().shard(one.part.store).count();
            }
        }
    }

    /** A new process knows all that is on disk. */
    public void processEnds() {
        late.forEach(one -> one.part.before = one.part.settings);
        late.clear();
    }
}
