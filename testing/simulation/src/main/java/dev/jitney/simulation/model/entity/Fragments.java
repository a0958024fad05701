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
 * The fragments of partitioned entities (semantics chapter 17). The row of the whole entity is decisive (PART-56):
 * fragments are created before it and deleted after it. Each fragment follows a change of that row in a turn of its own
 * store.
 */
public final class Fragments {
    private final ModelState model;

    /** The fragments whose entity is not created yet, by entity number. */
    private final Map<Long, List<StoredEntity>> unborn = new HashMap<>();

    /** The fragments that may not have received a change yet. */
    private final List<Late> late = new ArrayList<>();

    /**
     * A fragment that may not have received a change, with the number of turns its store had begun when the change was
     * sent to it. The number is {@code Long.MAX_VALUE} until then.
     */
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

    /** Applies a row of the table PARTS. */
    void follow(Write write) {
        long id = RowBytes.entity(write.key());
        StoredEntity known = model.entities().ofEntity(id);
        if (write.kind() == Write.Kind.PUT) {
            long wholeId = RowBytes.int32(write.argument(), 1) & 0xffff_ffffL;
            if (known != null || model.entities().ofEntity(wholeId) != null) {
                throw new Violation("Expected a new fragment of a new entity, but got a fragment of entity " + wholeId
                        + ", one of which exists.");
            }
            StoredEntity part = new StoredEntity(id, RowBytes.int32(write.argument(), 5), "", EntitySettings.NONE);
            model.entities().number(part);
            unborn.computeIfAbsent(wholeId, none -> new ArrayList<>()).add(part);
        } else if (known == null) {
            throw new Violation("Expected a deleted fragment to exist, but it does not.");
        } else if (!known.gone) {
            delete(known);
        }
    }

    /** Creates a partitioned entity with all its fragments, each in the next store (PART-9). */
    void bear(StoredEntity whole) {
        List<StoredEntity> parts = unborn.getOrDefault(whole.entityId, List.of());
        boolean[] found = new boolean[whole.settings.fragments()];
        unborn.remove(whole.entityId);
        for (StoredEntity part : parts) {
            if (part.fragment >= found.length || found[part.fragment]) {
                throw new Violation("Expected fragment " + part.fragment + " of '" + whole.path
                        + "' once, but it exists twice or is not a fragment of it.");
            }
            int store = (whole.store + part.fragment) % model.timeline().stores();
            check(part.store == store, () -> "Expected the fragment to be in store " + store + " (PART-9)", whole.path);
            found[part.fragment] = true;
            part.whole = whole;
            part.path = whole.path;
            part.settings = whole.settings;
            part.before = whole.settings;
            model.entities().add(part);
        }
        check(
                parts.size() == found.length,
                "Expected all fragments to be stored before their entity (PART-56)",
                whole.path);
    }

    boolean isUnborn(StoredEntity entity) {
        return unborn.values().stream().anyMatch(parts -> parts.contains(entity));
    }

    /** Deletes a fragment whose entity was deleted before or was not created. */
    void delete(StoredEntity part) {
        StoredEntity whole = part.whole;
        if (whole != null && !whole.gone) {
            throw new Violation(
                    "Expected fragment " + part.fragment + " of '" + part.path + "' to exist as long as its entity.");
        }
        unborn.values().forEach(parts -> parts.remove(part));
        model.entities().remove(part);
    }

    /** Applies changed settings of an entity to its fragments. */
    void change(StoredEntity whole) {
        for (StoredEntity part : model.entities().of(whole.path)) {
            if (part.whole == whole && !part.gone) {
                part.change(whole.settings, model.nowMs(part));
                late.removeIf(one -> one.part == part);
                late.add(new Late(part, whole));
            }
        }
    }

    /**
     * Marks changes as received. A change is sent to the fragments after the turn in which it became durable, and each
     * fragment applies it in the next turn of its own store.
     */
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

    /** Marks all changes as received, because a new process reads them from the disk. */
    public void processEnds() {
        late.forEach(one -> one.part.before = one.part.settings);
        late.clear();
    }
}
