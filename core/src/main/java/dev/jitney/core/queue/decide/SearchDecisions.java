package dev.jitney.core.queue.decide;

import dev.jitney.core.Command;
import dev.jitney.core.Decision;
import dev.jitney.core.Lane;
import dev.jitney.core.Reply;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.SearchFilter;
import dev.jitney.core.SearchState;
import dev.jitney.core.Situation;
import dev.jitney.core.filter.Evaluation;
import dev.jitney.core.filter.StepBudget;
import dev.jitney.core.filter.body.MessageBody;
import dev.jitney.core.filter.property.EncodedMessageProperties;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.queue.LockView;
import dev.jitney.core.queue.QueueView;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.MessageState;
import dev.jitney.model.MessageView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The search for messages by state and filter. One command looks at few messages, so that it does not hold the shard up; the
 * searcher continues with the next command.
 */
final class SearchDecisions {
    /** The maximum of messages that one command looks at. */
    static final int SCANNED_MAX = 256;

    /** The maximum of bytes that one command reads, unless a single message has more. */
    static final long SCANNED_BYTES_MAX = 1 << 20;

    /** The maximum of steps of about a nanosecond each that the filter takes in one command, before the last message. */
    static final long STEPS_MAX = 1_000_000;

    private final QueueView queue;
    private final Command.SearchMessages command;
    private final Situation now;
    private final List<MessageView> found = new ArrayList<>();
    private int failed;
    private @Nullable String failure;
    private long steps;

    private SearchDecisions(QueueView queue, Command.SearchMessages command, Situation now) {
        this.queue = queue;
        this.command = command;
        this.now = now;
    }

    static Decision search(QueueView queue, Command.SearchMessages command, Situation now) {
        if (command.messageCount() < 1) {
            return Decision.reject(
                    ErrorCode.OUT_OF_RANGE,
                    "Expected a message count of 1 or more, but got " + command.messageCount() + ".");
        }
        return Decision.reply(new SearchDecisions(queue, command, now).run());
    }

    private Reply.Found run() {
        Lane lane = Lane.of(command.subQueue());
        List<Slice> slices = new ArrayList<>();
        boolean onlyScheduled = command.states().size() == 1 && command.states().contains(SearchState.SCHEDULED);
        if (lane != Lane.MAIN || !onlyScheduled) {
            slices.add(read(lane));
        }
        if (lane == Lane.MAIN && command.states().contains(SearchState.SCHEDULED)) {
            slices.add(read(Lane.SCHEDULED));
        }
        // Scheduled messages are in their own lane, but their numbers are from the same sequence. Messages after the
        // end of the shorter slice are for the next command.
        long end = slices.stream().mapToLong(slice -> slice.next).min().orElse(Reply.Found.END);
        List<Row> rows = slices.stream()
                .flatMap(slice -> slice.rows.stream())
                .filter(row -> row.number() < end)
                .sorted(Comparator.comparingLong(Row::number))
                .toList();
        int scanned = 0;
        for (Row row : rows) {
            // The search of a body takes about a step for each byte.
            boolean late = steps > 0 && steps + row.row().message().content().sizeBytes() > STEPS_MAX;
            if (found.size() == command.messageCount() || late) {
                return new Reply.Found(List.copyOf(found), scanned, row.number(), failed, failure);
            }
            scanned++;
            judge(row);
        }
        return new Reply.Found(List.copyOf(found), scanned, end, failed, failure);
    }

    private record Row(Lane lane, MessageRow row) {
        long number() {
            return row.message().sequenceNumber();
        }
    }

    /** Some consecutive messages of a lane. */
    private static final class Slice {
        private final List<Row> rows = new ArrayList<>();
        /** The number after the last one, or {@link Reply.Found#END} after the last message of the lane. */
        private long next = Reply.Found.END;
    }

    private Slice read(Lane lane) {
        Slice slice = new Slice();
        long[] bytes = {0};
        now.rows().scan(queue.id(), lane, Math.max(0, command.fromSequenceNumber()), Long.MAX_VALUE, row -> {
            slice.rows.add(new Row(lane, row));
            bytes[0] += row.message().content().sizeBytes();
            boolean full = slice.rows.size() == SCANNED_MAX || bytes[0] >= SCANNED_BYTES_MAX;
            if (full) {
                slice.next = row.message().sequenceNumber() + 1;
            }
            return !full;
        });
        return slice;
    }

    private void judge(Row row) {
        LockView lock = row.lane() == Lane.SCHEDULED ? null : queue.lock(row.lane(), row.number());
        if (!command.states().contains(stateOf(row, lock))) {
            return;
        }
        MessageState shown = row.lane() == Lane.SCHEDULED
                ? MessageState.SCHEDULED
                : row.row().deferred() ? MessageState.DEFERRED : MessageState.ACTIVE;
        MessageView message = MessageViews.unlocked(queue, row.row(), shown);
        if (isTaken(message)) {
            found.add(lock == null ? message : message.lockedUntil(lock.lockedUntilMs()));
        }
    }

    private static SearchState stateOf(Row row, @Nullable LockView lock) {
        if (row.lane() == Lane.SCHEDULED) {
            return SearchState.SCHEDULED;
        }
        if (lock != null) {
            return SearchState.LOCKED;
        }
        return row.row().deferred() ? SearchState.DEFERRED : SearchState.ACTIVE;
    }

    private boolean isTaken(MessageView message) {
        SearchFilter filter = command.filter();
        if (filter == null) {
            return true;
        }
        StepBudget budget = StepBudget.ofSearch();
        Value result = filter.compiled()
                .judge(new Evaluation(
                        EncodedMessageProperties.of(message),
                        now.tokens()::next,
                        budget,
                        MessageBody.of(message.content())));
        steps += budget.used();
        if (result.isError()) {
            failed++;
            failure = result.description();
        }
        return result.isTrue();
    }
}
