package dev.jitney.core.queue.state;

import dev.jitney.core.DuplicateKey;
import dev.jitney.core.FragmentId;
import dev.jitney.core.Lane;
import dev.jitney.core.MessageChange;
import dev.jitney.core.Record;
import dev.jitney.core.RowWriter;
import dev.jitney.core.RowWriter.TimerRow;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.Transfer;
import dev.jitney.core.queue.ExpiryBlocks;
import dev.jitney.core.queue.WaitingReceiver;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The effects of records: it changes memory and writes rows, without further checks. The same code runs live and when
 * records are replayed.
 */
public final class QueueApplier {
    private final QueueState state;
    private final RowWriter rows;
    private final FragmentId id;

    public QueueApplier(QueueState state, RowWriter rows) {
        this.state = state;
        this.rows = rows;
        this.id = state.id();
    }

    /** Applies a record. A kind of record without a case does not compile. */
    public void apply(Record record) {
        state.countApplied();
        switch (record.kind()) {
            case MESSAGE_ENQUEUED -> enqueue(((Record.MessageEnqueued) record).message());
            case MESSAGE_LOCKED -> lock((Record.MessageLocked) record);
            case MESSAGE_REMOVED -> remove((Record.MessageRemoved) record);
            case DELIVERIES_COUNTED -> deliveriesCounted((Record.DeliveriesCounted) record);
            case CREDIT_SET -> setCredit((Record.CreditSet) record);
            case RECEIVER_PAUSED -> state.receivers.pause(((Record.ReceiverPaused) record).receiverId());
            case DELIVERY_FAILED -> deliveryFailed((Record.DeliveryFailed) record);
            case MESSAGE_DEAD_LETTERED -> deadLetter((Record.MessageDeadLettered) record);
            case MESSAGE_DEFERRED -> defer((Record.MessageDeferred) record);
            case MESSAGE_SCHEDULED -> schedule(((Record.MessageScheduled) record).message());
            case TRANSFER_QUEUED -> transferQueued((Record.TransferQueued) record);
            case TRANSFER_DONE -> transferDone((Record.TransferDone) record);
            case TRANSFER_DEAD_LETTERED -> transferDeadLettered((Record.TransferDeadLettered) record);
            case TRANSFER_RETURNED -> transferReturned((Record.TransferReturned) record);
            case MESSAGE_PASSED -> messagePassed((Record.MessagePassed) record);
            case FORWARD_REFUSED -> forwardRefused((Record.ForwardRefused) record);
            case SEQUENCE_NUMBERS_RESERVED -> sequenceNumbersReserved((Record.SequenceNumbersReserved) record);
            case SCHEDULED_MESSAGE_ACTIVATED -> scheduledMessageActivated((Record.ScheduledMessageActivated) record);
            case SCHEDULED_MESSAGE_CANCELLED -> scheduledMessageCancelled((Record.ScheduledMessageCancelled) record);
            case EXPIRY_BLOCK_SWEPT -> sweep((Record.ExpiryBlockSwept) record);
            case MESSAGE_PUBLISHED -> publish((Record.MessagePublished) record);
            case SCHEDULED_MESSAGE_PUBLISHED -> scheduledMessagePublished((Record.ScheduledMessagePublished) record);
            case MESSAGE_ID_ACCEPTED -> messageIdAccepted((Record.MessageIdAccepted) record);
            case MESSAGE_IDS_FORGOTTEN -> forget((Record.MessageIdsForgotten) record);
            case COPY_DEAD_LETTERED -> copyDeadLettered((Record.CopyDeadLettered) record);
            case SESSION_STATE_SET -> state.sizeBytes += sessions().setState((Record.SessionStateSet) record, rows);
            case QUEUE_UPDATED -> state.describe(((Record.QueueUpdated) record).description());
            case DEFERRED_MESSAGE_LOCKED -> deferredMessageLocked((Record.DeferredMessageLocked) record);
            case MESSAGE_LOCK_RENEWED -> messageLockRenewed((Record.MessageLockRenewed) record);
            case SETTLEMENT_HELD -> settlementHeld((Record.SettlementHeld) record);
            case SETTLEMENT_FREED -> settlementFreed((Record.SettlementFreed) record);
            case CANCEL_HELD -> cancelHeld((Record.CancelHeld) record);
            case CANCEL_FREED -> state.timers.free(((Record.CancelFreed) record).sequenceNumber());
            case MESSAGE_RELEASED -> messageReleased((Record.MessageReleased) record);
            case DEAD_LETTER_PASSED_BY -> state.passBy(((Record.DeadLetterPassedBy) record).sequenceNumber());
            case PASSED_BY_TRIED_AGAIN -> state.passedByFrom(((Record.PassedByTriedAgain) record).smallestNumber());
            case RECEIVER_ATTACHED -> receiverAttached((Record.ReceiverAttached) record);
            case CREDIT_DRAINED -> creditDrained((Record.CreditDrained) record);
            case RECEIVER_DETACHED -> receiverDetached((Record.ReceiverDetached) record);
            case SESSION_LOCKED -> sessionLocked((Record.SessionLocked) record);
            case SESSION_LISTENERS_SET -> state.listenedTo = ((Record.SessionListenersSet) record).listening();
            case SESSION_AWAITED -> sessionAwaited((Record.SessionAwaited) record);
            case SESSION_LOCK_RENEWED -> sessionLockRenewed((Record.SessionLockRenewed) record);
            case SESSION_LOCK_ENDED -> sessionLockEnded((Record.SessionLockEnded) record);
            case SESSION_FROZEN -> sessionFrozen((Record.SessionFrozen) record);
            case SESSION_THAWED -> sessionThawed((Record.SessionThawed) record);
            case SESSION_EXPIRED -> sessionExpired((Record.SessionExpired) record);
            case SESSION_RELEASED -> sessionReleased((Record.SessionReleased) record);
        }
    }

