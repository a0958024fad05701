package dev.jitney.simulation.model.answer;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.core.Lane;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.entity.IdleDeletion;
import dev.jitney.simulation.model.row.RowBytes;
import dev.jitney.simulation.model.state.Listener;
import dev.jitney.simulation.model.state.Lock;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Step;
import dev.jitney.simulation.model.state.StoredEntity;
import dev.jitney.simulation.model.state.Timeline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The judge of deliveries: which receiver gets which message, and in which order. */
public final class Deliveries implements Listener.Judge {
    private final ModelState model;
    private final Credits credits;
    private final IdleDeletion idling;
    private final List<Lock> locks = new ArrayList<>();

    /** The receivers ended by a failed store, until the store has reported the messages removed for them. */
    private final List<Listener> departed = new ArrayList<>();

    /** The receivers that are being closed, with the number of turns that their store had begun by then. */
    private final Map<Listener, Long> leavers = new HashMap<>();

    private final FragmentDeliveries fetches;

    public Deliveries(ModelState model, Credits credits, IdleDeletion idling) {
        this.model = model;
        this.credits = credits;
        this.idling = idling;
        this.fetches = new FragmentDeliveries(model);
    }

    @Override
    public Timeline timeline() {
        return model.timeline();
    }

    @Override
    public StoredEntity.Lookup entities() {
        return model.entities();
    }

    @Override
    public void used(String path) {
        idling.used(path);
    }

    @Override
    public boolean mayBeClosed(String path) {
        return model.mayBeClosed(path);
    }

    @Override
    public boolean isToBeDeleted(String path) {
        return model.isToBeDeleted(path);
    }

    public List<Lock> locks() {
        return locks;
    }

