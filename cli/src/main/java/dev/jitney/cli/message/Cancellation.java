package dev.jitney.cli.message;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.cli.output.Progress;
import java.util.ArrayList;
import java.util.List;

/** Cancellation of scheduled messages, at most {@value #NUMBERS} of one partition in a request. Not thread-safe. */
final class Cancellation {
    private static final int NUMBERS = 100;

    private final ServiceBusSenderClient sender;
    private final Progress progress;
    private final List<Long> numbers = new ArrayList<>();
    private long enqueued;

    Cancellation(ServiceBusSenderClient sender, Progress progress) {
        this.sender = sender;
        this.progress = progress;
    }

    /** Cancels this message, immediately or with the next {@link #flush}. */
    void add(long sequenceNumber) {
        if (!numbers.isEmpty() && partition(numbers.get(0)) != partition(sequenceNumber)) {
            flush();
        }
        numbers.add(sequenceNumber);
        if (numbers.size() == NUMBERS) {
            flush();
        }
    }

    /** Cancels the messages that were added. */
    void flush() {
        if (!numbers.isEmpty()) {
            List<Long> batch = List.copyOf(numbers);
            numbers.clear();
            if (cancel(batch)) {
                progress.add(batch.size());
            } else {
                // One message was already enqueued, which fails the request for all of them.
                for (long number : batch) {
                    boolean canceled = cancel(List.of(number));
                    progress.add(canceled ? 1 : 0);
                    enqueued += canceled ? 0 : 1;
                }
            }
        }
    }

    /** Returns the number of messages that were added and wait for the next request. */
    int waiting() {
        return numbers.size();
    }

    /** Returns the number of messages that were no longer scheduled: they have become active meanwhile, or were canceled by others. */
    long enqueued() {
        return enqueued;
    }

    /** Returns false if one of the messages is no longer scheduled. */
    private boolean cancel(List<Long> batch) {
        try {
            sender.cancelScheduledMessages(batch);
            return true;
        } catch (ServiceBusException e) {
            if (ServiceBusFailureReason.MESSAGE_NOT_FOUND.equals(e.getReason())) {
                return false;
            }
            throw e;
        }
    }

    /** Returns the partition within a partitioned entity. For other entities the result is the same for all numbers. */
    static long partition(long sequenceNumber) {
        return sequenceNumber >>> 48;
    }
}