    private void deliveriesCounted(Record.DeliveriesCounted counted) {
        ReceiverState receiver = state.receivers.find(counted.receiverId());
        if (receiver != null) {
            receiver.delivered += counted.count();
            state.receivers.requeue(receiver, true);
        }
    }

    private void transferQueued(Record.TransferQueued queued) {
        Transfer transfer = queued.transfer();
        state.lastSequenceNumber = Math.max(state.lastSequenceNumber, transfer.number());
        openBlockFor(transfer.number());
        state.transferPending++;
        state.sizeBytes += transfer.sizeBytes();
        rows.putTransfer(id, transfer);
    }

    private void transferDone(Record.TransferDone done) {
        leaveOutbox(done.destinationId(), done.number(), done.sizeBytes());
    }

    private void transferDeadLettered(Record.TransferDeadLettered dead) {
        leaveOutbox(dead.destinationId(), dead.number(), dead.sizeBytes());
        arriveTransferDeadLettered(dead.message());
    }

    private void transferReturned(Record.TransferReturned returned) {
        leaveOutbox(returned.destinationId(), returned.number(), returned.sizeBytes());
        arriveDeadLettered(returned.message());
    }

    private void messagePassed(Record.MessagePassed passed) {
        state.lastSequenceNumber = Math.max(state.lastSequenceNumber, passed.sequenceNumber());
        openBlockFor(passed.sequenceNumber());
    }

    private void forwardRefused(Record.ForwardRefused refused) {
        if (refused.lane() == Lane.DEAD_LETTER) {
            arriveDeadLettered(refused.message());
        } else {
            arriveTransferDeadLettered(refused.message());
        }
    }

    private void sequenceNumbersReserved(Record.SequenceNumbersReserved reserved) {
        state.lastSequenceNumber = Math.max(state.lastSequenceNumber, reserved.lastSequenceNumber());
        openBlockFor(reserved.lastSequenceNumber());
    }

