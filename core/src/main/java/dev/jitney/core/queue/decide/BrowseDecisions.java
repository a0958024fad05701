package dev.jitney.core.queue.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Record;
import dev.jitney.core.Reply;
import dev.jitney.core.RowReader;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.Situation;
import dev.jitney.core.StoredMessage;
import dev.jitney.core.queue.QueueView;
import dev.jitney.core.queue.QueuedMessageView;
import dev.jitney.core.queue.RowMessage;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Peek and batch delete (semantics chapters 13 and 23). */
final class BrowseDecisions {
    /** The maximum number of rows that a peek by session or a batch delete reads before it returns its result so far. */
    private static final int SCANNED_MAX = 100_000;

    /** The number of messages of a session that are read at once. */
    private static final int SESSION_PAGE = 256;

    private BrowseDecisions() {}

    static Decision peek(QueueView queue, Command.PeekMessages command, Situation now) {
        if (!queue.description().status().allowsReceive()) {
            return Decision.reject(SendDecisions.disabled(queue, "receiving"));
        }
        if (command.messageCount() < 1) {
            return Decision.reject(
                    ErrorCode.OUT_OF_RANGE,
                    "Expected a message count of at least 1, but got " + command.messageCount() + ".");
        }
        int countMax = Math.min(command.messageCount(), queue.limits().maxPeekCount());
        long from = Math.max(0, command.fromSequenceNumber());
        Lane lane = Lane.of(command.subQueue());
        List<MessageView> messages = new ArrayList<>();
        if (lane == Lane.MAIN
                && command.sessionId() != null
                && queue.description().requiresSession()) {
            collectSession(queue, command.sessionId(), from, countMax, now, messages);
        } else {
            collect(queue, lane, from, countMax, command, now, messages);
        }
        if (lane == Lane.MAIN) {
            // Scheduled messages are in their own lane, but their numbers are from the same sequence (PEEK-2, PEEK-3).
            collect(queue, Lane.SCHEDULED, from, countMax, command, now, messages);
            messages.sort(Comparator.comparingLong(MessageView::sequenceNumber));
        }
        int sizeBytes = 0;
        int count = 0;
        for (MessageView message : messages) {
            sizeBytes += message.content().sizeBytes();
            if (count == countMax || (count > 0 && sizeBytes > queue.limits().maxPeekSizeBytes())) {
                break; // PEEK-7; a single large message is returned alone (PEEK-10)
            }
            count++;
        }
        return Decision.reply(new Reply.Messages(List.copyOf(messages.subList(0, count))));
    }

    private static void collect(
            QueueView queue,
            Lane lane,
            long from,
            int countMax,
            Command.PeekMessages command,
            Situation now,
            List<MessageView> out) {
        int[] seen = new int[3]; // scanned, taken, bytes
        now.rows().scan(queue.id(), lane, from, Long.MAX_VALUE, row -> {
            if (command.sessionId() == null
                    || command.sessionId().equals(row.message().sessionId())) {
                out.add(MessageViews.unlocked(row, stateOf(lane, row)));
                seen[1]++;
                seen[2] += row.message().content().sizeBytes();
            }
            return ++seen[0] < SCANNED_MAX
                    && seen[1] < countMax
                    && seen[2] <= queue.limits().maxPeekSizeBytes();
        });
    }

    /** Collects the messages of a session without reading other messages (PEEK-5). */
    private static void collectSession(
            QueueView queue, String sessionId, long from, int countMax, Situation now, List<MessageView> out) {
        int bytes = 0;
        for (long number : now.rows().sessionMessages(queue.id(), sessionId, from, countMax)) {
            if (bytes > queue.limits().maxPeekSizeBytes()) {
                return;
            }
            MessageRow row = now.rows().message(queue.id(), Lane.MAIN, number);
            if (row != null) {
                bytes += row.message().content().sizeBytes();
                out.add(MessageViews.unlocked(row, stateOf(Lane.MAIN, row)));
            }
        }
    }

    private static MessageState stateOf(Lane lane, MessageRow row) {
        if (lane == Lane.SCHEDULED) {
            return MessageState.SCHEDULED;
        }
        return row.deferred() ? MessageState.DEFERRED : MessageState.ACTIVE;
    }

    static Decision batchDelete(QueueView queue, Command.BatchDeleteMessages command, Situation now) {
        if (!queue.description().status().allowsReceive()) {
            return Decision.reject(SendDecisions.disabled(queue, "receiving"));
        }
        if (command.messageCount() < 1) {
            return Decision.reject(
                    ErrorCode.OUT_OF_RANGE,
                    "Expected a message count of 1 or more, but got " + command.messageCount() + ".");
        }
        int count = Math.min(command.messageCount(), queue.limits().maxBatchDeleteCount()); // wire reference 6.10
        Lane lane = Lane.of(command.subQueue());
        List<Record> records = new ArrayList<>();
        int[] scanned = {0};
        RowReader.Visitor remover = row -> {
            // EnqueuedTimeUtc ascends with the numbers in the main lane (SEQ-6); a dead-letter lane keeps the original
            // times.
            boolean old = row.message().enqueuedTimeMs() < command.enqueuedBeforeMs();
            if (old && mayGo(queue, lane, row, command.sessionId())) {
                records.add(removal(lane, new RowMessage(row)));
            }
            return old && ++scanned[0] < SCANNED_MAX && records.size() < count;
        };
        if (command.sessionId() != null
                && lane == Lane.MAIN
                && queue.description().requiresSession()) {
            visitSession(queue, command.sessionId(), now, remover);
        } else {
            now.rows().scan(queue.id(), lane, 0, Long.MAX_VALUE, remover);
        }
        return Decision.of(records, new Reply.Deleted(records.size()));
    }

    private static boolean mayGo(QueueView queue, Lane lane, MessageRow row, @Nullable String sessionId) {
        StoredMessage message = row.message();
        return !row.deferred()
                && queue.lock(lane, message.sequenceNumber()) == null
                && (sessionId == null || sessionId.equals(message.sessionId()));
    }

    private static Record removal(Lane lane, QueuedMessageView message) {
        return new Record.MessageRemoved(
                lane,
                message.sequenceNumber(),
                message.sizeBytes(),
                false,
                message.changed(),
                Record.RemovalCause.DELETED,
                message.sharedBody(),
                message.sessionId());
    }

    /** Visits the messages of a session without reading other messages. */
    private static void visitSession(QueueView queue, String sessionId, Situation now, RowReader.Visitor visitor) {
        boolean goesOn = true;
        long from = 0;
        while (goesOn) {
            List<Long> numbers = now.rows().sessionMessages(queue.id(), sessionId, from, SESSION_PAGE);
            goesOn = numbers.size() == SESSION_PAGE;
            for (long number : numbers) {
                from = number + 1;
                MessageRow row = now.rows().message(queue.id(), Lane.MAIN, number);
                if (row != null && !visitor.visit(row)) {
                    return;
                }
            }
        }
    }
}
