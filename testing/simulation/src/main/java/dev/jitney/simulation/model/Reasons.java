package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.Request.Settling;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why a message may come, go, move or change. What has no reason is a violation. */
final class Reasons {
    private final Ledger ledger;
    private final BatchJudge judge;
    private final Outboxes outboxes;
    private final Routes routes;

    private final Settlements settlements;
    private final Takers takers;
    private final Set<Request.Send> sends = new LinkedHashSet<>();
    private final Set<Origin> origins = new LinkedHashSet<>();
    private final Expiries expiries = new Expiries();

    /** Where a message came from that has come to several places in this batch. */
    private record Origin(long uid, String path) {}

    Reasons(Ledger ledger, BatchJudge judge, Outboxes outboxes, Publications publications) {
        this.ledger = ledger;
        this.judge = judge;
        this.outboxes = outboxes;
        this.routes = new Routes(ledger);
        this.settlements = new Settlements(ledger);
        this.takers = new Takers(ledger, judge, publications);
    }

    /** The batch is over: what was asked for as one has happened as one. */
    void end() {
        Set<Dealing> dealings = new HashSet<>();
        settlements.touched().forEach(settle -> dealings.add(settle.dealing));
        settlements.end();
        sends.forEach(send -> dealings.add(send.dealing));
        for (Dealing dealing : dealings) {
            if (dealing != null) {
                dealing.requireWhole();
            }
        }
        for (Request.Send send : sends) {
            boolean plain = ledger.answers().mustStore(send);
            ledger.check(
                    !plain || send.storedCount() == send.messages.size(),
                    "Expected all messages of a send or none in one batch",
                    send);
        }
        sends.clear();
        origins.clear();
        expiries.end();
    }

    // --- coming ---

    /** SEQ-1: numbers only grow, and no message gets one that was given before. */
    void newNumber(Copy copy) {
        Shelf shelf = copy.shelf;
        if (shelf.isPart() && Shelves.fragment(copy.number) != shelf.fragment) {
            throw new Violation(
                    "Expected a number that tells fragment " + shelf.fragment + " (SEQ-2), but got " + copy + ".");
        }
        if (copy.number <= shelf.lastNumber) {
            throw new Violation("Expected a number after " + shelf.lastNumber + ", but got " + copy + ".");
        }
        shelf.lastNumber = Math.max(shelf.lastNumber, copy.number);
    }

    void arrival(Copy copy, long nowMs) {
        for (Flight flight : outboxes.landed(copy.uid)) {
            if (routes.leads(flight.destinationId, copy.shelf, copy.uid)) {
                judge.count(Step.TRANSFER_LANDED);
                Keys.requireHandedOn(ledger, copy);
                return;
            }
        }
        Request.Send send = ledger.sends().get(copy.uid);
        boolean handedOn = isHandedOn(copy);
        if (send != null
                && send.mayTakeEffect()
                && routes.leads(send.path, copy.shelf, copy.uid)
                && !(handedOn && isStoredBefore(copy, send))) {
            sent(copy, send, nowMs);
        } else if (handedOn) {
            judge.count(Step.PUBLISHED);
        } else {
            throw new Violation("Expected a reason for " + copy + " to be stored, but nobody has sent it, or it was"
                    + " stored before.");
        }
    }

    private boolean isHandedOn(Copy copy) {
        return origins.stream()
                .anyMatch(origin -> origin.uid == copy.uid && routes.leads(origin.path, copy.shelf, copy.uid));
    }

    /** Whether the batch, or one before it, has stored what was sent where it was sent to, and handed it on from there. */
    private boolean isStoredBefore(Copy copy, Request.Send send) {
        return send.stored[send.indexOf(copy.uid)] && !origins.contains(new Origin(copy.uid, send.path));
    }

    private void sent(Copy copy, Request.Send send, long nowMs) {
        int index = send.indexOf(copy.uid);
        Request.Sent message = send.messages.get(index);
        boolean direct = copy.shelf.path.equals(send.path);
        boolean again = send.stored[index];
        boolean fanned = origins.contains(new Origin(copy.uid, send.path));
        if (again && !fanned) {
            throw new Violation("Expected " + copy + " to be stored once, but it is stored again.");
        }
        sends.add(send);
        send.stored[index] = true;
        if (!direct) {
            send.copies.add(new Request.CopyOf(copy.uid, copy.shelf.path, copy.look));
        }
        send.numbers[index] = copy.number;
        if (direct && copy.shelf.isPart()) {
            requireFragment(copy, send, message);
        }
        if (direct && copy.lane != Lane.MAIN && copy.lane != Lane.SCHEDULED) {
            ledger.check(!routes.isPlain(send.path), "Expected a message in the lane that its time says", copy);
            judge.count(Step.TRANSFER_REFUSED);
        } else if (direct) {
            boolean waits = message.scheduledMs() > nowMs;
            ledger.check(
                    copy.lane == (waits ? Lane.SCHEDULED : Lane.MAIN),
                    "Expected a message in the lane that its time says",
                    copy);
            send.waited[index] = copy.lane == Lane.SCHEDULED;
            judge.count(waits ? Step.SCHEDULED : Step.SENT);
        } else {
            origins.add(new Origin(copy.uid, send.path));
            judge.count(Step.PUBLISHED);
        }
    }

