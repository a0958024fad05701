package dev.jitney.core.queue.decide;

import dev.jitney.core.Lane;
import dev.jitney.core.Output;
import dev.jitney.core.Record;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.HeldSessionView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.core.queue.ReceiverView;
import dev.jitney.core.queue.SessionsView;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Deliveries of the messages of held sessions to their holders, in order (SESS-7). */
final class SessionDeliveries {
    /** The maximum content that one decision delivers; the last message may exceed it. */
    private static final long DELIVERED_BYTES_MAX = 4L << 20;

    private final QueueView queue;
    private final SessionsView sessions;
    private final Situation now;
    private final List<Record> records;
    private final List<Output> outputs;
    private int room;
    private int left;
    private long bytes;

    SessionDeliveries(
            QueueView queue, SessionsView sessions, Situation now, List<Record> records, List<Output> outputs) {
        this.queue = queue;
        this.sessions = sessions;
        this.now = now;
        this.records = records;
        this.outputs = outputs;
    }

    /**
     * Delivers messages.
     *
     * @param countMax the maximum number of deliveries
     */
    void run(int countMax) {
        boolean closed = !queue.description().status().allowsReceive();
        if (!closed && queue.earliestExpiryMs() <= now.nowMs()) {
            return; // expired messages are removed first
        }
        room = queue.limits().maxLocks() - queue.lockCount();
        left = countMax;
        for (ReceiverView receiver : new ArrayList<>(queue.waitingReceivers(Lane.MAIN))) {
            HeldSessionView held = sessions.heldBy(receiver.id());
            if (held != null && held.lockedUntilMs() > now.nowMs()) {
                serve(receiver, held, closed);
            }
        }
    }

    private void serve(ReceiverView receiver, HeldSessionView held, boolean closed) {
        int wanted = closed ? 0 : (int) Math.min(receiver.demand(), left);
        int delivered = 0;
        List<? extends QueuedMessageView> head = held.head(wanted);
        for (QueuedMessageView message : head) {
            boolean locks = receiver.mode() == ReceiveMode.PEEK_LOCK;
            if (bytes > DELIVERED_BYTES_MAX || (locks && room <= 0)) {
                break;
            }
            room -= locks ? 1 : 0;
            bytes += message.sizeBytes();
            deliver(receiver, held, message);
            delivered++;
        }
        left -= delivered;
        if (delivered > 0) {
            records.add(new Record.DeliveriesCounted(receiver.id(), delivered));
        }
        boolean exhausted = closed
                || (delivered == head.size() && held.availableCount() == delivered && !held.hasMoreInStore())
                || (room <= 0 && receiver.mode() == ReceiveMode.PEEK_LOCK);
        if (receiver.drain() && (exhausted || receiver.demand() == delivered)) {
            records.add(new Record.CreditDrained(receiver.id()));
            outputs.add(new Output.Drained(receiver.id(), Math.max(receiver.deliveryLimit(), receiver.delivered())));
        }
    }

    private void deliver(ReceiverView receiver, HeldSessionView held, QueuedMessageView message) {
        StoredMessage stored = FailedDelivery.content(queue, Lane.MAIN, message, now);
        MessageView view;
        if (receiver.mode() == ReceiveMode.PEEK_LOCK) {
            UUID token = Tokens.next(queue, now);
            records.add(new Record.MessageLocked(
                    Lane.MAIN, message.sequenceNumber(), token, held.lockedUntilMs(), receiver.id()));
            view = MessageViews.delivered(Lane.MAIN, stored, message, token, held.lockedUntilMs());
        } else {
            records.add(new Record.MessageRemoved(
                    Lane.MAIN,
                    message.sequenceNumber(),
                    message.sizeBytes(),
                    false,
                    message.changed(),
                    Record.RemovalCause.RECEIVED_AND_DELETED,
                    message.sharedBody(),
                    message.sessionId()));
            view = MessageViews.delivered(Lane.MAIN, stored, message, null, 0);
        }
        outputs.add(new Output.Delivered(receiver.id(), view));
    }
}
