package dev.jitney.simulation.model;

import dev.jitney.model.EntityDescription;
import dev.jitney.runtime.store.Table;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.disk.Write;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Follows which entities there are, and with which settings. */
final class Entities {
    private static final int QUEUE = 1;
    private static final int SUBSCRIPTION = 3;

    private final Ledger ledger;
    private final Map<Long, String> paths = new HashMap<>();
    private final List<Shelf> changed = new ArrayList<>();

    /** All that was asked for of an entity: its row may come later than the next request to change it. */
    private final Map<String, List<EntityDescription>> asked = new HashMap<>();

    Entities(Ledger ledger) {
        this.ledger = ledger;
    }

    /** An entity is to be created or changed. */
    void ask(EntityDescription description) {
        asked.computeIfAbsent(description.path(), path -> new ArrayList<>()).add(description);
    }

    void follow(Write write) {
        long id = RowBytes.entity(write.key());
        if (write.kind() == Write.Kind.DELETE) {
            delete(id);
        } else if (write.kind() == Write.Kind.PUT && write.table() == Table.ENTITIES) {
            put(id, write.argument());
        } else if (write.kind() == Write.Kind.PUT) {
            throw new Violation("Expected no partitioned entities.");
        }
    }

    private void put(long id, byte[] row) {
        String path = path(row);
        paths.put(id, path);
        Settings settings = settings(path, row);
        Shelf shelf = ledger.shelves().ofEntity(id);
        if (shelf == null) {
            if (!ledger.shelves().of(path).isEmpty()) {
                throw new Violation("Expected one entity of a name, but '" + path + "' is there twice.");
            }
            ledger.shelves().add(new Shelf(id, 0, path, settings));
        } else {
            shelf.before = shelf.settings;
            shelf.settings = settings;
            changed.add(shelf);
        }
    }

    private void delete(long id) {
        Shelf shelf = ledger.shelves().ofEntity(id);
        if (shelf == null || shelf.gone) {
            throw new Violation("Expected an entity that is there to be deleted.");
        }
        if (!ledger.isToBeDeleted(shelf.path)) {
            throw new Violation("Expected '" + shelf.path + "' to stay, but it was deleted.");
        }
        ledger.shelves().remove(shelf);
        BatchJudge.clear(shelf);
    }

    void requireGone(long id) {
        Shelf shelf = ledger.shelves().ofEntity(id);
        if (shelf != null && !shelf.gone) {
            throw new Violation("Expected messages of '" + shelf.path + "' to stay, but all were deleted.");
        }
    }

    /** What was decided before a change in the same turn is past. */
    void turnEnds(int store) {
        changed.removeIf(shelf -> {
            boolean past = shelf.store == store;
            if (past) {
                shelf.before = shelf.settings;
            }
            return past;
        });
    }

    /** The request the row comes from; of queues several may be possible. */
    private Settings settings(String path, byte[] row) {
        List<EntityDescription> all = asked.getOrDefault(path, List.of());
        for (int i = all.size() - 1; i >= 0; i--) {
            Settings settings = Settings.of(all.get(i));
            if (row[1] != QUEUE || saysSo(row, settings)) {
                return settings;
            }
        }
        throw new Violation("Expected an entity that was asked for, but '" + path + "' is there.");
    }

    /** Whether the row of a queue has what updates change. */
    private static boolean saysSo(byte[] row, Settings settings) {
        ByteBuffer in = atNames(row);
        text(in);
        long lockMs = in.getLong();
        in.position(in.position() + 4 * Long.BYTES);
        return settings.lockMs() == lockMs
                && settings.maxDeliveries() == in.getInt()
                && settings.deadLettersExpired() == (in.get() != 0);
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
        byte[] utf8 = new byte[in.getInt()];
        in.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
