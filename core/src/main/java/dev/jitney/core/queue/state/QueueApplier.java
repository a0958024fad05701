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
 * What records do: changes memory and writes rows, without judging. The same code runs live and when records are played
 * again.
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

    public void apply(Record record) {
        state.countApplied();
        if (record instanceof Record.MessageEnqueued enqueued) {
            enqueue(enqueued.message());
        } else if (record instanceof Record.MessageLocked locked) {
            lock(locked);
        } else if (record instanceof Record.MessageRemoved removed) {
            remove(removed);
        } else if (record instanceof Record.DeliveriesCounted counted) {
            ReceiverState receiver = state.receivers.find(counted.receiverId());
            if (receiver != null) {
                receiver.delivered += counted.count();
                state.receivers.requeue(receiver, true);
            }
        } else if (record instanceof Record.CreditSet credit) {
            setCredit(credit);
        } else if (record instanceof Record.ReceiverPaused paused) {
            state.receivers.pause(paused.receiverId());
        } else if (record instanceof Record.Volatile other) {
            applyVolatile(other);
        } else {
            applyDurable(record);
        }
    }

    private void applyDurable(Record record) {
        if (record instanceof Record.DeliveryFailed failed) {
            deliveryFailed(failed);
        } else if (record instanceof Record.MessageDeadLettered moved) {
            deadLetter(moved);
        } else if (record instanceof Record.MessageDeferred deferred) {
            defer(deferred);
        } else if (record instanceof Record.MessageScheduled scheduled) {
            schedule(scheduled.message());
        } else if (record instanceof Record.TransferQueued queued) {
            Transfer transfer = queued.transfer();
            state.lastSequenceNumber = Math.max(state.lastSequenceNumber, transfer.number());
            openBlockFor(transfer.number());
            state.transferPending++;
            state.sizeBytes += transfer.sizeBytes();
            rows.putTransfer(id, transfer);
        } else if (record instanceof Record.TransferDone done) {
            leaveOutbox(done.destinationId(), done.number(), done.sizeBytes());
        } else if (record instanceof Record.TransferDeadLettered dead) {
            leaveOutbox(dead.destinationId(), dead.number(), dead.sizeBytes());
            arriveTransferDeadLettered(dead.message());
        } else if (record instanceof Record.TransferReturned returned) {
            leaveOutbox(returned.destinationId(), returned.number(), returned.sizeBytes());
            arriveDeadLettered(returned.message());
        } else if (record instanceof Record.MessagePassed passed) {
            state.lastSequenceNumber = Math.max(state.lastSequenceNumber, passed.sequenceNumber());
            openBlockFor(passed.sequenceNumber());
        } else if (record instanceof Record.ForwardRefused refused) {
            if (refused.lane() == Lane.DEAD_LETTER) {
                arriveDeadLettered(refused.message());
            } else {
                arriveTransferDeadLettered(refused.message());
            }
        } else if (record instanceof Record.SequenceNumbersReserved reserved) {
            state.lastSequenceNumber = Math.max(state.lastSequenceNumber, reserved.lastSequenceNumber());
            openBlockFor(reserved.lastSequenceNumber());
        } else if (record instanceof Record.ScheduledMessageActivated activated) {
            int size = activated.message().sizeBytes();
            unschedule(activated.scheduledSequenceNumber(), activated.dueMs(), size);
            enqueue(activated.message());
        } else if (record instanceof Record.ScheduledMessageCancelled cancelled) {
            unschedule(cancelled.sequenceNumber(), cancelled.dueMs(), cancelled.sizeBytes());
        } else if (record instanceof Record.ExpiryBlockSwept swept) {
            sweep(swept);
        } else if (record instanceof Record.MessagePublished published) {
            publish(published);
        } else if (record instanceof Record.ScheduledMessagePublished published) {
            unschedule(published.sequenceNumber(), published.dueMs(), published.sizeBytes());
        } else if (record instanceof Record.MessageIdAccepted accepted) {
            state.duplicates.accept(accepted.id());
            rows.putAcceptedId(id, accepted.id());
        } else if (record instanceof Record.MessageIdsForgotten forgotten) {
            forget(forgotten);
        } else if (record instanceof Record.CopyDeadLettered copy) {
            state.lastSequenceNumber =
                    Math.max(state.lastSequenceNumber, copy.message().sequenceNumber());
            arriveDeadLettered(copy.message());
        } else if (record instanceof Record.SessionStateSet set) {
            state.sizeBytes += sessions().setState(set, rows);
        } else if (record instanceof Record.QueueUpdated updated) {
            state.describe(updated.description());
        } else {
            throw new IllegalStateException("Expected a known record, but got " + record + ".");
        }
    }

    private void applyVolatile(Record.Volatile record) {
        if (record instanceof Record.DeferredMessageLocked locked) {
            QueuedMessage message = new QueuedMessage(locked.message(), locked.change());
            addLock(locked.lane(), message, locked.lockToken(), locked.lockedUntilMs(), MessageLock.NO_RECEIVER);
        } else if (record instanceof Record.MessageLockRenewed renewed) {
            MessageLock lock = state.locks.find(renewed.lockToken());
            if (lock != null) {
                state.locks.renew(lock, renewed.lockedUntilMs());
            }
        } else if (record instanceof Record.SettlementHeld held) {
            MessageLock lock = state.locks.find(held.lockToken());
            if (lock != null) {
                state.locks.hold(lock, held.transactionId());
            }
        } else if (record instanceof Record.SettlementFreed freed) {
            MessageLock lock = state.locks.find(freed.lockToken());
            if (lock != null) {
                state.locks.free(lock);
            }
        } else if (record instanceof Record.CancelHeld held) {
            state.timers.hold(held.sequenceNumber(), held.requestId());
        } else if (record instanceof Record.CancelFreed freed) {
            state.timers.free(freed.sequenceNumber());
        } else if (record instanceof Record.MessageReleased released) {
            MessageLock lock = state.locks.find(released.lockToken());
            if (lock != null) {
                unlock(lock.lane, lock.message.sequenceNumber);
            }
        } else if (record instanceof Record.DeadLetterPassedBy passed) {
            state.passBy(passed.sequenceNumber());
        } else if (record instanceof Record.PassedByTriedAgain tried) {
            state.passedByFrom(tried.smallestNumber());
        } else if (record instanceof Record.ReceiverAttached attached) {
            state.receivers.add(
                    new ReceiverState(attached.receiverId(), Lane.of(attached.subQueue()), attached.mode()));
        } else if (record instanceof Record.CreditDrained drained) {
            ReceiverState receiver = state.receivers.find(drained.receiverId());
            if (receiver != null) {
                receiver.delivered = Math.max(receiver.delivered, receiver.deliveryLimit);
                receiver.drain = false;
                state.receivers.requeue(receiver, false);
            }
        } else if (record instanceof Record.ReceiverDetached detached) {
            state.receivers.remove(detached.receiverId());
            if (state.sessions != null && !state.sessions.stopWaiting(detached.receiverId())) {
                HeldSession held = state.sessions.heldBy(detached.receiverId());
                if (held != null) {
                    release(held.entry.id, false);
                }
            }
        } else if (!applySession(record)) {
            throw new IllegalStateException("Expected a known record, but got " + record + ".");
        }
    }

    /** Returns whether the record is about a session. */
    private boolean applySession(Record.Volatile record) {
        if (record instanceof Record.SessionLocked locked) {
            sessions().stopWaiting(locked.receiverId());
            sessions().lock(locked.sessionId(), locked.receiverId(), locked.lockedUntilMs());
            state.receivers.add(new ReceiverState(locked.receiverId(), Lane.MAIN, locked.mode()));
        } else if (record instanceof Record.SessionListenersSet listened) {
            state.listenedTo = listened.listening();
        } else if (record instanceof Record.SessionAwaited awaited) {
            sessions().await(new WaitingReceiver(awaited.receiverId(), awaited.mode(), awaited.deadlineMs()));
        } else if (record instanceof Record.SessionLockRenewed renewed) {
            sessions().renew(renewed.sessionId(), renewed.lockedUntilMs());
        } else if (record instanceof Record.SessionLockEnded ended) {
            HeldSession held = sessions().held(ended.sessionId());
            if (held != null) {
                held.locks.values().forEach(lock -> sessions().lose(lock.token));
            }
        } else if (record instanceof Record.SessionFrozen frozen) {
            HeldSession held = sessions().held(frozen.sessionId());
            if (held != null) {
                held.freeze();
            }
        } else if (record instanceof Record.SessionThawed thawed) {
            HeldSession held = sessions().held(thawed.sessionId());
            if (held != null) {
                held.thaw();
            }
        } else if (record instanceof Record.SessionExpired expired) {
            HeldSession held = sessions().held(expired.sessionId());
            if (held != null) {
                held.expiredAtMs = expired.atMs();
                held.expiredUpTo = state.lastSequenceNumber;
            }
        } else if (record instanceof Record.SessionReleased released) {
            release(released.sessionId(), released.keepsPlace());
        } else {
            return false;
        }
        return true;
    }

    /** Ends a hold with its receiver; what is locked still is available to the next holder. */
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

    /** Takes a message out of a lane with its lock and its rows. */
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

    /** Ends a lock; the message is available again unless it is deferred. */
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
        // A locked message was left out of the block's earliest expiry in memory, because its lock protects it; the row
        // stays as small as it was, so that a restart, which voids locks, still finds the message.
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
