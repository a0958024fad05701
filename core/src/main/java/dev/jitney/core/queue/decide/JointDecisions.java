package dev.jitney.core.queue.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.Situation;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.QueueView;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A queue's part in what several queues do together, all or none (LOCK-13, SCHED-4). Between judging its share and doing it a
 * queue keeps locks from ending and scheduled messages from being due, as it does for transactions (T-33), so that what was
 * judged stays right. All of that is in memory: a store that fails forgets it, and with it the locks.
 */
final class JointDecisions {

    private JointDecisions() {}

    static Decision decide(QueueView queue, Command.Joint joint, Situation now) {
        return switch (joint.step()) {
            case HOLD -> hold(queue, joint, now);
            case CARRY_OUT -> carryOut(queue, joint, now);
            case LET_GO -> letGo(queue, joint);
        };
    }

    private static Decision hold(QueueView queue, Command.Joint joint, Situation now) {
        if (joint.share() instanceof Command.Settlement settlement) {
            return QueueDecider.hold(queue, settlement, joint.requestId(), now);
        }
        Decision judged = QueueDecider.decide(queue, joint.share(), now);
        Reply reply = judged.reply();
        if (reply == null) {
            return judged;
        }
        List<Record> records = new ArrayList<>();
        if (joint.share() instanceof Command.RenewLocks renew) {
            for (UUID token : renew.lockTokens()) {
                if (isHeldBy(queue, token, 0)) { // else a transaction does
                    records.add(new Record.SettlementHeld(token, joint.requestId()));
                }
            }
        } else if (joint.share() instanceof Command.CancelScheduledMessages cancel) {
            cancel.sequenceNumbers().forEach(number -> records.add(new Record.CancelHeld(number, joint.requestId())));
        } else {
            throw unknown(joint);
        }
        return Decision.of(records, reply);
    }

    private static Decision carryOut(QueueView queue, Command.Joint joint, Situation now) {
        if (joint.share() instanceof Command.Settlement settlement) {
            return QueueDecider.settleHeld(queue, settlement, joint.requestId(), now);
        } else if (joint.share() instanceof Command.RenewLocks renew) {
            Decision renewed = SettlementDecisions.renew(queue, renew, SettlementDecisions.ANYBODY_AGAIN, now);
            Reply reply = renewed.reply();
            if (reply == null) {
                return renewed;
            }
            List<Record> records = new ArrayList<>(renewed.records());
            records.addAll(free(queue, joint));
            return Decision.of(records, reply);
        } else if (joint.share() instanceof Command.CancelScheduledMessages cancel) {
            return SendDecisions.cancel(queue, cancel, joint.requestId(), now);
        }
        throw unknown(joint);
    }

    private static Decision letGo(QueueView queue, Command.Joint joint) {
        return Decision.done(free(queue, joint));
    }

    /** Lets go of what this request holds. */
    private static List<Record> free(QueueView queue, Command.Joint joint) {
        List<UUID> tokens = List.of();
        List<Long> numbers = List.of();
        if (joint.share() instanceof Command.Settlement settlement) {
            tokens = settlement.lockTokens();
        } else if (joint.share() instanceof Command.RenewLocks renew) {
            tokens = renew.lockTokens();
        } else if (joint.share() instanceof Command.CancelScheduledMessages cancel) {
            numbers = cancel.sequenceNumbers();
        }
        List<Record> records = new ArrayList<>();
        for (UUID token : tokens) {
            if (isHeldBy(queue, token, joint.requestId())) {
                records.add(new Record.SettlementFreed(token));
            }
        }
        for (long number : numbers) {
            if (queue.cancelHolder(number) == joint.requestId()) {
                records.add(new Record.CancelFreed(number));
            }
        }
        return records;
    }

    private static boolean isHeldBy(QueueView queue, UUID token, long holder) {
        LockView lock = queue.lock(token);
        return lock != null && lock.transactionId() == holder;
    }

    private static IllegalStateException unknown(Command.Joint joint) {
        return new IllegalStateException("Expected a command that can be shared, but got " + joint.share() + ".");
    }
}