    private void scheduledMessageActivated(Record.ScheduledMessageActivated activated) {
        int size = activated.message().sizeBytes();
        unschedule(activated.scheduledSequenceNumber(), activated.dueMs(), size);
        enqueue(activated.message());
    }

    private void scheduledMessageCancelled(Record.ScheduledMessageCancelled cancelled) {
        unschedule(cancelled.sequenceNumber(), cancelled.dueMs(), cancelled.sizeBytes());
    }

    private void scheduledMessagePublished(Record.ScheduledMessagePublished published) {
        unschedule(published.sequenceNumber(), published.dueMs(), published.sizeBytes());
    }

    private void messageIdAccepted(Record.MessageIdAccepted accepted) {
        state.duplicates.accept(accepted.id());
        rows.putAcceptedId(id, accepted.id());
    }

    private void copyDeadLettered(Record.CopyDeadLettered copy) {
        state.lastSequenceNumber =
                Math.max(state.lastSequenceNumber, copy.message().sequenceNumber());
        openBlockFor(copy.message().sequenceNumber()); // a restart takes the block of the last number for the open one
        arriveDeadLettered(copy.message());
    }

    private void deferredMessageLocked(Record.DeferredMessageLocked locked) {
        QueuedMessage message = new QueuedMessage(locked.message(), locked.change());
        addLock(locked.lane(), message, locked.lockToken(), locked.lockedUntilMs(), MessageLock.NO_RECEIVER);
    }

    private void messageLockRenewed(Record.MessageLockRenewed renewed) {
        MessageLock lock = state.locks.find(renewed.lockToken());
        if (lock != null) {
            state.locks.renew(lock, renewed.lockedUntilMs());
        }
    }

    private void settlementHeld(Record.SettlementHeld held) {
        MessageLock lock = state.locks.find(held.lockToken());
        if (lock != null) {
            state.locks.hold(lock, held.transactionId());
        }
    }

    private void settlementFreed(Record.SettlementFreed freed) {
        MessageLock lock = state.locks.find(freed.lockToken());
        if (lock != null) {
            state.locks.free(lock);
        }
    }

    private void cancelHeld(Record.CancelHeld held) {
        state.timers.hold(held.sequenceNumber(), held.requestId());
    }

    private void messageReleased(Record.MessageReleased released) {
        MessageLock lock = state.locks.find(released.lockToken());
        if (lock != null) {
            unlock(lock.lane, lock.message.sequenceNumber);
        }
    }

    private void receiverAttached(Record.ReceiverAttached attached) {
        state.receivers.add(new ReceiverState(attached.receiverId(), Lane.of(attached.subQueue()), attached.mode()));
    }

    private void creditDrained(Record.CreditDrained drained) {
        ReceiverState receiver = state.receivers.find(drained.receiverId());
        if (receiver != null) {
            receiver.delivered = Math.max(receiver.delivered, receiver.deliveryLimit);
            receiver.drain = false;
            state.receivers.requeue(receiver, false);
        }
    }

    private void receiverDetached(Record.ReceiverDetached detached) {
        state.receivers.remove(detached.receiverId());
        if (state.sessions != null && !state.sessions.stopWaiting(detached.receiverId())) {
            HeldSession held = state.sessions.heldBy(detached.receiverId());
            if (held != null) {
                release(held.entry.id, false);
            }
        }
    }

    private void sessionLocked(Record.SessionLocked locked) {
        sessions().stopWaiting(locked.receiverId());
        sessions().lock(locked.sessionId(), locked.receiverId(), locked.lockedUntilMs());
        state.receivers.add(new ReceiverState(locked.receiverId(), Lane.MAIN, locked.mode()));
    }

    private void sessionAwaited(Record.SessionAwaited awaited) {
        sessions().await(new WaitingReceiver(awaited.receiverId(), awaited.mode(), awaited.deadlineMs()));
    }

