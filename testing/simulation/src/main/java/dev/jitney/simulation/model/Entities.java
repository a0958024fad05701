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

    /** All that was asked for, by the names that rows have in their metadata: a row may come later than the next request. */
    private final Map<String, Settings> asked = new HashMap<>();

    private final Parts parts;

    Entities(Ledger ledger) {
        this.ledger = ledger;
        this.parts = new Parts(ledger);
    }

    /** The fragments of partitioned entities. */
    Parts parts() {
        return parts;
    }

    /** An entity is to be created or changed. */
    void ask(EntityDescription description, String name) {
        asked.put(name, Settings.of(description, ledger.partitions()));
    }

    String nextName() {
        return "asked-" + asked.size();
    }

    void follow(Write write) {
        long id = RowBytes.entity(write.key());
        if (write.table() == Table.PARTS) {
            parts.follow(write);
        } else if (write.kind() == Write.Kind.DELETE) {
            delete(id);
        } else if (write.kind() == Write.Kind.PUT) {
            put(id, write.argument());
        }
    }

    private void put(long id, byte[] row) {
        String path = path(row);
        paths.put(id, path);
        Settings settings = settings(path, row);
        Shelf shelf = ledger.shelves().ofEntity(id);
        if (shelf == null) {
            if (ledger.shelves().of(path).stream().anyMatch(other -> !other.gone)) {
                throw new Violation("Expected one entity of a name, but '" + path + "' is there twice.");
            }
            Shelf made = new Shelf(id, 0, path, settings);
            if (settings.isPartitioned()) {
                ledger.shelves().number(made);
                parts.bear(made);
            } else {
                ledger.shelves().add(made);
            }
            changed.add(made);
        } else {
            shelf.change(settings, ledger.nowMs(shelf));
            parts.change(shelf);
            changed.add(shelf);
        }
        ledger.idling().used(path);
    }

    private void delete(long id) {
        Shelf shelf = ledger.shelves().ofEntity(id);
        if (shelf == null || shelf.gone) {
            throw new Violation("Expected an entity that is there to be deleted.");
        }
        if (shelf.isPart() || parts.isUnborn(shelf)) {
            parts.delete(shelf);
            return;
        }
        if (!ledger.isToBeDeleted(shelf.path)) {
            ledger.idling().goes(shelf);
            ledger.askToDelete(shelf.path); // whoever uses it hears of that
        }
        ledger.shelves().remove(shelf);
    }

    void requireGone(long id) {
        Shelf shelf = ledger.shelves().ofEntity(id);
        if (shelf != null && !shelf.gone) {
            throw new Violation("Expected messages of '" + shelf.path + "' to stay, but all were deleted.");
        }
    }

    /** What was decided before a change in the same turn is past. */
    void turnEnds(int store, boolean trouble) {
        parts.turnEnds(store, trouble);
        changed.removeIf(shelf -> {
            boolean past = shelf.store == store;
            if (past) {
                shelf.before = shelf.settings;
                shelf.fresh = false;
            }
            return past;
        });
    }

    /** What was asked for by the request that the row comes from. */
    private Settings settings(String path, byte[] row) {
        Settings settings = asked.get(name(row));
        if (settings == null) {
            throw new Violation("Expected an entity that was asked for, but '" + path + "' is there.");
        }
        return settings;
    }

    /** The user metadata. */
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
