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
 * A queue's part in a two-phase commit, in which several queues execute a command together, all or none (LOCK-13,
 * SCHED-4). Between prepare and commit the queue keeps locks from ending and scheduled messages from being due, as for
 * transactions (T-33), so that the check stays valid. This state is only in memory: if the store fails, it is lost
 * together with the locks.
 */
final class TwoPhaseDecisions {

    private TwoPhaseDecisions() {}

    static Decision decide(QueueView queue, Command.TwoPhase request, Situation now) {
        return switch (request.step()) {
            case PREPARE -> prepare(queue, request, now);
            case COMMIT -> commit(queue, request, now);
            case ABORT -> abort(queue, request);
        };
    }

    private static Decision prepare(QueueView queue, Command.TwoPhase request, Situation now) {
        if (request.share() instanceof Command.Settlement settlement) {
            return QueueDecider.hold(queue, settlement, request.requestId(), now);
        }
        Decision judged = QueueDecider.decide(queue, request.share(), now);
        Reply reply = judged.reply();
        if (reply == null) {
            return judged;
        }
        List<Record> records = new ArrayList<>();
        if (request.share() instanceof Command.RenewLocks renew) {
            for (UUID token : renew.lockTokens()) {
                if (isHeldBy(queue, token, 0)) { // otherwise a transaction holds it
                    records.add(new Record.SettlementHeld(token, request.requestId()));
                }
            }
        } else if (request.share() instanceof Command.CancelScheduledMessages cancel) {
            cancel.sequenceNumbers().forEach(number -> records.add(new Record.CancelHeld(number, request.requestId())));
        } else {
            throw unknown(request);
        }
        return Decision.of(records, reply);
    }

    private static Decision commit(QueueView queue, Command.TwoPhase request, Situation now) {
        if (request.share() instanceof Command.Settlement settlement) {
            return QueueDecider.settleHeld(queue, settlement, request.requestId(), now);
        } else if (request.share() instanceof Command.RenewLocks renew) {
            Decision renewed = SettlementDecisions.renew(queue, renew, SettlementDecisions.ANYBODY_AGAIN, now);
            Reply reply = renewed.reply();
            if (reply == null) {
                return renewed;
            }
            List<Record> records = new ArrayList<>(renewed.records());
            records.addAll(free(queue, request));
            return Decision.of(records, reply);
        } else if (request.share() instanceof Command.CancelScheduledMessages cancel) {
            return SendDecisions.cancel(queue, cancel, request.requestId(), now);
        }
        throw unknown(request);
    }

    private static Decision abort(QueueView queue, Command.TwoPhase request) {
        return Decision.done(free(queue, request));
    }

    /** Returns the records that free the locks and messages held by this request. */
    private static List<Record> free(QueueView queue, Command.TwoPhase request) {
        List<UUID> tokens = List.of();
        List<Long> numbers = List.of();
        if (request.share() instanceof Command.Settlement settlement) {
            tokens = settlement.lockTokens();
        } else if (request.share() instanceof Command.RenewLocks renew) {
            tokens = renew.lockTokens();
        } else if (request.share() instanceof Command.CancelScheduledMessages cancel) {
            numbers = cancel.sequenceNumbers();
        }
        List<Record> records = new ArrayList<>();
        for (UUID token : tokens) {
            if (isHeldBy(queue, token, request.requestId())) {
                records.add(new Record.SettlementFreed(token));
            }
        }
        for (long number : numbers) {
            if (queue.cancelHolder(number) == request.requestId()) {
                records.add(new Record.CancelFreed(number));
            }
        }
        return records;
    }

    private static boolean isHeldBy(QueueView queue, UUID token, long holder) {
        LockView lock = queue.lock(token);
        return lock != null && lock.transactionId() == holder;
    }

    private static IllegalStateException unknown(Command.TwoPhase request) {
        return new IllegalStateException(
                "Expected a command that fragments can share, but got" + " " + request.share() + ".");
    }
}
