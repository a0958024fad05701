package dev.jitney.simulation.model;

import dev.jitney.core.Lane;
import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.Request.Settling;
import java.util.List;

/** Whether what clients are told is what has become of their requests. */
final class Answers {
    private final Ledger ledger;
    private final Routes routes;
    private final FragmentAnswers fragments;

    Answers(Ledger ledger) {
        this.ledger = ledger;
        this.routes = new Routes(ledger);
        this.fragments = new FragmentAnswers(ledger);
    }

    /** A request was refused; some refusals leave open whether it was done. */
    void refused(Request request, Rejection rejection) {
        boolean disturbed = ledger.isDisturbed() || ledger.disturbances() != request.disturbances;
        switch (rejection.code()) {
            case INTERNAL, NOT_IMPLEMENTED, ARGUMENT, OUT_OF_RANGE ->
                throw new Violation("Expected an answer to " + request + ", but got " + rejection + ".");
            case SERVER_BUSY, QUOTA_EXCEEDED -> {
                if (isOfAPartitionThatIsAway(rejection)) {
                    fragments.requireUnavailable(request, rejection);
                    request.undone(rejection);
                    return;
                }
                fragments.mayBeBusy(request, rejection);
                ledger.check(
                        disturbed || fragments.mayHang(request),
                        () -> "Expected service while nothing is wrong, but got " + rejection,
                        request);
                request.uncertain();
                ledger.uncertain().add(request);
                if (request.dealing != null) {
                    request.dealing.fail();
                }
                if (rejection.code() == ErrorCode.QUOTA_EXCEEDED) {
                    begins(request);
                }
            }
            case THROTTLED -> {
                ledger.credits().refused(request, rejection);
                request.undone(rejection);
            }
            default -> request.undone(rejection);
        }
    }

    /** PART-28: known by its text, as clients know it. */
    private static boolean isOfAPartitionThatIsAway(Rejection rejection) {
        return rejection.code() == ErrorCode.SERVER_BUSY
                && rejection.description().startsWith("PartitionNotOwned");
    }

    // --- sends ---

    /** Whether a send that has happened must be found where it was sent to. */
    boolean mustStore(Request.Send send) {
        return routes.isPlain(send.path) && !routes.mayRecognise(send.path);
    }

    void sent(Request.Send send, Reply.Sent reply) {
        if (send.dealing != null) {
            send.dealing.worked(ledger.nowMs(send.dealing.home()));
            return; // what becomes of it is seen at the commit
        }
        for (Shelf shelf : ledger.shelves().of(send.path)) {
            boolean elsewhere = shelf.isPart() && shelf.fragment != send.fragment;
            ledger.check(
                    elsewhere || shelf.maySend(), "Expected nothing to be sent while that is disabled (SUSP-1)", send);
        }
        fragments.sent(send);
        boolean plain = routes.isPlain(send.path);
        for (int at = 0; at < send.messages.size(); at++) {
            int i = at;
            if (plain && !reply.duplicates().contains(i)) {
                ledger.check(send.stored[i], "Expected what was acknowledged to be on disk", send);
                ledger.check(
                        reply.sequenceNumbers()[i] == 0 || send.numbers[i] == reply.sequenceNumbers()[i],
                        () -> "Expected number " + send.numbers[i] + ", but was told " + reply.sequenceNumbers()[i],
                        send);
            } else if (plain) {
                ledger.check(!send.stored[i], "Expected a duplicate to be dropped", send);
            }
        }
        for (Shelf shelf : ledger.shelves().of(send.path)) {
            if (shelf.settings.topic()) {
                published(send, reply);
            }
        }
        forget(send);
    }

    /**
     * RULE-11: every subscription that takes a message has its copy, in the batch that was acknowledged; by the rules as the
     * requests before it have left them.
     */
    private void published(Request.Send send, Reply.Sent reply) {
        for (int i = 0; i < send.messages.size(); i++) {
            Request.Sent message = send.messages.get(i);
            boolean waits = send.waited[i];
            for (String path : ledger.shelves().subscriptions(send.path)) {
                Shelf subscription = ledger.shelves().of(path).get(0);
                boolean keeps = !subscription.settings.forwards() && !subscription.before.forwards();
                boolean due = keeps
                        && !subscription.gone
                        && !subscription.fresh
                        && !waits
                        && !reply.duplicates().contains(i);
                if (due) {
                    requireCopies(send, message.uid(), subscription);
                }
            }
        }
    }