    /** PART-10, PART-25: all that is sent together comes to one fragment, and that of its key if it has one. */
    private void requireFragment(Copy copy, Request.Send send, Request.Sent message) {
        String key = Keys.of(message, copy.shelf.settings);
        boolean right = key == null || Keys.fragment(key, copy.shelf.settings.fragments()) == copy.shelf.fragment;
        ledger.check(right, "Expected a message in the fragment of its key (PART-25)", copy);
        boolean together = send.fragment < 0 || send.fragment == copy.shelf.fragment;
        ledger.check(together, "Expected what is sent together in one fragment (PART-10)", copy);
        send.fragment = copy.shelf.fragment;
    }

    /** A message enters an outbox. */
    void departure(@Nullable Copy from, Flight flight, long nowMs) {
        judge.count(Step.TRANSFER_LEFT);
        if (from != null) {
            judge.count(Step.FORWARDED);
            if (from.lane == Lane.SCHEDULED) {
                ledger.check(from.row.scheduledMs() <= nowMs, "Expected a message to wait for its time", from);
            }
            settlements.releaseOf(from, nowMs);
            ledger.check(from.lock == null, "Expected nothing that is locked to be handed on", from);
            boolean passes = from.shelf == flight.source
                    && from.lane != Lane.SCHEDULED
                    && !onward(from).isEmpty();
            for (String path : onward(from)) {
                origins.add(new Origin(from.uid, path));
                passes |= routes.passes(path, flight.source, flight.uid);
            }
            ledger.check(passes, "Expected a message to stay, but it was handed on", from);
            return;
        }
        for (Flight before : outboxes.landed(flight.uid)) {
            if (routes.passes(before.destinationId, flight.source, flight.uid)) {
                return;
            }
        }
        Request.Send send = ledger.sends().get(flight.uid);
        if (send != null
                && send.mayTakeEffect()
                && (send.dealing != null || routes.passes(send.path, flight.source, flight.uid))) {
            int index = send.indexOf(flight.uid);
            ledger.check(
                    !send.stored[index] || origins.contains(new Origin(flight.uid, send.path)),
                    "Expected a message to leave once",
                    flight);
            origins.add(new Origin(flight.uid, send.path));
            send.stored[index] = true;
            sends.add(send);
            return;
        }
        for (Origin origin : origins) {
            if (origin.uid == flight.uid && routes.passes(origin.path, flight.source, flight.uid)) {
                return;
            }
        }
        throw new Violation("Expected a reason for " + flight + ", but there is none.");
    }

    /** Where a message goes from where it is, if it is handed on. */
    private static List<String> onward(Copy from) {
        List<String> paths = new ArrayList<>();
        for (Settings settings : List.of(from.shelf.settings, from.shelf.before)) {
            String path = switch (from.lane) {
                case MAIN -> settings.forwardTo();
                case DEAD_LETTER -> settings.forwardDeadLettersTo();
                case SCHEDULED -> from.shelf.path;
                case TRANSFER_DEAD_LETTER -> null;
            };
            if (path != null) {
                paths.add(path);
            }
        }
        return paths;
    }

    // --- moving ---

