package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import org.jspecify.annotations.Nullable;

/** Where messages may come to, from entity to entity. */
final class Routes {
    private static final int DEPTH_MAX = 8;

    private final Ledger ledger;

    Routes(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Whether what is sent to an entity stays in it. */
    boolean isPlain(String path) {
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

    /** Whether what is sent to an entity may come to a shelf. */
    boolean leads(String path, Shelf to) {
        return leads(path, to, 0);
    }

    /** The same for an entity that was asked for by its number. */
    boolean leads(long entityId, Shelf to) {
        Shelf from = ledger.shelves().ofEntity(entityId);
        return from != null && (from == to || leads(from.path, to));
    }

    /** Whether what is forwarded to a path may come to a shelf. */
    boolean leadsBy(@Nullable String forwardTo, Shelf to) {
        return forwardTo != null && leads(forwardTo, to);
    }

    private boolean leads(String path, Shelf to, int depth) {
        if (depth > DEPTH_MAX) {
            return false;
        }
        for (Shelf shelf : ledger.shelves().of(path)) {
            if (shelf == to || onwards(shelf, shelf.settings, to, depth) || onwards(shelf, shelf.before, to, depth)) {
                return true;
            }
        }
        return false;
    }

    private boolean onwards(Shelf shelf, Settings settings, Shelf to, int depth) {
        if (settings.forwardTo() != null && leads(settings.forwardTo(), to, depth + 1)) {
            return true;
        }
        if (settings.topic()) {
            for (String subscription : ledger.shelves().subscriptions(shelf.path)) {
                if (leads(subscription, to, depth + 1)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether what comes to an entity may pass through a shelf that hands it on. */
    boolean passes(String path, Shelf through) {
        return leads(path, through) && (through.settings.forwards() || through.before.forwards());
    }

    boolean passes(long entityId, Shelf through) {
        return leads(entityId, through) && (through.settings.forwards() || through.before.forwards());
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
