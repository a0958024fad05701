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
    private static final int SUBSCRIPTION = 3;

    private final Ledger ledger;
    private final Map<Long, String> paths = new HashMap<>();
    private final List<Shelf> changed = new ArrayList<>();

    Entities(Ledger ledger) {
        this.ledger = ledger;
    }

    void follow(Write write) {
        long id = RowBytes.entity(write.key());
        if (write.kind() == Write.Kind.DELETE) {
            delete(id);
        } else if (write.kind() == Write.Kind.PUT && write.table() == Table.ENTITIES) {
            put(id, path(write.argument()));
        } else if (write.kind() == Write.Kind.PUT) {
            throw new Violation("Expected no partitioned entities.");
        }
    }

    private void put(long id, String path) {
        paths.put(id, path);
        EntityDescription description = ledger.asked(path);
        if (description == null) {
            throw new Violation("Expected an entity that was asked for, but '" + path + "' is there.");
        }
        Settings settings = Settings.of(description);
        Shelf shelf = ledger.shelves().get(Ledger.shelfKey(id, 0));
        if (shelf == null) {
            if (!ledger.shelvesOf(path).isEmpty()) {
                throw new Violation("Expected one entity of a name, but '" + path + "' is there twice.");
            }
            ledger.add(new Shelf(id, 0, path, settings));
        } else {
            shelf.before = shelf.settings;
            shelf.settings = settings;
            changed.add(shelf);
        }
    }

    private void delete(long id) {
        Shelf shelf = ledger.shelves().get(Ledger.shelfKey(id, 0));
        if (shelf == null || shelf.gone) {
            throw new Violation("Expected an entity that is there to be deleted.");
        }
        if (!ledger.isToBeDeleted(shelf.path)) {
            throw new Violation("Expected '" + shelf.path + "' to stay, but it was deleted.");
        }
        ledger.remove(shelf);
        BatchJudge.clear(shelf);
    }

    void requireGone(long id) {
        Shelf shelf = ledger.shelves().get(Ledger.shelfKey(id, 0));
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

    private static String path(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row).position(1);
        int kind = in.get();
        text(in); // the namespace
        in.position(in.position() + 16);
        String name = text(in);
        return kind == SUBSCRIPTION ? name + "/Subscriptions/" + text(in) : name;
    }

    private static String text(ByteBuffer in) {
        byte[] utf8 = new byte[in.getInt()];
        in.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
