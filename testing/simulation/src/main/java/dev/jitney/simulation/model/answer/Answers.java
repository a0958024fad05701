package dev.jitney.simulation.model.answer;

import static dev.jitney.simulation.model.state.Checks.check;

import dev.jitney.core.Lane;
import dev.jitney.core.Reply;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageView;
import dev.jitney.model.Rejection;
import dev.jitney.simulation.Violation;
import dev.jitney.simulation.model.entity.IdleDeletion;
import dev.jitney.simulation.model.entity.Routes;
import dev.jitney.simulation.model.entity.Rules;
import dev.jitney.simulation.model.row.RowBytes;
import dev.jitney.simulation.model.state.Lock;
import dev.jitney.simulation.model.state.MessageCopy;
import dev.jitney.simulation.model.state.ModelState;
import dev.jitney.simulation.model.state.Request;
import dev.jitney.simulation.model.state.Request.Settling;
import dev.jitney.simulation.model.state.StoredEntities;
import dev.jitney.simulation.model.state.StoredEntity;
import dev.jitney.simulation.model.state.Timeline;
import dev.jitney.simulation.model.state.TransactionModel;
import java.util.List;

/** The judge of replies: a reply must agree with the effect of its request. */
public final class Answers implements Request.Judge {
    private final ModelState model;
    private final Credits credits;
    private final Rules rules;
    private final IdleDeletion idling;
    private final Routes routes;
    private final FragmentAnswers fragments;

    public Answers(ModelState model, Credits credits, Rules rules, IdleDeletion idling, Routes routes) {
        this.model = model;
        this.credits = credits;
        this.rules = rules;
        this.idling = idling;
        this.routes = routes;
        this.fragments = new FragmentAnswers(model);
    }

    @Override
    public Timeline timeline() {
        return model.timeline();
    }

    @Override
    public void answered(Request request) {
        model.pending().remove(request);
    }

    @Override
    public void used(String path) {
        idling.used(path);
    }

    @Override
    public void used(String path, long upMs) {
        idling.used(path, upMs);
    }

    /** Called when a request was rejected. Some rejections leave the effect of the request unknown. */
    @Override
    public void refused(Request request, Rejection rejection) {
        boolean disturbed = model.timeline().isDisturbed() || model.timeline().disturbances() != request.disturbances;
        switch (rejection.code()) {
            case INTERNAL, NOT_IMPLEMENTED, ARGUMENT, OUT_OF_RANGE ->
                throw new Violation("Expected an allowed reply to " + request + ", but got " + rejection + ".");
            case SERVER_BUSY, QUOTA_EXCEEDED -> {
                if (isOfAPartitionThatIsAway(rejection)) {
                    fragments.requireUnavailable(request, rejection);
                    request.undone(rejection);
                    return;
                }
                fragments.mayBeBusy(request, rejection);
                check(
                        disturbed || fragments.mayHang(request),
                        () -> "Expected no rejection while there is no fault, but got " + rejection,
                        request);
                request.uncertain();
                model.uncertain().add(request);
                if (request.transaction != null) {
                    request.transaction.fail();
                }
                if (rejection.code() == ErrorCode.QUOTA_EXCEEDED) {
                    begins(request);
                }
            }
            case THROTTLED -> {
                credits.refused(request, rejection);
                request.undone(rejection);
            }
            default -> request.undone(rejection);
        }
    }

    /** Returns whether a fragment is unavailable, which clients recognize by the text of the rejection (PART-28). */
    private static boolean isOfAPartitionThatIsAway(Rejection rejection) {
        return rejection.code() == ErrorCode.SERVER_BUSY
                && rejection.description().startsWith("PartitionNotOwned");
    }

    // --- sends ---

    @Override
    public void sent(Request.Send send, Reply.Sent reply) {
        if (send.transaction != null) {
            send.transaction.worked(model.nowMs(send.transaction.home()));
            return; // the commit shows its effect
        }
        for (StoredEntity entity : model.entities().of(send.path)) {
            boolean elsewhere = entity.isFragment() && entity.fragment != send.fragment;
            check(
                    elsewhere || entity.maySend(),
                    "Expected a rejection while sends are disabled (SUSP-1), but got success",
                    send);
        }
        fragments.sent(send);
        boolean plain = routes.isPlain(send.path);
        for (int at = 0; at < send.messages.size(); at++) {
            int i = at;
            if (plain && !reply.duplicates().contains(i)) {
                check(send.stored[i], "Expected acknowledged messages to be on the disk", send);
                check(
                        reply.sequenceNumbers()[i] == 0 || send.numbers[i] == reply.sequenceNumbers()[i],
                        () -> "Expected sequence number " + send.numbers[i] + " in the reply, but got "
                                + reply.sequenceNumbers()[i],
                        send);
            } else if (plain) {
                check(!send.stored[i], "Expected a duplicate message to be dropped, but it is stored", send);
            }
        }
        for (StoredEntity entity : model.entities().of(send.path)) {
            if (entity.settings.topic()) {
                published(send, reply);
            }
        }
        forget(send);
    }

