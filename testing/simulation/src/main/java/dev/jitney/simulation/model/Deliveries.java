package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.simulation.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who was given what, and in which order. */
final class Deliveries {
    private final Ledger ledger;
    private final List<Lock> locks = new ArrayList<>();

    /** Receivers that a failed store has ended, until it has told what they have taken. */
    private final List<Listener> departed = new ArrayList<>();

    /** Receivers that leave, with the turn of their store that was the last one to have begun then. */
    private final Map<Listener, Long> leavers = new HashMap<>();

    private final Fetches fetches;

    Deliveries(Ledger ledger) {
        this.ledger = ledger;
        this.fetches = new Fetches(ledger);
    }

    List<Lock> locks() {
        return locks;
    }

    void delivered(Listener listener, MessageView view) {
        listener.requireOpen();
        listener.delivered++;
        ledger.credits().spend(1);
        ledger.idling().used(listener.path);
        Shelf shelf = ledger.shelves().of(listener.path, view.sequenceNumber());
        if (shelf == null) {
            throw new Violation(
                    "Expected a delivery of an entity that is there, but got one of " + listener.path + ".");
        }
        ledger.check(listener.attached, "Expected no delivery before the receiver is attached", shelf.path);
        ledger.check(
                listener.delivered <= listener.limit,
                () -> "Expected at most " + listener.limit + " deliveries, but got " + listener.delivered,
                shelf.path);
        boolean locksIt = listener.mode == ReceiveMode.PEEK_LOCK;
        Copy copy = locksIt
                ? shelf.lane(listener.lane).get(view.sequenceNumber())
                : shelf.taken.remove(view.sequenceNumber());
        if (copy == null && !locksIt) {
            copy = shelf.perhapsTaken.remove(view.sequenceNumber());
        }
        if (copy == null) {
            throw new Violation("Expected a message that is stored to be delivered, but got number "
                    + view.sequenceNumber() + " of " + shelf.path + ".");
        }
        long nowMs = ledger.nowMs(shelf);
        look(copy, view);
        Settlements.releaseIfLeft(copy);
        boolean fetched = shelf.isPart() && !listener.ofSession;
        ledger.check(
                shelf.mayReceive() || (fetched && !locksIt), // removed for it before, so nobody else would ever get it
                "Expected no delivery while receiving is disabled (SUSP-1)",
                copy);
        ledger.check(copy.lock == null, "Expected one holder of a lock, but it was delivered again", copy);
        ledger.check(!copy.deferred, "Expected deferred messages to be delivered to nobody", copy);
        long lockedMs = fetched && locksIt ? Fetches.lockedMs(copy, view) : nowMs;
        ledger.check(
                copy.lane != Lane.MAIN || !copy.isExpired(lockedMs) || (fetched && !locksIt),
                "Expected nothing that has expired (TTL-6)",
                copy);
        if (listener.ofSession) {
            ledger.check(
                    Objects.equals(listener.session, copy.row.session()),
                    () -> "Expected messages of session " + listener.session + " only",
                    copy);
        }
        if (fetched) {
            fetches.requireFirst(copy, view, listener);
        } else {
            requireFirst(copy, listener);
        }
        if (locksIt) {
            lock(copy, view, listener, nowMs + shelf.settings.lockMs());
        }
        ledger.judge().count(copy.deliveryCount > 0 ? Step.REDELIVERED : Step.LOCKED);
    }

    /** RECV-4, SESS-7: nothing that is available comes before it. */
    private void requireFirst(Copy copy, Listener listener) {
        for (Copy other : copy.shelf.lane(copy.lane).headMap(copy.number).values()) {
            // Whether what somebody holds who leaves in this turn is free already is not known.
            boolean sameRow = !listener.ofSession || Objects.equals(other.row.session(), listener.session);
            ledger.check(
                    !(sameRow && other.isAvailable()),
                    () -> "Expected the first message that is available, which is " + other + ", but got",
                    copy);
        }
    }