    @Override
    public void delivered(Listener listener, MessageView view) {
        listener.requireOpen();
        listener.delivered++;
        credits.spend(1);
        idling.used(listener.path);
        StoredEntity entity = model.entities().of(listener.path, view.sequenceNumber());
        if (entity == null) {
            throw new Violation(
                    "Expected deliveries from existing entities only, but got one from " + listener.path + ".");
        }
        check(listener.attached, "Expected no delivery before the receiver is attached", entity.path);
        check(
                listener.delivered <= listener.limit,
                () -> "Expected at most " + listener.limit + " deliveries, but got " + listener.delivered,
                entity.path);
        boolean locksIt = listener.mode == ReceiveMode.PEEK_LOCK;
        MessageCopy copy = locksIt
                ? entity.lane(listener.lane).get(view.sequenceNumber())
                : entity.taken.remove(view.sequenceNumber());
        if (copy == null && !locksIt) {
            copy = entity.perhapsTaken.remove(view.sequenceNumber());
        }
        if (copy == null) {
            throw new Violation("Expected only stored messages to be delivered, but got number " + view.sequenceNumber()
                    + " of " + entity.path + ".");
        }
        long nowMs = model.nowMs(entity);
        requireContent(copy, view);
        Settlements.releaseIfLeft(copy);
        boolean fetched = entity.isFragment() && !listener.ofSession;
        check(
                entity.mayReceive() || (fetched && !locksIt), // it was removed for this receiver before
                "Expected no delivery while receives are disabled (SUSP-1)",
                copy);
        check(copy.lock == null, "Expected one lock for each message, but a locked message was delivered", copy);
        check(!copy.deferred, "Expected no delivery of deferred messages", copy);
        long lockedMs = fetched && locksIt ? FragmentDeliveries.lockedMs(copy, view) : nowMs;
        check(
                copy.lane != Lane.MAIN || !copy.isExpired(lockedMs) || (fetched && !locksIt),
                "Expected no delivery of expired messages (TTL-6)",
                copy);
        if (listener.ofSession) {
            check(
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
            lock(copy, view, listener, nowMs + entity.settings.lockMs());
        }
        model.count(copy.deliveryCount > 0 ? Step.REDELIVERED : Step.LOCKED);
    }

    /** Checks that no available message precedes the delivered one (RECV-4, SESS-7). */
    private void requireFirst(MessageCopy copy, Listener listener) {
        for (MessageCopy other :
                copy.entity.lane(copy.lane).headMap(copy.number).values()) {
            // The locks of a session that is being closed in this turn may or may not be released already.
            boolean sameRow = !listener.ofSession || Objects.equals(other.row.session(), listener.session);
            check(
                    !(sameRow && other.isAvailable()),
                    () -> "Expected the first available message, which is " + other + ", but got another one",
                    copy);
        }
    }

    private void requireContent(MessageCopy copy, MessageView view) {
        check(RowBytes.uid(view.content().bytes()) == copy.uid, "Expected the content of the sent message", copy);
        copy.requireSeen(view);
        check(
                view.deliveryCount() == copy.deliveryCount,
                () -> "Expected a delivery count of " + copy.deliveryCount + ", but got " + view.deliveryCount(),
                copy);
        check(
                view.enqueuedSequenceNumber() == copy.row.firstNumber(),
                "Expected an unchanged enqueued sequence number",
                copy);
        boolean scheduled = copy.lane == Lane.MAIN && copy.row.wasScheduled(); // STATE-9
        MessageState state =
                copy.deferred ? MessageState.DEFERRED : scheduled ? MessageState.SCHEDULED : MessageState.ACTIVE;
        check(view.state() == state, () -> "Expected the state " + state + ", but got " + view.state(), copy);
    }

    private void lock(MessageCopy copy, MessageView view, Listener listener, long untilMs) {
        UUID token = view.lockToken();
        if (token == null) {
            throw new Violation("Expected a lock token for " + copy + ", but got none.");
        }
        long expected = listener.ofSession && copy.lane == Lane.MAIN ? listener.sessionUntilMs : untilMs;
        long before = listener.ofSession ? expected : view.lockedUntilMs();
        boolean fetched = copy.entity.isFragment() && !listener.ofSession && listener.attached;
        if (fetched) {
            fetches.requireLock(copy, view, listener);
        }
        check(
                fetched || view.lockedUntilMs() == expected || before != view.lockedUntilMs() || isChanged(copy.entity),
                () -> "Expected a lock until " + expected + ", but got " + view.lockedUntilMs(),
                copy);
        Lock lock = new Lock(token, copy, listener, view.lockedUntilMs());
        copy.lock = lock;
        copy.entity.locked += copy.lane == Lane.MAIN ? 1 : 0;
        listener.locks.add(lock);
        locks.add(lock);
        model.touch(copy.entity);
    }

    private static boolean isChanged(StoredEntity entity) {
        return entity.before != entity.settings;
    }

    /** Checks the deferred messages that a fetch returns. */
    void fetched(StoredRequests.Fetch fetch, List<MessageView> views) {
        check(views.size() == fetch.numbers.length, "Expected all requested messages", fetch);
        for (MessageView view : views) {
            StoredEntity entity = model.entities().of(fetch.path, view.sequenceNumber());
            check(fetch.names(view.sequenceNumber()), "Expected only requested messages", fetch);
            boolean locksIt = fetch.mode == ReceiveMode.PEEK_LOCK;
            MessageCopy copy = entity == null
                    ? null
                    : locksIt
                            ? entity.lane(fetch.lane).get(view.sequenceNumber())
                            : entity.taken.remove(view.sequenceNumber());
            if (entity == null || copy == null) {
                throw new Violation("Expected only stored messages, but got number " + view.sequenceNumber() + ".");
            }
            requireContent(copy, view);
            Settlements.releaseIfLeft(copy);
            check(copy.lock == null, "Expected one lock for each message, but a locked message was fetched", copy);
            check(copy.deferred, "Expected only deferred messages", copy);
            if (locksIt) {
                lock(copy, view, fetch.owner, model.nowMs(entity) + entity.settings.lockMs());
            }
        }
    }

    @Override
    public void closed(Listener listener, Rejection reason) {
        boolean expected = switch (reason.code()) {
            case DETACH_FORCED ->
                model.timeline().isDisturbed() || model.timeline().disturbances() != listener.disturbances;
            case ENTITY_NOT_FOUND -> model.isToBeDeleted(listener.path);
            case ENTITY_DISABLED -> model.mayBeClosed(listener.path) && listener.session == null; // SUSP-5
            case INVALID_OPERATION -> true;
            case SESSION_LOCK_LOST -> listener.ofSession;
            default -> false;
        };
        check(expected, () -> "Expected a receiver to remain open, but it was closed with " + reason, listener.path);
        if (reason.code() != ErrorCode.DETACH_FORCED
                && listener.ofSession) { // otherwise the store first reports settlements
            listener.locks.forEach(Lock::end);
        }
        model.listeners().remove(listener);
        if (listener.isFetching()) {
            fetches.left(listener);
        } else if (reason.code() == ErrorCode.DETACH_FORCED) {
            departed.add(listener);
        }
    }

    /**
     * Returns whether a receive-and-delete receiver may have removed a message. The receiver may have been ended by a
     * failed store.
     */
    public boolean mayBeTaken(MessageCopy copy) {
        return takes(model.listeners(), copy) || takes(departed, copy) || takes(fetches.leavers(), copy);
    }

    private boolean takes(Collection<Listener> some, MessageCopy copy) {
        for (Listener listener : some) {
            if (listener.mode == ReceiveMode.RECEIVE_AND_DELETE
                    && listener.lane == copy.lane
                    && !copy.deferred
                    && model.entities().of(listener.path).contains(copy.entity)) {
                return true;
            }
        }
        return false;
    }

    /** Called after a long commit. */
    public void hasStalled() {
        fetches.hasStalled();
    }

    /** Called before the clock is set back. */
    public void clockGoesBack(long nowMs) {
        fetches.clockGoesBack(nowMs);
    }

    /** Called when a client closes a receiver. */
    @Override
    public void left(Listener listener) {
        if (listener.isFetching()) {
            fetches.left(listener);
            return;
        }
        StoredEntity home = listener.home();
        leavers.put(
                listener, home == null ? 0L : model.timeline().shard(home.store).count());
    }

    /** Returns whether receivers of an entity are being closed, so that their locks may or may not be released already. */
    public boolean isBeingLeft(String path) {
        return leavers.keySet().stream().anyMatch(listener -> listener.path.equals(path))
                || fetches.leavers().stream().anyMatch(listener -> listener.path.equals(path));
    }

    /** Removes the receivers that were closed before the last turn. */
    public void leaversAreGone(int store) {
        fetches.leaversAreGone();
        leavers.entrySet().removeIf(leaver -> {
            Listener listener = leaver.getKey();
            StoredEntity home = listener.home();
            boolean gone = home == null
                    || (home.store == store && model.timeline().shard(store).count() > leaver.getValue());
            if (gone) {
                listener.closed = true;
                if (listener.ofSession) {
                    listener.locks.forEach(Lock::end);
                }
                model.listeners().remove(listener);
            }
            return gone;
        });
    }

    /** Checks that the messages removed for receive-and-delete receivers in a turn were delivered in it. */
    public void turnEnded(StoredEntity entity) {
        if (!entity.taken.isEmpty()
                && !model.timeline().shard(entity.store).isTroubled()
                && !fetches.mayBeUntold(entity)) {
            throw new Violation("Expected each removed message to be delivered, but there is no delivery of "
                    + entity.taken.values().iterator().next() + ".");
        }
        entity.taken.clear();
        entity.perhapsTaken.clear();
    }

    /** Ends all locks of a shard whose memory is lost. */
    public void storeIsBack(int store) {
        departed.removeIf(listener -> {
            StoredEntity home = listener.home();
            return home == null || home.store == store;
        });
        for (Lock lock : locks) {
            if (lock.copy.entity.store == store) {
                lock.end();
            }
        }
        for (StoredEntity entity : model.entities().all()) {
            if (entity.store == store) {
                entity.taken.clear();
            }
        }
        forgetEnded();
    }

    public void processEnded() {
        locks.forEach(Lock::end);
        locks.clear();
        leavers.clear();
        fetches.processEnds();
        departed.clear();
        model.entities().all().forEach(entity -> entity.taken.clear());
    }

    /** Drops locks that have ended and have no pending settlement. */
    void forgetEnded() {
        locks.removeIf(lock -> lock.ended && lock.pending.isEmpty());
    }

    /** Checks that a receiver with credit does not wait while there are available messages. */
    public void requireNobodyWaits(Listener listener) {
        boolean there = !model.entities().of(listener.path).isEmpty();
        check(there || !listener.isOpen(), "Expected receivers of deleted entities to be closed", listener);
        MessageCopy available = listener.isHungry() ? firstAvailable(listener) : null;
        if (available != null) {
            throw new Violation("Expected " + available + " to be delivered to the receiver that waits for messages.");
        }
    }

    private @Nullable MessageCopy firstAvailable(Listener listener) {
        for (StoredEntity entity : model.entities().of(listener.path)) {
            boolean receives =
                    entity.settings.status().allowsReceive() && model.timeline().isHealthy(entity.store);
            for (MessageCopy copy : entity.lane(listener.lane).values()) {
                boolean mine = !listener.ofSession || Objects.equals(copy.row.session(), listener.session);
                if (receives && mine && copy.isAvailable() && !copy.isExpired(model.nowMs(entity))) {
                    return copy;
                }
            }
        }
        return null;
    }
}
