package dev.jitney.core.queue.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.HeldSessionView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.core.queue.RowMessage;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubQueue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The decisions on receivers, their credit, and deferred messages received by number. */
final class ReceiveDecisions {
    /** The maximum content of expired messages that one request moves; the last message may exceed it. */
    private static final long EXPIRED_BYTES_MAX = 4L << 20;

    private ReceiveDecisions() {}

    static Decision attach(QueueView queue, Command.AttachReceiver command) {
        if (!queue.description().status().allowsReceive()) {
            return Decision.reject(SendDecisions.disabled(queue, "receiving"));
        }
        if (queue.description().requiresSession() && command.subQueue() == SubQueue.MAIN) { // SESS-6
            return Decision.reject(
                    ErrorCode.INVALID_OPERATION,
                    "It is not possible for an entity that requires sessions to create a non-sessionful message"
                            + " receiver. Accept a session of '"
                            + queue.description().path() + "'.");
        }
        Rejection refusal = refuseForwarded(queue, Lane.of(command.subQueue()));
        if (refusal == null) {
            refusal = refuseReceiver(queue);
        }
        if (refusal != null) {
            return Decision.reject(refusal);
        }
        return Decision.done(
                List.of(new Record.ReceiverAttached(command.receiverId(), command.subQueue(), command.mode())));
    }

    /** Refuses receivers of messages that the entity forwards; they are received at the destination (FWD-7, FWD-11). */
    static @Nullable Rejection refuseForwarded(QueueView queue, Lane lane) {
        String destination = switch (lane) {
            case MAIN -> queue.description().forwardTo();
            case DEAD_LETTER -> queue.description().forwardDeadLetteredMessagesTo();
            default -> null;
        };
        return destination == null
                ? null
                : new Rejection(
                        ErrorCode.INVALID_OPERATION,
                        "Cannot create a message receiver on an entity with auto-forwarding enabled: "
                                + (lane == Lane.MAIN ? "messages" : "dead-lettered messages") + " of '"
                                + queue.description().path() + "' are forwarded to '" + destination
                                + "'. Receive them there.");
    }

    /** Refuses a receiver above the maximum number (QUOTA-8). */
    static @Nullable Rejection refuseReceiver(QueueView queue) {
        return queue.receiverCount() < queue.limits().maxReceivers()
                ? null
                : new Rejection(
                        ErrorCode.SERVER_BUSY,
                        "Expected at most " + queue.limits().maxReceivers() + " receivers on the entity, but there are "
                                + queue.receiverCount() + " already.");
    }

    static Decision setCredit(QueueView queue, Command.SetCredit command) {
        if (queue.receiver(command.receiverId()) == null) {
            return Decision.reject(ErrorCode.INVALID_OPERATION, "The receiver is not attached.");
        }
        return Decision.done(
                List.of(new Record.CreditSet(command.receiverId(), command.deliveryLimit(), command.drain())));
    }

    private static Rejection tooMuch(Command.ReceiveDeferredMessages command) {
        return new Rejection(
                ErrorCode.MESSAGE_SIZE_EXCEEDED,
                "Expected messages of at most " + command.answerBytesMax() + " bytes in one answer, but the "
                        + command.sequenceNumbers().size()
                        + " requested messages are larger. Request fewer messages at a time.");
    }

    private static Rejection tooManyLocks(QueueView queue) {
        return new Rejection(
                ErrorCode.SERVER_BUSY,
                "Expected at most " + queue.limits().maxLocks() + " locked messages in the entity, but there are "
                        + queue.lockCount() + " already. Settle some of them and try again.");
    }

    static Decision receiveDeferred(QueueView queue, Command.ReceiveDeferredMessages command, Situation now) {
        if (!queue.description().status().allowsReceive()) {
            return Decision.reject(SendDecisions.disabled(queue, "receiving"));
        }
        Lane lane = Lane.of(command.subQueue());
        HeldSessionView held = null;
        if (queue.sessions() != null && lane == Lane.MAIN) {
            held = command.session() == null ? null : SessionDecisions.held(queue, command.session(), now);
            if (held == null) {
                return Decision.reject(Rejection.of(ErrorCode.SESSION_LOCK_LOST));
            }
        }
        String sessionId = held == null ? null : held.sessionId();
        List<Record> expired = new ArrayList<>();
        List<MessageRow> found = new ArrayList<>();
        long foundBytes = 0;
        long expiredBytes = 0;
        Set<Long> seen = new HashSet<>();
        boolean missing = false;
        long readBytes = 0;
        for (long number : command.sequenceNumbers()) {
            if (missing && readBytes > EXPIRED_BYTES_MAX) {
                break; // the request is refused, whatever the others are
            }
            MessageRow row = seen.add(number) ? now.rows().message(queue.id(), lane, number) : null;
            readBytes += row == null ? 0 : row.message().content().sizeBytes();
            if (row == null
                    || !row.deferred()
                    || queue.lock(lane, number) != null
                    || (sessionId != null && !sessionId.equals(row.message().sessionId()))) { // SESS-14
                missing = true;
            } else if (lane == Lane.MAIN && row.message().expiresAtMs() <= now.nowMs()) {
                // DEFER-7: deferred messages are not removed when they expire; a request for one makes it expire.
                if (expiredBytes <= EXPIRED_BYTES_MAX) { // the others stay until the next request
                    QueuedMessageView message = new RowMessage(row);
                    expired.add(
                            FailedDelivery.expired(queue, message, message.deliveryCount(), message.overrides(), now));
                    expiredBytes += message.sizeBytes();
                }
                missing = true;
            } else {
                found.add(row);
                foundBytes += row.message().content().sizeBytes();
                if (foundBytes > command.answerBytesMax() && found.size() > 1) {
                    return Decision.reject(tooMuch(command)); // before reading more, which must fit into memory
                }
            }
        }
        if (missing) {
            return Decision.rejectWith(expired, ErrorCode.MESSAGE_NOT_FOUND);
        }
        if (command.mode() == ReceiveMode.PEEK_LOCK
                && queue.lockCount() + found.size() > queue.limits().maxLocks()) {
            return Decision.reject(tooManyLocks(queue));
        }
        List<Record> records = new ArrayList<>();
        List<MessageView> messages = new ArrayList<>();
        long untilMs = held != null
                ? held.lockedUntilMs()
                : now.nowMs() + queue.description().lockDurationMs();
        for (MessageRow row : found) {
            if (command.mode() == ReceiveMode.PEEK_LOCK) {
                UUID token = Tokens.next(queue, now);
                records.add(new Record.DeferredMessageLocked(lane, row.message(), row.change(), token, untilMs));
                messages.add(MessageViews.locked(queue, row, MessageState.DEFERRED, token, untilMs));
            } else {
                StoredMessage message = row.message();
                QueuedMessageView queued = new RowMessage(row);
                records.add(new Record.MessageRemoved(
                        lane,
                        message.sequenceNumber(),
                        queued.sizeBytes(),
                        true,
                        queued.changed(),
                        Record.RemovalCause.RECEIVED_AND_DELETED,
                        queued.sharedBody(),
                        queued.sessionId()));
                messages.add(MessageViews.unlocked(queue, row, MessageState.DEFERRED));
            }
        }
        return Decision.of(records, new Reply.Messages(messages));
    }
}