    private void sessionLockRenewed(Record.SessionLockRenewed renewed) {
        sessions().renew(renewed.sessionId(), renewed.lockedUntilMs());
    }

    private void sessionLockEnded(Record.SessionLockEnded ended) {
        HeldSession held = sessions().held(ended.sessionId());
        if (held != null) {
            held.locks.values().forEach(lock -> sessions().lose(lock.token));
        }
    }

    private void sessionFrozen(Record.SessionFrozen frozen) {
        HeldSession held = sessions().held(frozen.sessionId());
        if (held != null) {
            held.freeze();
        }
    }

    private void sessionThawed(Record.SessionThawed thawed) {
        HeldSession held = sessions().held(thawed.sessionId());
        if (held != null) {
            held.thaw();
        }
    }

    private void sessionExpired(Record.SessionExpired expired) {
        HeldSession held = sessions().held(expired.sessionId());
        if (held != null) {
            held.expiredAtMs = expired.atMs();
            held.expiredUpTo = state.lastSequenceNumber;
        }
    }

    private void sessionReleased(Record.SessionReleased released) {
        release(released.sessionId(), released.keepsPlace());
    }

    /** Ends a hold with its receiver; the messages that are still locked become available to the next holder. */
    private void release(String sessionId, boolean keepsPlace) {
        HeldSession held = sessions().held(sessionId);
        if (held != null && held.isFrozen()) {
            held.left = true; // ends with the outcome of the transaction
            state.receivers.remove(held.receiverId);
        } else if (held != null) {
            for (MessageLock lock : List.copyOf(held.locks.values())) {
                sessions().lose(lock.token);
                unlock(lock.lane, lock.message.sequenceNumber);
            }
            state.receivers.remove(held.receiverId);
            if (keepsPlace) {
                sessions().giveBack(held);
            } else {
                sessions().release(held, state.lastSequenceNumber);
            }
        }
    }

    private SessionTable sessions() {
        if (state.sessions == null) {
            throw new IllegalStateException("Expected an entity with sessions.");
        }
        return state.sessions;
    }

    private void setCredit(Record.CreditSet credit) {
        ReceiverState receiver = state.receivers.find(credit.receiverId());
        if (receiver != null) {
            receiver.deliveryLimit = credit.deliveryLimit();
            receiver.drain = credit.drain();
            receiver.paused = false;
            state.receivers.requeue(receiver, false);
        }
    }

    private void enqueue(StoredMessage message) {
        long number = message.sequenceNumber();
        state.lastSequenceNumber = Math.max(state.lastSequenceNumber, number);
        state.active++;
        state.sizeBytes += message.sizeBytes();
        rows.putMessage(id, Lane.MAIN, message);
        openBlockFor(number);
        state.expiry.add(number, message.expiresAtMs());
        if (state.sessions != null) {
            state.sessions.arrived(message, rows);
        } else {
            state.window(Lane.MAIN).add(new QueuedMessage(message, null), message);
        }
    }

    private void publish(Record.MessagePublished published) {
        state.lastSequenceNumber = Math.max(state.lastSequenceNumber, published.sequenceNumber());
        MessageContent shared = published.sharedContent();
        if (shared != null) {
            rows.putBody(id, published.sequenceNumber(), shared);
            state.sizeBytes += shared.sizeBytes();
        }
    }

    private void forget(Record.MessageIdsForgotten forgotten) {
        long generationMs = forgotten.generationMs();
        state.duplicates.forget(generationMs);
        List<DuplicateKey> keys = forgotten.keys();
        if (keys == null) {
            rows.deleteAcceptedIds(id, generationMs);
        } else {
            keys.forEach(key -> rows.deleteAcceptedId(id, generationMs, key));
        }
    }

