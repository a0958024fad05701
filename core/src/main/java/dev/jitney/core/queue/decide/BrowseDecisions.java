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

/**
 * Peek and batch delete (semantics chapters 13 and 23). One decision looks at few messages, so that it does not hold the shard up. If these
 * are not enough, the answer is {@link Reply.Unfinished}.
 */
final class BrowseDecisions {
    /** The maximum of messages without a result that one decision looks at. */
    static final int SCANNED_MAX = 1_000;

    /** The maximum of bytes that one decision reads, unless a single message has more. */
    static final long SCANNED_BYTES_MAX = 1 << 20;

    /** The number of messages of a session that are read at once. */
    private static final int SESSION_PAGE = 256;

    /** The place to continue after the last message. */
    private static final long END = Long.MAX_VALUE;

    private BrowseDecisions() {}

    /** The messages of a lane that a peek has found, in the order of their numbers. */
    private static final class Found {
        private final List<MessageView> messages = new ArrayList<>();

        /** The first number that the peek has not looked at because of a limit of a decision, or {@link #END}. */
        private long next = END;
    }

    /** The limits of one decision. */
    private static final class Looked {
        private int passed;
        private long bytes;

        /** Counts a message. */
        void at(MessageRow row, boolean isResult) {
            passed += isResult ? 0 : 1;
            bytes += row.message().content().sizeBytes();
        }

        boolean isEnough() {
            return passed >= SCANNED_MAX || bytes >= SCANNED_BYTES_MAX;
        }
    }

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
        String sessionId = lane == Lane.MAIN && queue.description().requiresSession() ? command.sessionId() : null;
        Found found = sessionId != null
                ? collectSession(queue, sessionId, from, countMax, now)
                : collect(queue, lane, from, countMax, command, now);
        List<MessageView> messages = found.messages;
        long end = found.next;
        if (lane == Lane.MAIN) {
            // Scheduled messages are in their own lane, but their numbers are from the same sequence (PEEK-2, PEEK-3).
            Found scheduled = collect(queue, Lane.SCHEDULED, from, countMax, command, now);
            long both = Math.min(end, scheduled.next);
            end = both;
            messages.addAll(scheduled.messages);
            messages.removeIf(message -> message.sequenceNumber() >= both);
            messages.sort(Comparator.comparingLong(MessageView::sequenceNumber));
        }
        if (messages.isEmpty() && end != END) {
            return Decision.reply(new Reply.Unfinished(command.from(end)));
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

    private static Found collect(
            QueueView queue, Lane lane, long from, int countMax, Command.PeekMessages command, Situation now) {
        Found found = new Found();
        Looked looked = new Looked();
        long[] taken = {0};
        now.rows().scan(queue.id(), lane, from, Long.MAX_VALUE, row -> {
            boolean isResult = command.sessionId() == null
                    || command.sessionId().equals(row.message().sessionId());
            if (isResult) {
                found.messages.add(MessageViews.unlocked(queue, row, stateOf(lane, row)));
                taken[0] += row.message().content().sizeBytes();
            }
            looked.at(row, isResult);
            if (found.messages.size() >= countMax || taken[0] > queue.limits().maxPeekSizeBytes()) {
                return false; // the answer is full, so there is nothing to continue
            }
            if (looked.isEnough()) {
                found.next = row.message().sequenceNumber() + 1;
                return false;
            }
            return true;
        });
        return found;
    }

    /** Collects the messages of a session without reading other messages (PEEK-5). */
    private static Found collectSession(QueueView queue, String sessionId, long from, int countMax, Situation now) {
        Found found = new Found();
        int bytes = 0;
        for (long number : now.rows().sessionMessages(queue.id(), sessionId, from, countMax)) {
            if (bytes > queue.limits().maxPeekSizeBytes()) {
                return found;
            }
            MessageRow row = now.rows().message(queue.id(), Lane.MAIN, number);
            if (row != null) {
                bytes += row.message().content().sizeBytes();
                found.messages.add(MessageViews.unlocked(queue, row, stateOf(Lane.MAIN, row)));
            }
        }
        return found;
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
        int countMax = Math.min(command.messageCount(), queue.limits().maxBatchDeleteCount()); // wire reference 6.10
        int count = countMax - command.removed();
        Lane lane = Lane.of(command.subQueue());
        List<Record> records = new ArrayList<>();
        Looked looked = new Looked();
        long[] next = {END};
        RowReader.Visitor remover = row -> {
            // EnqueuedTimeUtc ascends with the numbers in the main lane (SEQ-6); a dead-letter lane keeps the original
            // times.
            if (row.message().enqueuedTimeMs() >= command.enqueuedBeforeMs()) {
                return false;
            }
            boolean isResult = mayGo(queue, lane, row, command.sessionId());
            if (isResult) {
                records.add(removal(lane, new RowMessage(row)));
            }
            looked.at(row, isResult);
            if (records.size() < count && looked.isEnough()) {
                next[0] = row.message().sequenceNumber() + 1;
                return false;
            }
            return records.size() < count;
        };
        if (command.sessionId() != null
                && lane == Lane.MAIN
                && queue.description().requiresSession()) {
            visitSession(queue, command.sessionId(), command.fromSequenceNumber(), now, remover);
        } else {
            now.rows().scan(queue.id(), lane, command.fromSequenceNumber(), Long.MAX_VALUE, remover);
        }
        Reply reply = next[0] == END
                ? new Reply.Deleted(command.removed() + records.size())
                : new Reply.Unfinished(command.from(next[0], records.size()));
        return Decision.of(records, reply);
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
    private static void visitSession(
            QueueView queue, String sessionId, long first, Situation now, RowReader.Visitor visitor) {
        boolean goesOn = true;
        long from = first;
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
