package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.simulation.Violation;
import java.util.ArrayList;
import java.util.List;

/**
 * When entities were used that go away when nobody uses them (semantics chapter 7): none goes that was used within its time, and
 * each goes in the end.
 *
 * <p>Time is counted as the shard works, because downtime is no idleness (IDLE-14). What is not certain to be a use is
 * taken for none.
 */
final class Idling {
    /** STATE-4: how much of the last use may be lost with the memory of a shard. */
    private static final long LOST_MS = 60_000;

    /** How long after its time an entity may still be there. */
    private static final long LATE_MS = 90_000;

    private final Ledger ledger;

    /** Subscriptions that have gone in a batch although they need not, with their topics perhaps. */
    private final List<Shelf> followers = new ArrayList<>();

    Idling(Ledger ledger) {
        this.ledger = ledger;
    }

    /** An entity is used now, and its topic with a subscription (IDLE-8). */
    void used(String path) {
        ledger.shelves().of(path).forEach(this::used);
        String topic = Shelves.topicOf(path);
        if (topic != null) {
            ledger.shelves().of(topic).forEach(this::used);
        }
    }

    /** The same for a use that is told late. */
    void used(String path, long upMs) {
        String topic = Shelves.topicOf(path);
        for (String one : topic == null ? List.of(path) : List.of(path, topic)) {
            ledger.shelves().of(one).forEach(shelf -> shelf.usedMs = Math.max(shelf.usedMs, upMs));
        }
    }

    /** The same for an entity alone. */
    void used(Shelf shelf) {
        shelf.usedMs = ledger.shard(shelf.store).upMs();
        shelf.usedVaguely = false;
    }

    /** A shard has done a turn: whoever waits uses what it waits for (IDLE-7). */
    void turnEnds(int store) {
        for (Listener listener : ledger.listeners()) {
            List<Shelf> of = ledger.shelves().of(listener.path);
            if (!of.isEmpty()
                    && of.get(0).store == store
                    && listener.isHungryBefore(ledger.shard(store).heard())) {
                used(listener.path);
            }
        }
    }

    /** The memory of a shard is lost, and with it how it was used at last, if that was not worth a row. */
    void lose(int store) {
        for (Shelf shelf : ledger.shelves().all()) {
            shelf.usedVaguely |= shelf.store == store;
        }
    }

    /** An entity goes that nobody has deleted. */
    void goes(Shelf shelf) {
        boolean mayGo = mayGo(shelf);
        if (!mayGo && mayFollow(shelf)) {
            followers.add(shelf);
        } else if (!mayGo) {
            throw new Violation("Expected '" + shelf.path + "' to stay, but it was deleted after " + idleMs(shelf)
                    + " ms of its " + shelf.settings.idleMs() + " ms.");
        }
        ledger.judge().count(Step.VANISHED);
    }

    private boolean mayFollow(Shelf shelf) {
        String topic = Shelves.topicOf(shelf.path);
        return topic != null && ledger.shelves().of(topic).stream().anyMatch(one -> !one.gone && mayGo(one));
    }

    /** The batch is over: whoever has gone with its topic has gone with its topic. */
    void end() {
        for (Shelf follower : followers) {
            String topic = String.valueOf(Shelves.topicOf(follower.path));
            if (ledger.shelves().of(topic).stream().anyMatch(one -> !one.gone)) {
                throw new Violation("Expected '" + follower.path + "' to stay as its topic does.");
            }
        }
        followers.clear();
    }

    private long idleMs(Shelf shelf) {
        return ledger.shard(shelf.store).upMs() - shelf.usedMs;
    }

    private boolean mayGo(Shelf shelf) {
        long lostMs = ledger.shard(shelf.store).setBackMs() + (shelf.usedVaguely ? LOST_MS : 0);
        return idleMs(shelf) + lostMs >= shelf.settings.idleMs() && !isInUse(shelf);
    }

    /** IDLE-7 to IDLE-10: whether it is used as long as that goes on. */
    private boolean isInUse(Shelf shelf) {
        if (!shelf.lane(Lane.SCHEDULED).isEmpty() || isKept(shelf)) {
            return true;
        }
        for (String path : ledger.shelves().subscriptions(shelf.path)) {
            if (isKept(ledger.shelves().of(path).get(0))) {
                return true;
            }
        }
        return false;
    }

    private boolean isKept(Shelf shelf) {
        return !shelf.gone
                && (shelf.settings.forwards()
                        || ledger.listeners().stream()
                                .anyMatch(listener ->
                                        listener.path.equals(shelf.path) && listener.isHungryBefore(ledger.horizon())));
    }

    /** IDLE-1: whatever nobody has used for long enough has gone. */
    void requireGone() {
        for (Shelf shelf : ledger.shelves().all()) {
            long lateMs = LATE_MS + ledger.shard(shelf.store).setBackMs();
            if (!shelf.gone
                    && shelf.settings.idleMs() != Long.MAX_VALUE
                    && idleMs(shelf) > shelf.settings.idleMs() + lateMs
                    && !isInUse(shelf)) {
                throw new Violation("Expected '" + shelf.path + "' to go, since nobody has used it for " + idleMs(shelf)
                        + " ms, but it stays.");
            }
        }
    }
}
