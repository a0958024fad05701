package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.model.ReceiveMode;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.Request.Settling;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why a message may come, go, move or change. What has no reason is a violation. */
final class Reasons {
    private final Ledger ledger;
    private final BatchJudge judge;
    private final Outboxes outboxes;
    private final Routes routes;

    /** Requests of which something was done in this batch; all or nothing. */
    private final Set<Request.Settle> settlements = new LinkedHashSet<>();

    private final Set<Request.Send> sends = new LinkedHashSet<>();
    private final Set<Origin> origins = new LinkedHashSet<>();

    /** Where a message came from that has come to several places in this batch. */
    private record Origin(long uid, String path) {}

    Reasons(Ledger ledger, BatchJudge judge, Outboxes outboxes) {
        this.ledger = ledger;
        this.judge = judge;
        this.outboxes = outboxes;
        this.routes = new Routes(ledger);
    }

    /** The batch is over: what was asked for as one has happened as one. */
    void end() {
        for (Request.Settle settle : settlements) {
            // What is released changes no row, unless it has expired.
            boolean whole = settle.how == Settling.RELEASE || settle.isSettled();
            ledger.check(whole, "Expected all of a settlement or nothing", settle);
        }
        for (Request.Send send : sends) {
            boolean plain = routes.isPlain(send.path);
            ledger.check(
                    !plain || send.storedCount() + send.skipped() == send.messages.size(),
                    "Expected all messages of a send or none in one batch",
                    send);
        }
        settlements.clear();
        sends.clear();
        origins.clear();
    }

    // --- coming ---

    /** SEQ-1: numbers only grow, and no message gets one that was given before. */
    void newNumber(Copy copy, @Nullable Copy from) {
        Shelf shelf = copy.shelf;
        Request.Send send = ledger.sends().get(copy.uid);
        boolean reserved = copy.lane == Lane.SCHEDULED && send != null && send.dealing != null;
        if (!reserved && copy.number <= shelf.lastNumber) {
            throw new Violation("Expected a number after " + shelf.lastNumber + ", but got " + copy + ".");
        }
        shelf.lastNumber = Math.max(shelf.lastNumber, copy.number);
    }

    void arrival(Copy copy, long nowMs) {
        Flight flight = outboxes.landed(copy.uid);
        if (flight != null && routes.leads(flight.destinationId, copy.shelf)) {
            judge.count(Step.TRANSFER_LANDED);
            return;
        }
        Request.Send send = ledger.sends().get(copy.uid);
        if (send != null && send.mayTakeEffect() && routes.leads(send.path, copy.shelf)) {
            sent(copy, send, nowMs);
            return;
        }
        for (Origin origin : origins) {
            if (origin.uid == copy.uid && routes.leads(origin.path, copy.shelf)) {
                judge.count(Step.PUBLISHED);
                return;
            }
        }
        throw new Violation("Expected a reason for " + copy + " to be stored, but nobody has sent it, or it was stored"
                + " before.");
    }

    private void sent(Copy copy, Request.Send send, long nowMs) {
        int index = send.indexOf(copy.uid);
        Request.Sent message = send.messages.get(index);
        boolean direct = copy.shelf.path.equalsIgnoreCase(send.path);
        boolean again = send.stored[index];
        boolean fanned = origins.contains(new Origin(copy.uid, send.path));
        if (again && !fanned) {
            throw new Violation("Expected " + copy + " to be stored once, but it is stored again.");
        }
        sends.add(send);
        send.stored[index] = true;
        send.numbers[index] = copy.number;
        if (direct) {
            boolean waits = message.scheduledMs() > nowMs;
            boolean reserved = send.dealing != null;
            ledger.check(
                    copy.lane == (waits ? Lane.SCHEDULED : Lane.MAIN) || (reserved && copy.lane == Lane.SCHEDULED),
                    "Expected a message in the lane that its time says",
                    copy);
            judge.count(waits ? Step.SCHEDULED : Step.SENT);
        } else {
            origins.add(new Origin(copy.uid, send.path));
            judge.count(Step.PUBLISHED);
        }
    }