    private void requireCopies(Request.Send send, long uid, Shelf subscription) {
        for (Rules.Due due : ledger.rules().copies(subscription, uid, send.born)) {
            ledger.check(
                    send.copies.contains(new Request.CopyOf(uid, subscription.path, due.look())),
                    () -> "Expected a copy of message " + uid + " in " + subscription.path + " as " + due.look(),
                    send);
        }
    }

    /** The same for what a transaction has sent, of which nothing has been seen; its topic may have refused it since. */
    void requireTaken(Request.Send send, long askedAt) {
        for (String path : ledger.shelves().subscriptions(send.path)) {
            Shelf subscription = ledger.shelves().of(path).get(0);
            boolean keeps = !subscription.settings.forwards() && !subscription.gone && !subscription.fresh;
            for (int i = 0; i < send.messages.size() && keeps && !routes.mayRecognise(send.path); i++) {
                long uid = send.messages.get(i).uid();
                ledger.check(
                        send.stored[i]
                                || ledger.rules()
                                        .copies(subscription, uid, askedAt)
                                        .isEmpty(),
                        () -> "Expected a copy of message " + uid + " in " + subscription.path,
                        send);
            }
        }
    }

    void notSent(Request.Send send, Rejection rejection) {
        ledger.check(send.storedCount() == 0, () -> "Expected nothing to be stored, but got " + rejection, send);
        leave(send);
        if (rejection.code() == ErrorCode.INVALID_OPERATION || rejection.code() == ErrorCode.ENTITY_DISABLED) {
            begins(send);
        }
        switch (rejection.code()) {
            case ENTITY_DISABLED -> {
                // A transaction goes by what an entity of another store has shown last.
                boolean closed = send.dealing != null || ledger.mayBeClosed(send.path);
                ledger.check(closed, () -> "Expected an entity to be enabled, but got " + rejection, send);
                forget(send);
            }
            case INVALID_OPERATION -> {
                fragments.refused(send, rejection);
                forget(send);
            }
            case ENTITY_NOT_FOUND,
                    SERVER_BUSY, // of a fragment that is unavailable; any other one leaves open whether it was done
                    THROTTLED,
                    NO_MATCHING_SUBSCRIPTION,
                    TRANSACTION_TIMEOUT,
                    TRANSACTION_UNKNOWN,
                    TRANSACTION_ROLLBACK -> forget(send);
            default -> throw new Violation("Expected " + send + " to be taken, but got " + rejection + ".");
        }
    }

    /** The time of a transaction runs since the first operation its shard has seen, even if that was refused. */
    private void begins(Request request) {
        Dealing dealing = request.dealing;
        List<Shelf> home = dealing == null ? List.of() : ledger.shelves().of(dealing.home());
        List<Shelf> of = ledger.shelves().of(request.path);
        boolean near = !home.isEmpty() && !of.isEmpty() && home.get(0).store == of.get(0).store;
        if (dealing != null && near && !ledger.shard(home.get(0).store).isTroubled()) {
            dealing.worked(ledger.nowMs(dealing.home()));
        }
    }

    /** What was refused is no part of its transaction. */
    private static void leave(Request request) {
        Dealing dealing = request.dealing;
        if (dealing != null) {
            dealing.spoil();
            dealing.sends.remove(request);
            dealing.settlements.remove(request);
        }
    }

    void forget(Request.Send send) {
        send.messages.forEach(message -> ledger.sends().remove(message.uid(), send));
    }

    // --- settlements ---

    void settled(Request.Settle settle) {
        ledger.check(settle.decided == null || settle.decided.wins(), "Expected the lock to be lost", settle);
        if (settle.dealing != null) {
            settle.dealing.worked(ledger.nowMs(settle.dealing.home()));
            settle.locks.forEach(lock -> lock.heldBy = settle.dealing);
            return; // what becomes of it is seen at the commit
        }
        settle.forget();
        if (settle.how == Settling.RELEASE) {
            for (Lock lock : settle.locks) {
                if (!settle.settled[settle.locks.indexOf(lock)]) {
                    if (settle.decided == null) {
                        requireLive(lock, settle);
                    }
                    lock.end();
                    ledger.judge().touch(lock.copy.shelf);
                }
            }
            return;
        }
        boolean doubtful = settle.locks.stream().anyMatch(lock -> lock.doubtful);
        ledger.check(settle.isSettled() || doubtful, "Expected what was acknowledged to be on disk", settle);
    }

