package dev.jitney.simulation.model;

import dev.jitney.core.Lane;

/** Where messages may come to, from entity to entity. */
final class Routes {
    private static final int DEPTH_MAX = 8;

    private final Ledger ledger;

    Routes(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Whether what is sent to an entity stays in it; not if the entity has just gone. */
    boolean isPlain(String path) {
        if (ledger.shelves().of(path).isEmpty()) {
            return false;
        }
        for (Shelf shelf : ledger.shelves().of(path)) {
            if (shelf.settings.topic() || shelf.settings.forwards() || shelf.before.forwards()) {
                return false;
            }
        }
        return true;
    }

    /** Whether an entity drops what was sent to it before. */
    boolean mayRecognise(String path) {
        return ledger.shelves().of(path).stream().anyMatch(shelf -> shelf.settings.detectsDuplicates());
    }

    /** Whether a message that is sent to an entity may come to a shelf, by the rules as they are. */
    boolean leads(String path, Shelf to, long uid) {
        return leads(path, to, uid, 0);
    }

    /** The same for an entity that was asked for by its number. */
    boolean leads(long entityId, Shelf to, long uid) {
        Shelf from = ledger.shelves().ofEntity(entityId);
        return from != null && (from == to || leads(from.path, to, uid));
    }

    private boolean leads(String path, Shelf to, long uid, int depth) {
        if (depth > DEPTH_MAX) {
            return false;
        }
        for (Shelf shelf : ledger.shelves().of(path)) {
            if (shelf == to
                    || onwards(shelf, shelf.settings, to, uid, depth)
                    || onwards(shelf, shelf.before, to, uid, depth)) {
                return true;
            }
        }
        return false;
    }

    private boolean onwards(Shelf shelf, Settings settings, Shelf to, long uid, int depth) {
        if (settings.forwardTo() != null && leads(settings.forwardTo(), to, uid, depth + 1)) {
            return true;
        }
        if (settings.topic()) {
            for (String subscription : ledger.shelves().subscriptions(shelf.path)) {
                Shelf taker = ledger.shelves().of(subscription).get(0);
                if (ledger.rules().takes(taker, uid) && leads(subscription, to, uid, depth + 1)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether what comes to an entity may pass through a shelf that hands it on. */
    boolean passes(String path, Shelf through, long uid) {
        return leads(path, through, uid) && (through.settings.forwards() || through.before.forwards());
    }

    boolean passes(long entityId, Shelf through, long uid) {
        return leads(entityId, through, uid) && (through.settings.forwards() || through.before.forwards());
    }

    /** Whether a message may go and come to nothing: handed on to a topic without takers, or recognised as sent before. */
    boolean mayVanish(Copy copy) {
        String to = copy.lane == Lane.DEAD_LETTER
                ? copy.shelf.settings.forwardDeadLettersTo()
                : copy.shelf.settings.forwardTo();
        return to != null && vanishes(to, 0);
    }

    private boolean vanishes(String path, int depth) {
        if (depth > DEPTH_MAX) {
            return false;
        }
        for (Shelf shelf : ledger.shelves().of(path)) {
            if (shelf.settings.topic() || shelf.settings.detectsDuplicates()) {
                return true;
            }
            if (shelf.settings.forwardTo() != null && vanishes(shelf.settings.forwardTo(), depth + 1)) {
                return true;
            }
        }
        return false;
    }
}