    private void openBlockFor(long number) {
        long block = ExpiryBlocks.blockOf(number);
        long open = state.expiry.openBlock();
        if (block > open) { // smaller if the number was reserved some time ago
            if (open >= 0 && state.expiry.openEarliestMs() != MessageView.NEVER) {
                rows.putExpiryBlock(id, open, state.expiry.openEarliestMs());
            }
            state.expiry.openBlock(block);
        }
    }

    private void schedule(StoredMessage message) {
        state.lastSequenceNumber = Math.max(state.lastSequenceNumber, message.sequenceNumber());
        state.scheduled++;
        state.sizeBytes += message.sizeBytes();
        rows.putMessage(id, Lane.SCHEDULED, message);
        openBlockFor(message.sequenceNumber());
        rows.putTimer(id, message.scheduledEnqueueTimeMs(), message.sequenceNumber());
        state.timers.add(new TimerRow(message.scheduledEnqueueTimeMs(), message.sequenceNumber()));
    }

    private void leaveOutbox(long destinationId, long number, int sizeBytes) {
        state.transferPending--;
        state.sizeBytes -= sizeBytes;
        rows.deleteTransfer(id, destinationId, number);
    }

    private void unschedule(long sequenceNumber, long dueMs, int sizeBytes) {
        state.scheduled--;
        state.sizeBytes -= sizeBytes;
        rows.deleteMessage(id, Lane.SCHEDULED, sequenceNumber);
        rows.deleteTimer(id, dueMs, sequenceNumber);
        state.timers.remove(new TimerRow(dueMs, sequenceNumber));
    }

    private void lock(Record.MessageLocked locked) {
        MessageWindow window = windowOf(locked);
        QueuedMessage message = window == null ? null : window.remove(locked.sequenceNumber());
        if (message == null) {
            throw new IllegalStateException(
                    "Expected message " + locked.sequenceNumber() + " in the window of " + locked.lane() + ".");
        }
        addLock(locked.lane(), message, locked.lockToken(), locked.lockedUntilMs(), locked.receiverId());
    }

    private @Nullable MessageWindow windowOf(Record.MessageLocked locked) {
        if (state.sessions == null || locked.lane() != Lane.MAIN) {
            return state.window(locked.lane());
        }
        HeldSession held = state.sessions.heldBy(locked.receiverId());
        return held == null ? null : held.window;
    }

    private void addLock(Lane lane, QueuedMessage message, UUID token, long untilMs, long receiverId) {
        HeldSession held = state.sessions == null || lane != Lane.MAIN || message.sessionId == null
                ? null
                : state.sessions.held(message.sessionId);
        state.locks.add(new MessageLock(token, lane, message, untilMs, receiverId, held));
    }

    private void remove(Record.MessageRemoved removed) {
        take(
                removed.lane(),
                removed.sequenceNumber(),
                removed.sessionId(),
                removed.sizeBytes(),
                removed.deferred(),
                removed.changed());
        if (removed.sharedBody() != null) {
            state.bodies.release(removed.sharedBody());
        }
    }

    /** Removes a message from a lane with its lock and its rows. */
    private void take(
            Lane lane, long number, @Nullable String sessionId, int sizeBytes, boolean deferred, boolean changed) {
        boolean locked = state.locks.remove(lane, number) != null;
        if (state.sessions != null && lane == Lane.MAIN) {
            state.sessions.left(sessionId, number, deferred, rows);
        } else if (!locked) {
            state.window(lane).remove(number);
        }
        count(lane, -1);
        if (deferred && lane == Lane.MAIN) {
            state.deferred--;
        }
        state.sizeBytes -= sizeBytes;
        rows.deleteMessage(id, lane, number);
        if (changed) {
            rows.deleteChange(id, lane, number);
        }
    }

    private void deadLetter(Record.MessageDeadLettered moved) {
        StoredMessage message = moved.message();
        long number = message.sequenceNumber();
        take(Lane.MAIN, number, message.sessionId(), moved.sizeBytes(), moved.deferred(), moved.changed());
        arriveDeadLettered(message);
    }