    /** A message enters an outbox. */
    void departure(@Nullable Copy from, Flight flight, long nowMs) {
        judge.count(Step.TRANSFER_LEFT);
        if (from != null) {
            judge.count(Step.FORWARDED);
            requireForwarding(from, flight.source);
            releaseOf(from, nowMs);
            ledger.check(from.lock == null, "Expected nothing that is locked to be handed on", from);
            return;
        }
        Flight before = outboxes.landed(flight.uid);
        if (before != null && routes.passes(before.destinationId, flight.source)) {
            return;
        }
        Request.Send send = ledger.sends().get(flight.uid);
        if (send != null && send.mayTakeEffect() && (send.dealing != null || routes.passes(send.path, flight.source))) {
            int index = send.indexOf(flight.uid);
            ledger.check(
                    !send.stored[index] || origins.contains(new Origin(flight.uid, send.path)),
                    "Expected a message to leave once",
                    flight);
            origins.add(new Origin(flight.uid, send.path));
            send.stored[index] = true;
            return;
        }
        for (Origin origin : origins) {
            if (origin.uid == flight.uid && routes.passes(origin.path, flight.source)) {
                return;
            }
        }
        throw new Violation("Expected a reason for " + flight + ", but there is none.");
    }

    private static void requireForwarding(Copy from, Shelf source) {
        boolean forwards = from.lane == Lane.DEAD_LETTER
                ? from.shelf.settings.forwardDeadLettersTo() != null || from.shelf.before.forwardDeadLettersTo() != null
                : from.shelf.settings.forwards() || from.shelf.before.forwards();
        if (from.shelf != source || !forwards) {
            throw new Violation("Expected " + from + " to stay, but it was handed on.");
        }
    }

    // --- moving ---

    void move(Copy from, Copy to, long nowMs) {
        if (from.shelf == to.shelf
                && from.lane == Lane.MAIN
                && to.lane == Lane.DEAD_LETTER
                && from.number == to.number) {
            deadLettered(from, to, nowMs);
        } else if (from.lane == Lane.SCHEDULED) {
            activated(from, to, nowMs);
        } else if (from.shelf == to.shelf) {
            boolean refused = to.lane == Lane.DEAD_LETTER || to.lane == Lane.TRANSFER_DEAD_LETTER;
            ledger.check(refused, () -> "Expected a message to stay in its lane, but it comes to " + to, from);
            requireForwarding(from, from.shelf);
            releaseOf(from, nowMs);
            judge.count(Step.TRANSFER_REFUSED);
        } else {
            requireForwarding(from, from.shelf);
            releaseOf(from, nowMs);
            ledger.check(from.lock == null, "Expected nothing that is locked to be handed on", from);
            boolean leads = from.lane == Lane.DEAD_LETTER
                    ? routes.leadsBy(from.shelf.settings.forwardDeadLettersTo(), to.shelf)
                            || routes.leadsBy(from.shelf.before.forwardDeadLettersTo(), to.shelf)
                    : routes.leadsBy(from.shelf.settings.forwardTo(), to.shelf)
                            || routes.leadsBy(from.shelf.before.forwardTo(), to.shelf);
            ledger.check(leads, () -> "Expected a message where it is forwarded to, but it comes to " + to, from);
            origins.add(new Origin(from.uid, from.shelf.path));
            judge.count(Step.FORWARDED);
        }
    }

    private void activated(Copy from, Copy to, long nowMs) {
        ledger.check(from.row.scheduledMs() <= nowMs, "Expected a message to wait for its time", from);
        if (from.shelf == to.shelf) {
            ledger.check(to.lane == Lane.MAIN, "Expected a message that is due in the main lane", to);
        } else {
            ledger.check(routes.leads(from.shelf.path, to.shelf), "Expected a message where it belongs", to);
            origins.add(new Origin(from.uid, from.shelf.path));
        }
        judge.count(Step.ACTIVATED);
    }

