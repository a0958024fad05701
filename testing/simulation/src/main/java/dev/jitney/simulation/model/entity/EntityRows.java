package dev.jitney.simulation.model.entity;

import dev.jitney.model.EntityDescription;
import dev.jitney.runtime.store.Table;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
import dev.jitney.simulation.model.row.RowBytes;
import dev.jitney.simulation.model.state.EntitySettings;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.StoredEntity;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of entities, from which the model derives the entities that exist and their settings. */
public final class EntityRows {
    private static final int QUEUE = 1;
    private static final int SUBSCRIPTION = 3;

    private final ModelState model;
    private final IdleDeletion idling;
    private final Map<Long, String> paths = new HashMap<>();
    private final List<StoredEntity> changed = new ArrayList<>();

    /**
     * All requested settings, by the name in the user metadata of the row. A row may be stored after the next request
     * was made.
     */
    private final Map<String, EntitySettings> asked = new HashMap<>();

    private final Fragments fragments;

    public EntityRows(ModelState model, IdleDeletion idling) {
        this.model = model;
        this.idling = idling;
        this.fragments = new Fragments(model);
    }

    /** Returns the fragments of partitioned entities. */
    public Fragments fragments() {
        return fragments;
    }

    /** Called before an entity is created or changed. */
    public void ask(EntityDescription description, String name) {
        asked.put(name, EntitySettings.of(description, model.partitions()));
    }

    public String nextName() {
        return "asked-" + asked.size();
    }

    public void follow(Write write) {
        long id = RowBytes.entity(write.key());
        if (write.table() == Table.PARTS) {
            fragments.follow(write);
        } else if (write.kind() == Write.Kind.DELETE) {
            delete(id);
        } else if (write.kind() == Write.Kind.PUT) {
            put(id, write.argument());
        }
    }

    private void put(long id, byte[] row) {
        String path = path(row);
        paths.put(id, path);
        EntitySettings settings = settings(path, row);
        StoredEntity entity = model.entities().ofEntity(id);
        if (entity == null) {
            if (model.entities().of(path).stream().anyMatch(other -> !other.gone)) {
                throw new Violation("Expected one entity for each path, but '" + path + "' exists twice.");
            }
            StoredEntity made = new StoredEntity(id, 0, path, settings);
            if (settings.isPartitioned()) {
                model.entities().number(made);
                fragments.bear(made);
            } else {
                model.entities().add(made);
            }
            changed.add(made);
        } else {
            entity.change(settings, model.nowMs(entity));
            fragments.change(entity);
            changed.add(entity);
        }
        idling.used(path);
    }

    private void delete(long id) {
        StoredEntity entity = model.entities().ofEntity(id);
        if (entity == null || entity.gone) {
            throw new Violation("Expected a deleted entity to exist, but it does not.");
        }
        if (entity.isFragment() || fragments.isUnborn(entity)) {
            fragments.delete(entity);
            return;
        }
        if (!model.isToBeDeleted(entity.path)) {
            idling.goes(entity);
            model.askToDelete(entity.path); // replies to its clients may be rejections now
        }
        model.entities().remove(entity);
    }

    /** Drops the settings before the changes of this turn. */
    public void turnEnds(int store, boolean trouble) {
        fragments.turnEnds(store, trouble);
        changed.removeIf(entity -> {
            boolean past = entity.store == store;
            if (past) {
                entity.before = entity.settings;
                entity.fresh = false;
            }
            return past;
        });
    }

    /** Returns the settings of the request that has stored a row. */
    private EntitySettings settings(String path, byte[] row) {
        EntitySettings settings = asked.get(name(row));
        if (settings == null) {
            throw new Violation("Expected only entities that a client has created, but '" + path + "' exists.");
        }
        return settings;
    }

    /** Returns the user metadata of a row. */
    private static String name(byte[] row) {
        ByteBuffer in = atNames(row);
        text(in);
        switch (row[1]) {
            case QUEUE -> {
                in.position(in.position() + 5 * Long.BYTES + Integer.BYTES + 2 + Long.BYTES + 2);
                text(in); // forwarded to
                text(in);
                in.position(in.position() + 2);
            }
            case SUBSCRIPTION -> {
                text(in); // the name
                in.position(in.position() + Long.BYTES + 1 + Long.BYTES + 2 + Integer.BYTES + 2);
                text(in); // forwarded to
            }
            default -> in.position(in.position() + 3 * Long.BYTES + 1 + Long.BYTES + 3);
        }
        return text(in);
    }

    private static String path(byte[] row) {
        ByteBuffer in = atNames(row);
        String name = text(in);
        return row[1] == SUBSCRIPTION ? name + "/Subscriptions/" + text(in) : name;
    }

    private static ByteBuffer atNames(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row).position(2);
        text(in); // the namespace
        return in.position(in.position() + 2 * Long.BYTES);
    }

    private static String text(ByteBuffer in) {
        byte[] utf8 = new byte[Math.max(0, in.getInt())];
        in.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