    private void requireLive(Lock lock, Request about) {
        ledger.check(lock.isLive(ledger.nowMs(lock.copy.shelf)), "Expected the lock to be lost", about);
    }

    void notSettled(Request.Settle settle, Rejection rejection) {
        settle.forget();
        leave(settle);
        if (rejection.code() == ErrorCode.MESSAGE_LOCK_LOST || rejection.code() == ErrorCode.INVALID_OPERATION) {
            begins(settle);
        }
        ledger.check(!settle.isTouched(), () -> "Expected nothing to be settled, but got " + rejection, settle);
        boolean lost = settle.decided != null && !settle.decided.wins();
        boolean elsewhere = false;
        for (Lock lock : settle.locks) {
            lost |= !lock.isLive(ledger.nowMs(lock.copy.shelf)) || lock.holder.leaving || lock.heldBy != null;
            lost |= lock.copy.shelf.gone;
            elsewhere |= lock.copy.lane != Lane.MAIN;
        }
        switch (rejection.code()) {
            case MESSAGE_LOCK_LOST, SESSION_LOCK_LOST, ENTITY_NOT_FOUND ->
                ledger.check(lost, () -> "Expected the lock to hold, but got " + rejection, settle);
            case INVALID_OPERATION ->
                ledger.check(
                        elsewhere && settle.how == Settling.DEAD_LETTER,
                        () -> "Expected a settlement, but got " + rejection,
                        settle);
            case TRANSACTION_TIMEOUT, TRANSACTION_UNKNOWN, TRANSACTION_ROLLBACK ->
                ledger.check(settle.dealing != null, "Expected a settlement outside of transactions", settle);
            default -> throw new Violation("Expected " + settle + " to be done, but got " + rejection + ".");
        }
    }

    void renewed(Request.Renew renew, long[] untilMs) {
        for (int i = 0; i < untilMs.length; i++) {
            Lock lock = renew.locks.get(i);
            Shelf shelf = lock.copy.shelf;
            // In the same turn it may have been settled after it was renewed.
            if (!lock.ended) {
                ledger.check(
                        lock.isHeld(ledger.nowMs(shelf)) || lock.isLive(ledger.nowMs(shelf)),
                        "Expected the lock to be lost",
                        renew);
                ledger.check(
                        untilMs[i] == ledger.nowMs(shelf) + shelf.settings.lockMs() || shelf.before != shelf.settings,
                        "Expected a lock of a full duration",
                        renew);
                lock.untilMs = untilMs[i];
            }
        }
    }

    void notRenewed(Request.Renew renew, Rejection rejection) {
        boolean lost = false;
        boolean ofSession = false;
        for (Lock lock : renew.locks) {
            lost |= !lock.isLive(ledger.nowMs(lock.copy.shelf)) || lock.heldBy != null;
            lost |= lock.copy.shelf.gone;
            ofSession |= lock.holder.ofSession;
        }
        ledger.check(lost || ofSession, () -> "Expected the lock to hold, but got " + rejection, renew);
    }

    // --- looking ---

    /** What a peek shows is what is there; what the last batch has changed may be shown as it was. */
    void peeked(StoredRequests.Peek peek, List<MessageView> views) {
        long from = peek.from;
        ledger.credits().spend(Math.max(0, views.size() - 1));
        for (MessageView view : views) {
            Shelf shelf = ledger.shelves().of(peek.path, view.sequenceNumber());
            if (shelf == null) {
                throw new Violation("Expected nothing to be seen in an entity that is not there: " + peek + ".");
            }
            ledger.check(view.sequenceNumber() >= from, "Expected messages in order", peek);
            Copy copy = shelf.lane(peek.lane).get(view.sequenceNumber());
            if (copy == null && peek.lane == Lane.MAIN) {
                copy = shelf.lane(Lane.SCHEDULED).get(view.sequenceNumber());
            }
            long batch = ledger.judge().batch();
            if (copy != null) {
                ledger.judge().looks().seen(copy, view);
            }
            if (copy != null && copy.changedIn != batch) {
                ledger.check(
                        RowBytes.uid(view.content().bytes()) == copy.uid && view.deliveryCount() == copy.deliveryCount,
                        "Expected a message as it is stored",
                        copy);
            }
            from = view.sequenceNumber() + 1;
        }
    }
}