    /**
     * Checks that every subscription whose rules select a message has its copy in the acknowledged batch (RULE-11). The
     * rules are those after all requests before this send.
     */
    private void published(Request.Send send, Reply.Sent reply) {
        for (int i = 0; i < send.messages.size(); i++) {
            Request.Sent message = send.messages.get(i);
            boolean waits = send.waited[i];
            for (String path : model.entities().subscriptions(send.path)) {
                StoredEntity subscription = model.entities().of(path).get(0);
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

    private void requireCopies(Request.Send send, long uid, StoredEntity subscription) {
        for (Rules.Due due : rules.copies(subscription, uid, send.born)) {
            check(
                    send.copies.contains(new Request.CopyOf(uid, subscription.path, due.visible())),
                    () -> "Expected a copy of message " + uid + " in " + subscription.path + " as " + due.visible(),
                    send);
        }
    }

    /**
     * Checks the subscriptions for a send in a transaction whose effect was not seen. The topic may have dropped its
     * messages since then.
     */
    void requireTaken(Request.Send send, long askedAt) {
        for (String path : model.entities().subscriptions(send.path)) {
            StoredEntity subscription = model.entities().of(path).get(0);
            boolean keeps = !subscription.settings.forwards() && !subscription.gone && !subscription.fresh;
            for (int i = 0; i < send.messages.size() && keeps && !routes.mayRecognise(send.path); i++) {
                long uid = send.messages.get(i).uid();
                check(
                        send.stored[i]
                                || rules.copies(subscription, uid, askedAt).isEmpty(),
                        () -> "Expected a copy of message " + uid + " in " + subscription.path,
                        send);
            }
        }
    }

    @Override
    public void notSent(Request.Send send, Rejection rejection) {
        check(
                send.storedCount() == 0,
                () -> "Expected no stored message of a rejected send, but got " + rejection,
                send);
        leave(send);
        if (rejection.code() == ErrorCode.INVALID_OPERATION || rejection.code() == ErrorCode.ENTITY_DISABLED) {
            begins(send);
        }
        switch (rejection.code()) {
            case ENTITY_DISABLED -> {
                // A transaction uses the last known status of an entity in another store.
                boolean closed = send.transaction != null || model.mayBeClosed(send.path);
                check(closed, () -> "Expected no rejection by an enabled entity, but got " + rejection, send);
                forget(send);
            }
            case INVALID_OPERATION -> {
                fragments.refused(send, rejection);
                forget(send);
            }
            case ENTITY_NOT_FOUND,
                    SERVER_BUSY, // from an unavailable fragment; other ones leave the effect unknown
                    THROTTLED,
                    NO_MATCHING_SUBSCRIPTION,
                    TRANSACTION_TIMEOUT,
                    TRANSACTION_UNKNOWN,
                    TRANSACTION_ROLLBACK -> forget(send);
            default ->
                throw new Violation(
                        "Expected " + send + " to succeed or get an allowed rejection, but got " + rejection + ".");
        }
    }

    /** Starts the timeout of a transaction at the first operation that its shard has received, even if it was rejected. */
    private void begins(Request request) {
        TransactionModel transaction = request.transaction;
        List<StoredEntity> home =
                transaction == null ? List.of() : model.entities().of(transaction.home());
        List<StoredEntity> of = model.entities().of(request.path);
        boolean near = !home.isEmpty() && !of.isEmpty() && home.get(0).store == of.get(0).store;
        if (transaction != null
                && near
                && !model.timeline().shard(home.get(0).store).isTroubled()) {
            transaction.worked(model.nowMs(transaction.home()));
        }
    }

    /** Removes a rejected operation from its transaction. */
    private static void leave(Request request) {
        TransactionModel transaction = request.transaction;
        if (transaction != null) {
            transaction.spoil();
            transaction.sends.remove(request);
            transaction.settlements.remove(request);
        }
    }

    void forget(Request.Send send) {
        send.messages.forEach(message -> model.sends().remove(message.uid(), send));
    }

    // --- settlements ---

    @Override
    public void settled(Request.Settle settle) {
        check(settle.decided == null || settle.decided.wins(), "Expected a lost lock, but got success", settle);
        if (settle.transaction != null) {
            settle.transaction.worked(model.nowMs(settle.transaction.home()));
            settle.locks.forEach(lock -> lock.heldBy = settle.transaction);
            return; // the commit shows its effect
        }
        settle.forget();
        if (settle.how == Settling.RELEASE) {
            for (Lock lock : settle.locks) {
                if (!settle.settled[settle.locks.indexOf(lock)]) {
                    if (settle.decided == null) {
                        requireLive(lock, settle);
                    }
                    lock.end();
                    model.touch(lock.copy.entity);
                }
            }
            return;
        }
        boolean doubtful = settle.locks.stream().anyMatch(lock -> lock.doubtful);
        check(settle.isSettled() || doubtful, "Expected an acknowledged settlement to be on the disk", settle);
    }

    private void requireLive(Lock lock, Request about) {
        check(lock.isLive(model.nowMs(lock.copy.entity)), "Expected a lost lock, but got success", about);
    }

    @Override
    public void notSettled(Request.Settle settle, Rejection rejection) {
        settle.forget();
        leave(settle);
        if (rejection.code() == ErrorCode.MESSAGE_LOCK_LOST || rejection.code() == ErrorCode.INVALID_OPERATION) {
            begins(settle);
        }
        check(!settle.isTouched(), () -> "Expected no effect of a rejected settlement, but got " + rejection, settle);
        boolean lost = settle.decided != null && !settle.decided.wins();
        boolean elsewhere = false;
        for (Lock lock : settle.locks) {
            lost |= !lock.isLive(model.nowMs(lock.copy.entity)) || lock.holder.leaving || lock.heldBy != null;
            lost |= lock.copy.entity.gone;
            elsewhere |= lock.copy.lane != Lane.MAIN;
        }
        switch (rejection.code()) {
            case MESSAGE_LOCK_LOST, SESSION_LOCK_LOST, ENTITY_NOT_FOUND ->
                check(lost, () -> "Expected a valid lock, but got " + rejection, settle);
            case INVALID_OPERATION ->
                check(
                        elsewhere && settle.how == Settling.DEAD_LETTER,
                        () -> "Expected the settlement to succeed, but got " + rejection,
                        settle);
            case TRANSACTION_TIMEOUT, TRANSACTION_UNKNOWN, TRANSACTION_ROLLBACK ->
                check(
                        settle.transaction != null,
                        "Expected no rejection about transactions outside of a transaction",
                        settle);
            default ->
                throw new Violation(
                        "Expected " + settle + " to succeed or get an allowed rejection, but got " + rejection + ".");
        }
    }

    @Override
    public void renewed(Request.Renew renew, long[] untilMs) {
        for (int i = 0; i < untilMs.length; i++) {
            Lock lock = renew.locks.get(i);
            StoredEntity entity = lock.copy.entity;
            // In the same turn, the lock may have been settled after its renewal.
            if (!lock.ended) {
                check(
                        lock.isHeld(model.nowMs(entity)) || lock.isLive(model.nowMs(entity)),
                        "Expected a lost lock, but got success",
                        renew);
                check(
                        untilMs[i] == model.nowMs(entity) + entity.settings.lockMs()
                                || entity.before != entity.settings,
                        "Expected the lock to be renewed for its full duration",
                        renew);
                lock.untilMs = untilMs[i];
            }
        }
    }

    @Override
    public void notRenewed(Request.Renew renew, Rejection rejection) {
        boolean lost = false;
        boolean ofSession = false;
        for (Lock lock : renew.locks) {
            lost |= !lock.isLive(model.nowMs(lock.copy.entity)) || lock.heldBy != null;
            lost |= lock.copy.entity.gone;
            ofSession |= lock.holder.ofSession;
        }
        check(lost || ofSession, () -> "Expected a valid lock, but got " + rejection, renew);
    }

    // --- peek ---

    /** Returns whether an entity may have messages from a number on. */
    boolean isOfSomeFragment(String path, long number) {
        return !model.entities().isPartitioned(path) || StoredEntities.fragment(number) < model.partitions();
    }

    /** Checks that a peek shows stored messages. A message changed by the last batch may be shown as it was before. */
    void peeked(StoredRequests.Peek peek, List<MessageView> views) {
        long from = peek.from;
        credits.spend(Math.max(0, views.size() - 1));
        for (MessageView view : views) {
            StoredEntity entity = model.entities().of(peek.path, view.sequenceNumber());
            if (entity == null) {
                throw new Violation(
                        "Expected no messages from an entity that does not exist, but got some: " + peek + ".");
            }
            check(view.sequenceNumber() >= from, "Expected messages in the order of their sequence numbers", peek);
            MessageCopy copy = entity.lane(peek.lane).get(view.sequenceNumber());
            if (copy == null && peek.lane == Lane.MAIN) {
                copy = entity.lane(Lane.SCHEDULED).get(view.sequenceNumber());
            }
            long batch = model.batch();
            if (copy != null) {
                copy.requireSeen(view);
            }
            if (copy != null && copy.changedIn != batch) {
                check(
                        RowBytes.uid(view.content().bytes()) == copy.uid && view.deliveryCount() == copy.deliveryCount,
                        "Expected messages as they are stored",
                        copy);
            }
            from = view.sequenceNumber() + 1;
        }
    }
}