    private void look(Copy copy, MessageView view) {
        ledger.check(RowBytes.uid(view.content().bytes()) == copy.uid, "Expected the content that was sent", copy);
        ledger.judge().looks().seen(copy, view);
        ledger.check(
                view.deliveryCount() == copy.deliveryCount,
                () -> "Expected a delivery count of " + copy.deliveryCount + ", but got " + view.deliveryCount(),
                copy);
        ledger.check(
                view.enqueuedSequenceNumber() == copy.row.firstNumber(), "Expected the first number to stay", copy);
        boolean scheduled = copy.lane == Lane.MAIN && copy.row.wasScheduled(); // STATE-9
        MessageState state =
                copy.deferred ? MessageState.DEFERRED : scheduled ? MessageState.SCHEDULED : MessageState.ACTIVE;
        ledger.check(view.state() == state, () -> "Expected the state " + state + ", but got " + view.state(), copy);
    }

    private void lock(Copy copy, MessageView view, Listener listener, long untilMs) {
        UUID token = view.lockToken();
        if (token == null) {
            throw new Violation("Expected a lock token with " + copy + ".");
        }
        long expected = listener.ofSession && copy.lane == Lane.MAIN ? listener.sessionUntilMs : untilMs;
        long before = listener.ofSession ? expected : view.lockedUntilMs();
        boolean fetched = copy.shelf.isPart() && !listener.ofSession && listener.attached;
        if (fetched) {
            fetches.requireLock(copy, view, listener);
        }
        ledger.check(
                fetched || view.lockedUntilMs() == expected || before != view.lockedUntilMs() || isChanged(copy.shelf),
                () -> "Expected a lock until " + expected + ", but got " + view.lockedUntilMs(),
                copy);
        Lock lock = new Lock(token, copy, listener, view.lockedUntilMs());
        copy.lock = lock;
        copy.shelf.locked += copy.lane == Lane.MAIN ? 1 : 0;
        listener.locks.add(lock);
        locks.add(lock);
        ledger.judge().touch(copy.shelf);
    }

    private static boolean isChanged(Shelf shelf) {
        return shelf.before != shelf.settings;
    }

    /** Deferred messages that were asked for have come. */
    void fetched(StoredRequests.Fetch fetch, List<MessageView> views) {
        ledger.check(views.size() == fetch.numbers.length, "Expected all of what was asked for", fetch);
        for (MessageView view : views) {
            Shelf shelf = ledger.shelves().of(fetch.path, view.sequenceNumber());
            ledger.check(fetch.names(view.sequenceNumber()), "Expected only what was asked for", fetch);
            boolean locksIt = fetch.mode == ReceiveMode.PEEK_LOCK;
            Copy copy = shelf == null
                    ? null
                    : locksIt
                            ? shelf.lane(fetch.lane).get(view.sequenceNumber())
                            : shelf.taken.remove(view.sequenceNumber());
            if (shelf == null || copy == null) {
                throw new Violation("Expected a message that is stored, but got number " + view.sequenceNumber() + ".");
            }
            look(copy, view);
            Settlements.releaseIfLeft(copy);
            ledger.check(copy.lock == null, "Expected one holder of a lock, but it was fetched again", copy);
            ledger.check(copy.deferred, "Expected a deferred message", copy);
            if (locksIt) {
                lock(copy, view, fetch.owner, ledger.nowMs(shelf) + shelf.settings.lockMs());
            }
        }
    }

    void closed(Listener listener, Rejection reason) {
        boolean expected = switch (reason.code()) {
            case DETACH_FORCED -> ledger.isDisturbed() || ledger.disturbances() != listener.disturbances;
            case ENTITY_NOT_FOUND -> ledger.isToBeDeleted(listener.path);
            case ENTITY_DISABLED -> ledger.mayBeClosed(listener.path) && listener.session == null; // SUSP-5
            case INVALID_OPERATION -> true;
            case SESSION_LOCK_LOST -> listener.ofSession;
            default -> false;
        };
        ledger.check(expected, () -> "Expected a receiver to stay, but it was closed for " + reason, listener.path);
        if (reason.code() != ErrorCode.DETACH_FORCED
                && listener.ofSession) { // else the store tells first what is settled
            listener.locks.forEach(Lock::end);
        }
        ledger.listeners().remove(listener);
        if (listener.isFetching()) {
            fetches.left(listener);
        } else if (reason.code() == ErrorCode.DETACH_FORCED) {
            departed.add(listener);
        }
    }

    /** Whether somebody may have taken a message for good, also one whose receiver the failed store has ended. */
    boolean mayBeTaken(Copy copy) {
        return takes(ledger.listeners(), copy) || takes(departed, copy) || takes(fetches.leavers(), copy);
    }

