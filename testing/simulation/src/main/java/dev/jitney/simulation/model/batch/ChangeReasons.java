package dev.jitney.simulation.model.batch;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.core.Lane;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.answer.Deliveries;
import dev.jitney.simulation.model.answer.Settlements;
import dev.jitney.simulation.model.answer.Transactions;
import dev.jitney.simulation.model.entity.PartitionKeys;
import dev.jitney.simulation.model.entity.Routes;
import dev.jitney.simulation.model.row.PartitionHash;
import dev.jitney.simulation.model.row.RowBytes;
import dev.jitney.simulation.model.state.EntitySettings;
import dev.jitney.simulation.model.state.Lock;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.OutboxMessage;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.Request.Settling;
import dev.jitney.simulation.model.state.Step;
import dev.jitney.simulation.model.state.StoredEntities;
import dev.jitney.simulation.model.state.StoredEntity;
import dev.jitney.simulation.model.state.TransactionModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The search for the reasons of changes: messages may be added, removed, moved or changed. A change without a reason is
 * a violation.
 */
final class ChangeReasons {
    private final ModelState model;
    private final Deliveries deliveries;
    private final Transactions transactions;
    private final Outboxes outboxes;
    private final Routes routes;

    private final Settlements settlements;
    private final UnlockedRemovals removals;
    private final Set<Request.Send> sends = new LinkedHashSet<>();
    private final Set<Origin> origins = new LinkedHashSet<>();
    private final ExpiredMessages expiries = new ExpiredMessages();

    /** The source of a message that was copied to several places in this batch. */
    private record Origin(long uid, String path) {}

    ChangeReasons(
            ModelState model,
            Routes routes,
            Deliveries deliveries,
            Transactions transactions,
            Outboxes outboxes,
            Publications publications) {
        this.model = model;
        this.routes = routes;
        this.deliveries = deliveries;
        this.transactions = transactions;
        this.outboxes = outboxes;
        this.settlements = new Settlements(model);
        this.removals = new UnlockedRemovals(model, deliveries, publications);
    }

    /** Checks at the end of a batch that requests have taken effect as a whole. */
    void end() {
        Set<TransactionModel> touchedTransactions = new HashSet<>();
        settlements.touched().forEach(settle -> touchedTransactions.add(settle.transaction));
        settlements.end();
        sends.forEach(send -> touchedTransactions.add(send.transaction));
        for (TransactionModel transaction : touchedTransactions) {
            if (transaction != null) {
                transactions.requireWhole(transaction);
            }
        }
        for (Request.Send send : sends) {
            boolean plain = routes.mustStore(send);
            check(
                    !plain || send.storedCount() == send.messages.size(),
                    "Expected all messages of a send in one batch, or none",
                    send);
        }
        sends.clear();
        origins.clear();
        expiries.end();
    }

    // --- new messages ---

    /** Checks that a new message has the highest number so far (SEQ-1). */
    void newNumber(MessageCopy copy) {
        StoredEntity entity = copy.entity;
        if (entity.isFragment() && StoredEntities.fragment(copy.number) != entity.fragment) {
            throw new Violation("Expected a number of fragment " + entity.fragment + " (SEQ-2), but got " + copy + ".");
        }
        if (copy.number <= entity.lastNumber) {
            throw new Violation("Expected a number after " + entity.lastNumber + ", but got " + copy + ".");
        }
        entity.lastNumber = Math.max(entity.lastNumber, copy.number);
    }

    void arrival(MessageCopy copy, long nowMs) {
        for (OutboxMessage transfer : outboxes.landed(copy.uid)) {
            if (routes.leads(transfer.destinationId, copy.entity, copy.uid)) {
                model.count(Step.TRANSFER_LANDED);
                PartitionKeys.requireHandedOn(copy);
                return;
            }
        }
        Request.Send send = model.sends().get(copy.uid);
        boolean handedOn = isHandedOn(copy);
        if (send != null
                && send.mayTakeEffect()
                && routes.leads(send.path, copy.entity, copy.uid)
                && !(handedOn && isStoredBefore(copy, send))) {
            sent(copy, send, nowMs);
        } else if (handedOn) {
            model.count(Step.PUBLISHED);
        } else {
            throw new Violation("Expected a reason for storing " + copy + ", but no client has sent it, or it was"
                    + " stored before.");
        }
    }

