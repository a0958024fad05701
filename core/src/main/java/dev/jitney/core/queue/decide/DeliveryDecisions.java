package dev.jitney.core.queue.decide;

import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Output;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.core.queue.ReceiverView;
import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;

/**
 * The assignment of messages to receivers: the smallest available number goes to the receiver that has waited longest,
 * one message at a time (RECV-4, RECV-5). Nothing is delivered from the main lane while expired messages wait for removal
 * (TTL-6).
 */
final class DeliveryDecisions {
    private static final SubQueue[] SUB_QUEUES = SubQueue.values();

    /** The maximum content that one decision delivers per lane; the last message may exceed it. */
    private static final long DELIVERED_BYTES_MAX = 4L << 20;

    private DeliveryDecisions() {}

    static Decision decide(QueueView queue, Situation now, int countMax) {
        List<Record> records = new ArrayList<>();
        List<Output> outputs = new ArrayList<>();
        for (SubQueue subQueue : SUB_QUEUES) {
            Lane lane = Lane.of(subQueue);
            if (lane == Lane.MAIN && queue.sessions() != null) {
                SessionDecisions.grant(queue, now, records, outputs);
                new SessionDeliveries(queue, queue.sessions(), now, records, outputs).run(countMax);
            } else if (!queue.waitingReceivers(lane).isEmpty()) {
                new Turn(queue, lane, now, records, outputs).run(countMax);
            }
        }
        return Decision.of(records, outputs, Reply.Done.INSTANCE);
    }

    /** The messages of one receiver. */
    private static final class Share {
        private final ReceiverView receiver;
        private long count;

        /** The position of its last delivery among all deliveries. */
        private int lastAt;

        Share(ReceiverView receiver) {
            this.receiver = receiver;
        }
    }

    /** The plan for one lane. The plan is kept here and changes neither receivers nor messages. */
    private static final class Turn {
        private final QueueView queue;
        private final Lane lane;
        private final Situation now;
        private final List<Record> records;
        private final List<Output> outputs;

        /** The receivers that get messages. The receiver of the last message comes last, in this turn and the next. */
        private final List<Share> planned = new ArrayList<>();

        /** The number of locks that can still be created. */
        private int room = Integer.MAX_VALUE;

        Turn(QueueView queue, Lane lane, Situation now, List<Record> records, List<Output> outputs) {
            this.queue = queue;
            this.lane = lane;
            this.now = now;
            this.records = records;
            this.outputs = outputs;
        }

        void run(int countMax) {
            boolean closed = !queue.description().status().allowsReceive();
            boolean sweepFirst = lane == Lane.MAIN && queue.earliestExpiryMs() <= now.nowMs();
            boolean exhausted = closed;
            if (!closed && !sweepFirst) {
                exhausted = deliver(countMax);
            }
            planned.sort(Comparator.comparingInt(share -> share.lastAt));
            planned.forEach(share -> records.add(new Record.DeliveriesCounted(share.receiver.id(), share.count)));
            for (ReceiverView receiver : queue.waitingReceivers(lane)) {
                // If no lock is possible, a drain must not wait for one.
                boolean none = exhausted || (room <= 0 && receiver.mode() == ReceiveMode.PEEK_LOCK);
                if (receiver.drain() && (none || receiver.demand() == plannedFor(receiver))) {
                    records.add(new Record.CreditDrained(receiver.id()));
                    outputs.add(new Output.Drained(
                            receiver.id(), Math.max(receiver.deliveryLimit(), receiver.delivered())));
                }
            }
        }

        /** Delivers messages and returns whether no more are available. */
        private boolean deliver(int countMax) {
            ArrayDeque<ReceiverView> row = new ArrayDeque<>();
            ArrayDeque<Share> again = new ArrayDeque<>();
            long demand = 0;
            for (ReceiverView receiver : queue.waitingReceivers(lane)) {
                if (receiver.demand() > 0) {
                    row.addLast(receiver);
                    demand += receiver.demand();
                }
            }
            room = queue.limits().maxLocks() - queue.lockCount();
            List<? extends QueuedMessageView> head = queue.head(lane, (int) Math.min(demand, countMax));
            Iterator<? extends QueuedMessageView> messages = head.iterator();
            int delivered = 0;
            long bytes = 0;
            while (!(row.isEmpty() && again.isEmpty()) && messages.hasNext() && bytes <= DELIVERED_BYTES_MAX) {
                Share share = row.isEmpty() ? again.pollFirst() : new Share(row.pollFirst());
                ReceiverView receiver = share.receiver;
                boolean locks = receiver.mode() == ReceiveMode.PEEK_LOCK;
                if (locks && room <= 0) {
                    continue; // waits until locks end; receive-and-delete receivers continue
                }
                QueuedMessageView message = messages.next();
                if (locks) {
                    room--;
                }
                deliver(receiver, message);
                bytes += message.sizeBytes();
                delivered++;
                if (share.count++ == 0) {
                    planned.add(share);
                }
                share.lastAt = delivered;
                if (receiver.demand() > share.count) {
                    again.addLast(share);
                }
            }
            boolean wantsMore = demand == 0 || delivered < demand;
            return delivered == head.size() && head.size() < countMax && wantsMore && !queue.hasMoreInStore(lane);
        }

        private long plannedFor(ReceiverView receiver) {
            for (Share share : planned) {
                if (share.receiver == receiver) {
                    return share.count;
                }
            }
            return 0;
        }

        private void deliver(ReceiverView receiver, QueuedMessageView message) {
            StoredMessage stored = FailedDelivery.content(queue, lane, message, now);
            MessageView view;
            if (receiver.mode() == ReceiveMode.PEEK_LOCK) {
                UUID token = Tokens.next(queue, now);
                long untilMs = now.nowMs() + queue.description().lockDurationMs();
                records.add(new Record.MessageLocked(lane, message.sequenceNumber(), token, untilMs, receiver.id()));
                view = MessageViews.delivered(lane, stored, message, token, untilMs);
            } else {
                records.add(new Record.MessageRemoved(
                        lane,
                        message.sequenceNumber(),
                        message.sizeBytes(),
                        false,
                        message.changed(),
                        Record.RemovalCause.RECEIVED_AND_DELETED,
                        message.sharedBody(),
                        message.sessionId()));
                view = MessageViews.delivered(lane, stored, message, null, 0);
            }
            outputs.add(new Output.Delivered(receiver.id(), view));
        }
    }
}