    /** Whether a message may move from where it was, to a shelf. */
    boolean mayCome(Copy from, Shelf to) {
        return from.shelf == to || !onward(from).isEmpty();
    }

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
            ledger.check(!onward(from).isEmpty(), "Expected a message to stay, but it was handed on", from);
            settlements.releaseOf(from, nowMs);
            judge.count(Step.TRANSFER_REFUSED);
        } else {
            settlements.releaseOf(from, nowMs);
            ledger.check(from.lock == null, "Expected nothing that is locked to be handed on", from);
            boolean leads = false;
            for (String path : onward(from)) {
                origins.add(new Origin(from.uid, path));
                leads |= routes.leads(path, to.shelf, to.uid);
            }
            ledger.check(leads, () -> "Expected a message where it is forwarded to, but it comes to " + to, from);
            Keys.requireHandedOn(ledger, to);
            judge.count(Step.FORWARDED);
        }
    }

    private void activated(Copy from, Copy to, long nowMs) {
        ledger.check(from.row.scheduledMs() <= nowMs, "Expected a message to wait for its time", from);
        if (from.shelf == to.shelf) {
            ledger.check(to.lane == Lane.MAIN, "Expected a message that is due in the main lane", to);
            ledger.check(to.row.wasScheduled(), "Expected a message to say that it was scheduled (STATE-9)", to);
        } else {
            ledger.check(routes.leads(from.shelf.path, to.shelf, to.uid), "Expected a message where it belongs", to);
            origins.add(new Origin(from.uid, from.shelf.path));
        }
        judge.count(Step.ACTIVATED);
    }

    private void deadLettered(Copy from, Copy to, long nowMs) {
        Settings settings = from.shelf.settings;
        int limit = Math.min(settings.maxDeliveries(), from.shelf.before.maxDeliveries());
        boolean tooOften = from.deliveryCount + 1 >= limit;
        boolean expired = expiries.isExpired(from, nowMs)
                && (settings.deadLettersExpired() || from.shelf.before.deadLettersExpired());
        Lock held = from.lock;
        Request.Settle settle = held == null
                ? null
                : settlements.pending(
                        held,
                        nowMs,
                        // A transaction that is refused gives the lock back, and its end counts as a delivery.
                        how -> (how == Settling.DEAD_LETTER && to.deliveryCount == from.deliveryCount)
                                || (how == Settling.ABANDON && (tooOften || expired))
                                || (how == Settling.RELEASE && expired));
        if (settle == null) {
            Settlements.releaseIfLeft(from);
        }
        Lock lock = from.lock;
        if (lock == null) {
            ledger.check(
                    expired,
                    () -> "Expected a reason for dead-lettering at " + nowMs + " among "
                            + from.shelf.lane(Lane.MAIN).values(),
                    from);
            expect(to, from.deliveryCount);
            judge.count(Step.EXPIRED);
            return;
        }
        if (settle != null) {
            settlements.settles(settle, lock, nowMs);
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
            takers.cancelled(copy, nowMs);
            return;
        }
        boolean expired = copy.lane == Lane.MAIN
                && expiries.isExpired(copy, nowMs)
                && !(settings.deadLettersExpired() && copy.shelf.before.deadLettersExpired());
        Lock lock = copy.lock;
        if (lock != null) {
            Request.Settle settle = settlements.pending(
                    lock,
                    nowMs,
                    how -> how == Settling.COMPLETE
                            || (expired && (how == Settling.ABANDON || how == Settling.RELEASE)));
            if (settle != null) {
                settlements.settles(settle, lock, nowMs);
                judge.count(Step.COMPLETED);
                return;
            }
            Settlements.releaseIfLeft(copy);
            if (!lock.isLive(nowMs) && expired) {
                lock.end();
                takers.isPurged(copy, true);
                judge.count(Step.EXPIRED);
                return;
            }
            settlements.releaseOf(copy, nowMs);
            ledger.check(copy.lock == null, "Expected a locked message to stay, but it has gone", copy);
        }
        if (copy.deferred && !copy.isExpired(nowMs) && takers.isFetched(copy)) {
            return;
        }
        if (expired) {
            if ((!copy.isExpired(nowMs) || copy.shelf.isPart())
                    && ledger.deliveries().mayBeTaken(copy)) {
                copy.shelf.perhapsTaken.put(copy.number, copy);
            }
            takers.isPurged(copy, true);
            judge.count(Step.EXPIRED);
        } else if (routes.mayVanish(copy)) {
            takers.isPurged(copy, true);
            judge.count(Step.FORWARDED);
        } else {
            boolean gone = takers.isPurged(copy, false) || takers.isFetched(copy) || takers.isTaken(copy);
            ledger.check(gone, "Expected a message to stay, but it has gone", copy);
        }
    }

    /** A message leaves its lane. */
    void leaves(Copy copy, long nowMs) {
        expiries.leaves(copy, nowMs);
    }

    // --- changing ---

    void change(Copy copy, RowBytes.Change change, long nowMs) {
        Lock lock = copy.lock;
        if (lock == null) {
            throw new Violation("Expected nobody to change " + copy + ", which is not locked.");
        }
        int expected = copy.deliveryCount + (copy.lane == Lane.MAIN ? 1 : 0); // DLQ-39
        ledger.check(
                change.deliveryCount() == expected,
                () -> "Expected a delivery count of " + expected + ", but got " + change.deliveryCount(),
                copy);
        boolean defers = change.deferred() && !copy.deferred;
        ledger.check(change.deferred() || !copy.deferred, "Expected a deferred message to stay deferred", copy);
        Request.Settle settle = settlements.pending(
                lock, nowMs, how -> how == Settling.DEFER ? change.deferred() : how == Settling.ABANDON && !defers);
        if (settle != null) {
            settlements.settles(settle, lock, nowMs);
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
}