    private boolean isHandedOn(MessageCopy copy) {
        return origins.stream()
                .anyMatch(origin -> origin.uid == copy.uid && routes.leads(origin.path, copy.entity, copy.uid));
    }

    /**
     * Returns whether this batch or an earlier one has stored the message at the path of its send and forwarded it from
     * there.
     */
    private boolean isStoredBefore(MessageCopy copy, Request.Send send) {
        return send.stored[send.indexOf(copy.uid)] && !origins.contains(new Origin(copy.uid, send.path));
    }

    private void sent(MessageCopy copy, Request.Send send, long nowMs) {
        int index = send.indexOf(copy.uid);
        Request.Sent message = send.messages.get(index);
        boolean direct = copy.entity.path.equals(send.path);
        boolean again = send.stored[index];
        boolean fanned = origins.contains(new Origin(copy.uid, send.path));
        if (again && !fanned) {
            throw new Violation("Expected " + copy + " to be stored once, but it is stored twice.");
        }
        sends.add(send);
        send.stored[index] = true;
        if (!direct) {
            send.copies.add(new Request.CopyOf(copy.uid, copy.entity.path, copy.visible));
        }
        send.numbers[index] = copy.number;
        if (direct && copy.entity.isFragment()) {
            requireFragment(copy, send, message);
        }
        if (direct && copy.lane != Lane.MAIN && copy.lane != Lane.SCHEDULED) {
            check(!routes.isPlain(send.path), "Expected a message in the main or scheduled lane", copy);
            model.count(Step.TRANSFER_REFUSED);
        } else if (direct) {
            boolean waits = message.scheduledMs() > nowMs;
            check(
                    copy.lane == (waits ? Lane.SCHEDULED : Lane.MAIN),
                    "Expected a message in the lane for its scheduled time",
                    copy);
            send.waited[index] = copy.lane == Lane.SCHEDULED;
            model.count(waits ? Step.SCHEDULED : Step.SENT);
        } else {
            origins.add(new Origin(copy.uid, send.path));
            model.count(Step.PUBLISHED);
        }
    }

    /**
     * Checks that all messages of a send are in one fragment, which is the fragment of their key if they have one
     * (PART-10, PART-25).
     */
    private void requireFragment(MessageCopy copy, Request.Send send, Request.Sent message) {
        String key = message.key(copy.entity.settings);
        boolean right =
                key == null || PartitionHash.fragment(key, copy.entity.settings.fragments()) == copy.entity.fragment;
        check(right, "Expected a message in the fragment of its key (PART-25)", copy);
        boolean together = send.fragment < 0 || send.fragment == copy.entity.fragment;
        check(together, "Expected the messages of a send in one fragment (PART-10)", copy);
        send.fragment = copy.entity.fragment;
    }

    /** Checks the reason for a message in an outbox. */
    void departure(@Nullable MessageCopy from, OutboxMessage transfer, long nowMs) {
        model.count(Step.TRANSFER_LEFT);
        if (from != null) {
            model.count(Step.FORWARDED);
            if (from.lane == Lane.SCHEDULED) {
                check(from.row.scheduledMs() <= nowMs, "Expected a message to wait for its scheduled time", from);
            }
            settlements.releaseOf(from, nowMs);
            check(from.lock == null, "Expected no forwarding of locked messages", from);
            boolean passes = from.entity == transfer.source
                    && from.lane != Lane.SCHEDULED
                    && !onward(from).isEmpty();
            for (String path : onward(from)) {
                origins.add(new Origin(from.uid, path));
                passes |= routes.passes(path, transfer.source, transfer.uid);
            }
            check(passes, "Expected no forwarding of this message", from);
            return;
        }
        for (OutboxMessage before : outboxes.landed(transfer.uid)) {
            if (routes.passes(before.destinationId, transfer.source, transfer.uid)) {
                return;
            }
        }
        Request.Send send = model.sends().get(transfer.uid);
        if (send != null
                && send.mayTakeEffect()
                && (send.transaction != null || routes.passes(send.path, transfer.source, transfer.uid))) {
            int index = send.indexOf(transfer.uid);
            check(
                    !send.stored[index] || origins.contains(new Origin(transfer.uid, send.path)),
                    "Expected a message to be forwarded once",
                    transfer);
            origins.add(new Origin(transfer.uid, send.path));
            send.stored[index] = true;
            sends.add(send);
            return;
        }
        for (Origin origin : origins) {
            if (origin.uid == transfer.uid && routes.passes(origin.path, transfer.source, transfer.uid)) {
                return;
            }
        }
        throw new Violation("Expected a reason for forwarding " + transfer + ", but there is none.");
    }

