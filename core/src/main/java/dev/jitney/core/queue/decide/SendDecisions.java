package dev.jitney.core.queue.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.SendExplanation;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.duplicate.DuplicateCheck;
import dev.jitney.core.queue.QueueView;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The decisions on sent messages, and on the cancellation of scheduled ones (semantics chapters 2 and 11). */
final class SendDecisions {

    private SendDecisions() {}

    static Decision send(QueueView queue, Command.SendMessages command, Situation now) {
        Rejection refusal = Admission.refuse(queue, command, queue.usedBytes(), now);
        if (refusal != null) {
            return Decision.reject(refusal);
        }
        List<Record> records = new ArrayList<>(command.messages().size());
        long[] numbers = new long[command.messages().size()];
        long number = queue.lastSequenceNumber();
        boolean passesOn = queue.passesOn();
        DuplicateCheck check = Admission.duplicateCheck(queue, now);
        List<Integer> duplicates = new ArrayList<>(0);
        for (int i = 0; i < numbers.length; i++) {
            IncomingMessage message = command.messages().get(i);
            if (message.ping()) {
                continue; // PAIR-32: acknowledged, never stored
            }
            DuplicateKey key = check.keyOf(message);
            numbers[i] = check.firstAccepted(key);
            if (numbers[i] != 0) {
                duplicates.add(i); // T-3
                continue;
            }
            long reserved = command.reservedNumber(i);
            numbers[i] = reserved != 0 ? reserved : ++number;
            // A message with a reserved number is not the last one any more, so it is stored like a scheduled message,
            // and activated immediately if its time has passed.
            if (reserved != 0 || message.scheduledEnqueueTimeMs() > now.nowMs()) {
                records.add(new Record.MessageScheduled(Admission.scheduled(message, numbers[i], now.nowMs())));
            } else {
                long timeToLiveMs = Admission.effectiveTimeToLive(queue, message.timeToLiveMs());
                long expiresAtMs = Admission.saturatedSum(now.nowMs(), timeToLiveMs);
                records.add(
                        passesOn
                                ? new Record.MessagePassed(number, now.nowMs(), timeToLiveMs, message, Map.of())
                                : new Record.MessageEnqueued(
                                        Admission.stored(message, number, now.nowMs(), expiresAtMs)));
            }
            check.accept(key, numbers[i], records);
        }
        return Decision.of(records, new Reply.Sent(numbers, duplicates));
    }

    /** Explains a send with the decision on it. The effects on a scheduled message are those at its scheduled time. */
    static SendExplanation explain(QueueView queue, IncomingMessage message, Situation now) {
        int fragment = queue.id().fragment();
        Command.SendMessages send = new Command.SendMessages(List.of(message));
        Decision decision = send(queue, send, now);
        if (decision.rejection() != null) {
            return SendExplanation.refused(fragment, decision.rejection());
        }
        if (decision.reply() instanceof Reply.Sent sent && !sent.duplicates().isEmpty()) {
            return SendExplanation.duplicate(fragment, sent.sequenceNumbers()[0]);
        }
        long scheduledUntilMs = message.scheduledEnqueueTimeMs() > now.nowMs() ? message.scheduledEnqueueTimeMs() : 0;
        List<Record> records = scheduledUntilMs == 0
                ? decision.records()
                : send(queue, send, now.at(scheduledUntilMs)).records();
        List<SendExplanation.Copy> copies = new ArrayList<>(1);
        for (Record record : records) {
            SendExplanation.Copy copy = CopyExplanations.of(queue, record);
            if (copy != null) {
                copies.add(copy);
            }
        }
        return new SendExplanation(fragment, null, 0, scheduledUntilMs, copies, List.of(), null, 0);
    }

    /**
     * Decides the cancellation of scheduled messages.
     *
     * @param holder the request that has held the messages since its check, or 0
     */
    static Decision cancel(QueueView queue, Command.CancelScheduledMessages command, long holder, Situation now) {
        if (holder == SettlementDecisions.NOBODY
                && !queue.description().status().allowsSend()) {
            return Decision.reject(disabled(queue, "sending"));
        }
        List<Record> records = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        for (long number : command.sequenceNumbers()) {
            MessageRow row = seen.add(number) ? now.rows().message(queue.id(), Lane.SCHEDULED, number) : null;
            if (row == null) {
                return Decision.reject(noScheduledMessage(number));
            }
            if (queue.cancelHolder(number) != holder) {
                return Decision.reject(
                        ErrorCode.SERVER_BUSY,
                        "The scheduled message with sequence number " + number + " is being canceled by another"
                                + " request. Please wait 10 seconds and try again.");
            }
            StoredMessage message = row.message();
            records.add(new Record.ScheduledMessageCancelled(
                    number, message.scheduledEnqueueTimeMs(), message.sizeBytes()));
        }
        return Decision.done(records);
    }

    /** Returns the refusal of a number that no scheduled message has, or that is named twice. */
    static Rejection noScheduledMessage(long number) {
        return new Rejection(
                ErrorCode.MESSAGE_NOT_FOUND,
                "The scheduled message with sequence number " + number + " could not be found.");
    }

    /** Returns the refusal of a command that the status of the entity forbids (SUSP-1). */
    static Rejection disabled(QueueView queue, String doing) {
        return new Rejection(
                ErrorCode.ENTITY_DISABLED,
                "Messaging entity '" + queue.description().path() + "' is currently disabled for " + doing + ". Its"
                        + " status is " + queue.description().status() + ".");
    }
}