    private void deadLettered(Copy from, Copy to, long nowMs) {
        Settings settings = from.shelf.settings;
        int limit = Math.min(settings.maxDeliveries(), from.shelf.before.maxDeliveries());
        boolean tooOften = from.deliveryCount + 1 >= limit;
        boolean expired =
                from.isExpired(nowMs) && (settings.deadLettersExpired() || from.shelf.before.deadLettersExpired());
        releaseIfLeft(from);
        Lock lock = from.lock;
        if (lock == null) {
            ledger.check(expired, "Expected a reason for dead-lettering", from);
            expect(to, from.deliveryCount);
            judge.count(Step.EXPIRED);
            return;
        }
        Request.Settle settle = pending(
                lock,
                nowMs,
                how -> how == Settling.DEAD_LETTER
                        || (how == Settling.ABANDON && (tooOften || expired))
                        || (how == Settling.RELEASE && expired));
        if (settle != null) {
            settles(settle, lock);
            expect(to, from.deliveryCount + (settle.how == Settling.ABANDON ? 1 : 0));
            judge.count(settle.how == Settling.DEAD_LETTER ? Step.DEAD_LETTERED : Step.DELIVERED_TOO_OFTEN);
        } else {
            ledger.check(!lock.isLive(nowMs), "Expected a locked message to stay, but it was dead-lettered", from);
            ledger.check(tooOften || expired, "Expected a message to be available again", from);
            expect(to, from.deliveryCount + 1);
            lock.end();
            judge.count(tooOften ? Step.DELIVERED_TOO_OFTEN : Step.EXPIRED);
        }
    }

    private void expect(Copy to, int deliveryCount) {
        ledger.check(
                to.deliveryCount == deliveryCount,
                () -> "Expected a delivery count of " + deliveryCount + ", but got " + to.deliveryCount,
                to);
    }

    // --- going ---

    void removal(Copy copy, long nowMs) {
        Settings settings = copy.shelf.settings;
        if (copy.lane == Lane.SCHEDULED) {
            cancelled(copy, nowMs);
            return;
        }
        boolean expired = copy.lane == Lane.MAIN
                && copy.isExpired(nowMs)
                && !(settings.deadLettersExpired() && copy.shelf.before.deadLettersExpired());
        releaseIfLeft(copy);
        Lock lock = copy.lock;
        if (lock != null) {
            Request.Settle settle = pending(
                    lock,
                    nowMs,
                    how -> how == Settling.COMPLETE
                            || (expired && (how == Settling.ABANDON || how == Settling.RELEASE)));
            if (settle != null) {
                settles(settle, lock);
                judge.count(Step.COMPLETED);
                return;
            }
            if (!lock.isLive(nowMs) && expired) {
                lock.end();
                judge.count(Step.EXPIRED);
                return;
            }
            releaseOf(copy, nowMs);
            ledger.check(copy.lock == null, "Expected a locked message to stay, but it has gone", copy);
        }
        if (expired) {
            isPurged(copy, true);
            judge.count(Step.EXPIRED);
        } else if (!isPurged(copy, false) && !isFetched(copy) && !isTaken(copy)) {
            ledger.check(routes.mayVanish(copy), "Expected a message to stay, but it has gone", copy);
            judge.count(Step.FORWARDED);
        }
    }

    private void cancelled(Copy copy, long nowMs) {
        for (Request request : ledger.open()) {
            if (request instanceof Request.Cancel cancel
                    && cancel.mayTakeEffect()
                    && ledger.shelvesOf(cancel.path).contains(copy.shelf)) {
                for (int i = 0; i < cancel.numbers.length; i++) {
                    if (cancel.numbers[i] == copy.number && !cancel.cancelled[i]) {
                        cancel.cancelled[i] = true;
                        judge.count(Step.CANCELLED);
                        return;
                    }
                }
            }
        }
        boolean published = copy.shelf.settings.topic() && copy.row.scheduledMs() <= nowMs;
        ledger.check(published, "Expected a scheduled message to stay, but it has gone", copy);
        judge.count(Step.ACTIVATED);
    }

    /** @param perhaps it may as well have gone for another reason */
    private boolean isPurged(Copy copy, boolean perhaps) {
        for (Request request : ledger.open()) {
            if (request instanceof Request.Purge purge
                    && purge.lane == copy.lane
                    && (perhaps || purge.count < purge.countMax)
                    && copy.isAvailable()
                    && ledger.shelvesOf(purge.path).contains(copy.shelf)) {
                purge.count += perhaps ? 0 : 1;
                purge.perhaps += perhaps ? 1 : 0;
                judge.count(Step.PURGED);
                return true;
            }
        }
        return false;
    }