    /** Returns the paths to which the entity of a message forwards it. */
    private static List<String> onward(MessageCopy from) {
        List<String> paths = new ArrayList<>();
        for (EntitySettings settings : List.of(from.entity.settings, from.entity.before)) {
            String path = switch (from.lane) {
                case MAIN -> settings.forwardTo();
                case DEAD_LETTER -> settings.forwardDeadLettersTo();
                case SCHEDULED -> from.entity.path;
                case TRANSFER_DEAD_LETTER -> null;
            };
            if (path != null) {
                paths.add(path);
            }
        }
        return paths;
    }

    // --- moved messages ---

    /** Returns whether a message may move to an entity. */
    boolean mayCome(MessageCopy from, StoredEntity to) {
        return from.entity == to || !onward(from).isEmpty();
    }

    void move(MessageCopy from, MessageCopy to, long nowMs) {
        if (from.entity == to.entity
                && from.lane == Lane.MAIN
                && to.lane == Lane.DEAD_LETTER
                && from.number == to.number) {
            deadLettered(from, to, nowMs);
        } else if (from.lane == Lane.SCHEDULED) {
            activated(from, to, nowMs);
        } else if (from.entity == to.entity) {
            boolean refused = to.lane == Lane.DEAD_LETTER || to.lane == Lane.TRANSFER_DEAD_LETTER;
            check(refused, () -> "Expected a message to remain in its lane, but it moved to " + to, from);
            check(!onward(from).isEmpty(), "Expected no forwarding of this message", from);
            settlements.releaseOf(from, nowMs);
            model.count(Step.TRANSFER_REFUSED);
        } else {
            settlements.releaseOf(from, nowMs);
            check(from.lock == null, "Expected no forwarding of locked messages", from);
            boolean leads = false;
            for (String path : onward(from)) {
                origins.add(new Origin(from.uid, path));
                leads |= routes.leads(path, to.entity, to.uid);
            }
            check(leads, () -> "Expected a message at its forwarding destination, but it moved to " + to, from);
            PartitionKeys.requireHandedOn(to);
            model.count(Step.FORWARDED);
        }
    }

    private void activated(MessageCopy from, MessageCopy to, long nowMs) {
        check(from.row.scheduledMs() <= nowMs, "Expected a message to wait for its scheduled time", from);
        if (from.entity == to.entity) {
            check(to.lane == Lane.MAIN, "Expected a due message in the main lane", to);
            check(to.row.wasScheduled(), "Expected a message that is marked as scheduled (STATE-9)", to);
        } else {
            check(routes.leads(from.entity.path, to.entity, to.uid), "Expected a due message at its destination", to);
            origins.add(new Origin(from.uid, from.entity.path));
        }
        model.count(Step.ACTIVATED);
    }

    private void deadLettered(MessageCopy from, MessageCopy to, long nowMs) {
        EntitySettings settings = from.entity.settings;
        int limit = Math.min(settings.maxDeliveries(), from.entity.before.maxDeliveries());
        boolean tooOften = from.deliveryCount + 1 >= limit;
        boolean expired = expiries.isExpired(from, nowMs)
                && (settings.deadLettersExpired() || from.entity.before.deadLettersExpired());
        Lock held = from.lock;
        Request.Settle settle = held == null
                ? null
                : settlements.pending(
                        held,
                        nowMs,
                        // A transaction that fails releases the lock, which counts as a delivery attempt.
                        how -> (how == Settling.DEAD_LETTER && to.deliveryCount == from.deliveryCount)
                                || (how == Settling.ABANDON && (tooOften || expired))
                                || (how == Settling.RELEASE && expired));
        if (settle == null) {
            Settlements.releaseIfLeft(from);
        }
        Lock lock = from.lock;
        if (lock == null) {
            check(
                    expired,
                    () -> "Expected a reason for dead-lettering at " + nowMs
                            + ", with these messages in the main lane: "
                            + from.entity.lane(Lane.MAIN).values(),
                    from);
            expect(to, from.deliveryCount);
            model.count(Step.EXPIRED);
            return;
        }
        if (settle != null) {
            settlements.settles(settle, lock, nowMs);
            expect(to, from.deliveryCount + (settle.how == Settling.ABANDON ? 1 : 0));
            model.count(settle.how == Settling.DEAD_LETTER ? Step.DEAD_LETTERED : Step.DELIVERED_TOO_OFTEN);
        } else {
            check(!lock.isLive(nowMs), "Expected no dead-lettering of a locked message", from);
            check(tooOften || expired, "Expected a message to become available instead of dead-lettered", from);
            expect(to, from.deliveryCount + 1);
            lock.end();
            model.count(tooOften ? Step.DELIVERED_TOO_OFTEN : Step.EXPIRED);
        }
    }