    private void arriveDeadLettered(StoredMessage message) {
        long number = message.sequenceNumber();
        count(Lane.DEAD_LETTER, 1);
        state.sizeBytes += message.sizeBytes();
        rows.putMessage(id, Lane.DEAD_LETTER, message);
        state.lowerDeadLetterHead(number);
        state.window(Lane.DEAD_LETTER).add(new QueuedMessage(message, null), message);
    }

    private void arriveTransferDeadLettered(StoredMessage message) {
        count(Lane.TRANSFER_DEAD_LETTER, 1);
        state.sizeBytes += message.sizeBytes();
        rows.putMessage(id, Lane.TRANSFER_DEAD_LETTER, message);
        state.window(Lane.TRANSFER_DEAD_LETTER).add(new QueuedMessage(message, null), message);
    }

    private void deliveryFailed(Record.DeliveryFailed failed) {
        MessageLock lock = state.locks.find(failed.lane(), failed.sequenceNumber());
        if (lock == null) {
            throw new IllegalStateException("Expected a lock on message " + failed.sequenceNumber() + ".");
        }
        change(lock, failed.change(), failed.sizeDeltaBytes());
        unlock(failed.lane(), failed.sequenceNumber());
    }

    private void defer(Record.MessageDeferred deferred) {
        MessageLock lock = state.locks.find(deferred.lane(), deferred.sequenceNumber());
        if (lock == null) {
            throw new IllegalStateException("Expected a lock on message " + deferred.sequenceNumber() + ".");
        }
        if (!deferred.wasDeferred() && deferred.lane() == Lane.MAIN) {
            state.deferred++;
        }
        change(lock, deferred.change(), deferred.sizeDeltaBytes());
        unlock(deferred.lane(), deferred.sequenceNumber());
        if (state.sessions != null && !deferred.wasDeferred() && deferred.lane() == Lane.MAIN) {
            state.sessions.deferred(lock.message.sessionId, deferred.sequenceNumber());
        }
    }

    private void change(MessageLock lock, MessageChange change, int sizeDeltaBytes) {
        lock.message.change(change, sizeDeltaBytes);
        state.sizeBytes += sizeDeltaBytes;
        rows.putChange(id, lock.lane, lock.message.sequenceNumber, change);
    }

    /** Ends a lock; the message becomes available again unless it is deferred. */
    private void unlock(Lane lane, long number) {
        MessageLock lock = state.locks.remove(lane, number);
        if (lock != null && !lock.message.deferred()) {
            MessageWindow window = state.window(lane, lock.message.sessionId);
            if (window != null) {
                window.add(lock.message, null);
            }
            if (lane == Lane.MAIN) {
                state.expiry.add(number, lock.message.expiresAtMs);
            }
        }
    }

    private void sweep(Record.ExpiryBlockSwept swept) {
        state.expiry.set(swept.block(), swept.earliestExpiryMs());
        state.expiry.lookedAt(swept.block());
        // In memory, the block's earliest expiry excludes a locked message, because its lock protects it. The row keeps
        // the smaller value, so that a restart, which voids locks, still finds the message.
        if (!swept.lockedRemain()) {
            if (swept.block() == state.expiry.openBlock()) {
                state.expiry.openEarliestMs(swept.earliestExpiryMs());
            } else if (swept.earliestExpiryMs() == MessageView.NEVER) {
                rows.deleteExpiryBlock(id, swept.block());
            } else {
                rows.putExpiryBlock(id, swept.block(), swept.earliestExpiryMs());
            }
        }
    }

    private void count(Lane lane, int delta) {
        switch (lane) {
            case MAIN -> state.active += delta;
            case DEAD_LETTER -> state.deadLetter += delta;
            case TRANSFER_DEAD_LETTER -> state.transferDeadLetter += delta;
            case SCHEDULED -> state.scheduled += delta;
        }
    }
}