    private boolean isFetched(Copy copy) {
        for (Request request : ledger.open()) {
            if (request instanceof Request.Fetch fetch
                    && fetch.mode == ReceiveMode.RECEIVE_AND_DELETE
                    && fetch.lane == copy.lane
                    && copy.deferred
                    && fetch.names(copy.number)
                    && ledger.shelvesOf(fetch.path).contains(copy.shelf)) {
                fetch.taken++;
                copy.shelf.taken.put(copy.number, copy);
                judge.count(Step.TAKEN);
                return true;
            }
        }
        return false;
    }

    private boolean isTaken(Copy copy) {
        boolean taken = ledger.deliveries().mayBeTaken(copy);
        if (taken) {
            copy.shelf.taken.put(copy.number, copy);
            judge.count(Step.TAKEN);
        }
        return taken;
    }

    // --- changing ---

    void change(Copy copy, RowBytes.Change change, long nowMs) {
        Lock lock = copy.lock;
        if (lock == null) {
            throw new Violation("Expected nobody to change " + copy + ", which is not locked.");
        }
        ledger.check(
                change.deliveryCount() == copy.deliveryCount + 1,
                () -> "Expected a delivery count of " + (copy.deliveryCount + 1) + ", but got "
                        + change.deliveryCount(),
                copy);
        boolean defers = change.deferred() && !copy.deferred;
        ledger.check(change.deferred() || !copy.deferred, "Expected a deferred message to stay deferred", copy);
        Request.Settle settle = pending(
                lock, nowMs, how -> how == Settling.DEFER ? change.deferred() : how == Settling.ABANDON && !defers);
        if (settle != null) {
            settles(settle, lock);
            judge.count(defers ? Step.DEFERRED : Step.FAILED);
        } else {
            ledger.check(!lock.isLive(nowMs) && !defers, "Expected a locked message to stay as it is", copy);
            lock.end();
            judge.count(Step.LOCK_EXPIRED);
        }
        if (defers) {
            copy.deferred = true;
            copy.shelf.deferred += copy.lane == Lane.MAIN ? 1 : 0;
        }
    }

    // --- settlements ---

    private interface Fits {
        boolean test(Settling how);
    }

    private Request.@Nullable Settle pending(Lock lock, long nowMs, Fits fits) {
        if (lock.pending.isEmpty()) {
            return null;
        }
        Request.Settle first = lock.pending.get(0);
        boolean alone = lock.pending.size() == 1 && first.locks.size() == 1;
        Request.Settle settle = alone ? first : winner(lock, nowMs);
        return settle != null && settle.mayWin(lock, nowMs) && fits.test(settle.how) ? settle : null;
    }

    /** Requests are decided in the order in which they were made, each all or none. */
    private Request.@Nullable Settle winner(Lock lock, long nowMs) {
        Set<Lock> taken = new HashSet<>();
        for (Request request : ledger.open()) {
            if (request instanceof Request.Settle settle && settle.mayTakeEffect()) {
                boolean wins = true;
                for (Lock one : settle.locks) {
                    wins &= settle.mayWin(one, nowMs) && !taken.contains(one);
                }
                if (wins && settle.locks.contains(lock)) {
                    return settle;
                } else if (wins) {
                    taken.addAll(settle.locks);
                }
            }
        }
        return null;
    }

    private void settles(Request.Settle settle, Lock lock) {
        settle.settles(lock);
        settlements.add(settle);
    }

    /** Whoever held it has left, which frees what was in its session. */
    private static void releaseIfLeft(Copy copy) {
        Lock lock = copy.lock;
        if (lock != null && lock.holder.leaving && lock.holder.ofSession) {
            lock.end();
        }
    }

    /** It was released in this very turn, which writes nothing by itself. */
    private void releaseOf(Copy copy, long nowMs) {
        Lock lock = copy.lock;
        releaseIfLeft(copy);
        if (lock != null && !lock.ended) {
            Request.Settle settle = pending(lock, nowMs, how -> how == Settling.RELEASE);
            if (settle != null) {
                settle.settles(lock);
            }
        }
    }
}