    private boolean takes(Collection<Listener> some, Copy copy) {
        for (Listener listener : some) {
            if (listener.mode == ReceiveMode.RECEIVE_AND_DELETE
                    && listener.lane == copy.lane
                    && !copy.deferred
                    && ledger.shelves().of(listener.path).contains(copy.shelf)) {
                return true;
            }
        }
        return false;
    }

    /** A commit has taken long. */
    void hasStalled() {
        fetches.hasStalled();
    }

    /** The clock is about to be set back. */
    void clockGoesBack(long nowMs) {
        fetches.clockGoesBack(nowMs);
    }

    /** A client lets a receiver go. */
    void left(Listener listener) {
        if (listener.isFetching()) {
            fetches.left(listener);
            return;
        }
        Shelf home = listener.home();
        leavers.put(listener, home == null ? 0L : ledger.shard(home.store).count());
    }

    /** Whether somebody leaves an entity, so that it is not known whether what it holds is free already. */
    boolean isBeingLeft(String path) {
        return leavers.keySet().stream().anyMatch(listener -> listener.path.equals(path))
                || fetches.leavers().stream().anyMatch(listener -> listener.path.equals(path));
    }

    /** Those that left before the turn that has ended are gone. */
    void leaversAreGone(int store) {
        fetches.leaversAreGone();
        leavers.entrySet().removeIf(leaver -> {
            Listener listener = leaver.getKey();
            Shelf home = listener.home();
            boolean gone =
                    home == null || (home.store == store && ledger.shard(store).count() > leaver.getValue());
            if (gone) {
                listener.closed = true;
                if (listener.ofSession) {
                    listener.locks.forEach(Lock::end);
                }
                ledger.listeners().remove(listener);
            }
            return gone;
        });
    }

    /** What was taken for good in a turn must have been told in it. */
    void turnEnded(Shelf shelf) {
        if (!shelf.taken.isEmpty() && !ledger.shard(shelf.store).isTroubled() && !fetches.mayBeUntold(shelf)) {
            throw new Violation("Expected everything that was taken to be told, but nobody has heard of "
                    + shelf.taken.values().iterator().next() + ".");
        }
        shelf.taken.clear();
        shelf.perhapsTaken.clear();
    }

    /** The memory of a shard is lost with all locks. */
    void storeIsBack(int store) {
        departed.removeIf(listener -> {
            Shelf home = listener.home();
            return home == null || home.store == store;
        });
        for (Lock lock : locks) {
            if (lock.copy.shelf.store == store) {
                lock.end();
            }
        }
        for (Shelf shelf : ledger.shelves().all()) {
            if (shelf.store == store) {
                shelf.taken.clear();
            }
        }
        forgetEnded();
    }

    void processEnded() {
        locks.forEach(Lock::end);
        locks.clear();
        leavers.clear();
        fetches.processEnds();
        departed.clear();
        ledger.shelves().all().forEach(shelf -> shelf.taken.clear());
    }

    /** Drops locks that have ended and that nobody will try again. */
    void forgetEnded() {
        locks.removeIf(lock -> lock.ended && lock.pending.isEmpty());
    }

    /** Nobody who wants messages waits while there are some. */
    void requireNobodyWaits(Listener listener) {
        boolean there = !ledger.shelves().of(listener.path).isEmpty();
        ledger.check(there || !listener.isOpen(), "Expected receivers of what is deleted to be closed", listener);
        Copy available = listener.isHungry() ? firstAvailable(listener) : null;
        if (available != null) {
            throw new Violation("Expected " + available + " to be delivered to the receiver that waits for it.");
        }
    }

    private @Nullable Copy firstAvailable(Listener listener) {
        for (Shelf shelf : ledger.shelves().of(listener.path)) {
            boolean receives = shelf.settings.status().allowsReceive() && ledger.isHealthy(shelf.store);
            for (Copy copy : shelf.lane(listener.lane).values()) {
                boolean mine = !listener.ofSession || Objects.equals(copy.row.session(), listener.session);
                if (receives && mine && copy.isAvailable() && !copy.isExpired(ledger.nowMs(shelf))) {
                    return copy;
                }
            }
        }
        return null;
    }
}