    private void expect(MessageCopy to, int deliveryCount) {
        check(
                to.deliveryCount == deliveryCount,
                () -> "Expected a delivery count of " + deliveryCount + ", but got " + to.deliveryCount,
                to);
    }

    // --- removed messages ---

    void removal(MessageCopy copy, long nowMs) {
        EntitySettings settings = copy.entity.settings;
        if (copy.lane == Lane.SCHEDULED) {
            removals.cancelled(copy, nowMs);
            return;
        }
        boolean expired = copy.lane == Lane.MAIN
                && expiries.isExpired(copy, nowMs)
                && !(settings.deadLettersExpired() && copy.entity.before.deadLettersExpired());
        Lock lock = copy.lock;
        if (lock != null) {
            Request.Settle settle = settlements.pending(
                    lock,
                    nowMs,
                    how -> how == Settling.COMPLETE
                            || (expired && (how == Settling.ABANDON || how == Settling.RELEASE)));
            if (settle != null) {
                settlements.settles(settle, lock, nowMs);
                model.count(Step.COMPLETED);
                return;
            }
            Settlements.releaseIfLeft(copy);
            if (!lock.isLive(nowMs) && expired) {
                lock.end();
                removals.isPurged(copy, true);
                model.count(Step.EXPIRED);
                return;
            }
            settlements.releaseOf(copy, nowMs);
            check(copy.lock == null, "Expected no removal of a locked message", copy);
        }
        if (copy.deferred && !copy.isExpired(nowMs) && removals.isFetched(copy)) {
            return;
        }
        if (expired) {
            if ((!copy.isExpired(nowMs) || copy.entity.isFragment()) && deliveries.mayBeTaken(copy)) {
                copy.entity.perhapsTaken.put(copy.number, copy);
            }
            removals.isPurged(copy, true);
            model.count(Step.EXPIRED);
        } else if (routes.mayVanish(copy)) {
            removals.isPurged(copy, true);
            model.count(Step.FORWARDED);
        } else {
            boolean gone = removals.isPurged(copy, false) || removals.isFetched(copy) || removals.isTaken(copy);
            check(gone, "Expected a reason for the removal of a message, but there is none", copy);
        }
    }

    /** Called when a message is removed from its lane. */
    void leaves(MessageCopy copy, long nowMs) {
        expiries.leaves(copy, nowMs);
    }

    // --- changed messages ---

    void change(MessageCopy copy, RowBytes.Change change, long nowMs) {
        Lock lock = copy.lock;
        if (lock == null) {
            throw new Violation("Expected only locked messages to change, but got a change of " + copy + ".");
        }
        int expected = copy.deliveryCount + (copy.lane == Lane.MAIN ? 1 : 0); // DLQ-39
        check(
                change.deliveryCount() == expected,
                () -> "Expected a delivery count of " + expected + ", but got " + change.deliveryCount(),
                copy);
        boolean defers = change.deferred() && !copy.deferred;
        check(change.deferred() || !copy.deferred, "Expected a deferred message to remain deferred", copy);
        Request.Settle settle = settlements.pending(
                lock, nowMs, how -> how == Settling.DEFER ? change.deferred() : how == Settling.ABANDON && !defers);
        if (settle != null) {
            settlements.settles(settle, lock, nowMs);
            model.count(defers ? Step.DEFERRED : Step.FAILED);
        } else {
            check(!lock.isLive(nowMs) && !defers, "Expected no change of a locked message", copy);
            lock.end();
            model.count(Step.LOCK_EXPIRED);
        }
        if (defers) {
            copy.deferred = true;
            copy.entity.deferred += copy.lane == Lane.MAIN ? 1 : 0;
        }
    }
}
