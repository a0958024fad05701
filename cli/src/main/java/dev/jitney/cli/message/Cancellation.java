package dev.jitney.cli.message;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.jitney.cli.output.Progress;
import java.util.ArrayList;
import java.util.List;

/** Cancels scheduled messages, at most {@value #NUMBERS} of one partition with a request. Not for several threads. */
final class Cancellation {
    private static final int NUMBERS = 100;

    private final ServiceBusSenderClient sender;
    private final Progress progress;
    private final List<Long> numbers = new ArrayList<>();

    Cancellation(ServiceBusSenderClient sender, Progress progress) {
        this.sender = sender;
        this.progress = progress;
    }

    /** Cancels this message, now or with the next {@link #flush}. */
    void add(long sequenceNumber) {
        if (!numbers.isEmpty() && partition(numbers.get(0)) != partition(sequenceNumber)) {
            flush();
        }
        numbers.add(sequenceNumber);
        if (numbers.size() == NUMBERS) {
            flush();
        }
    }

    /** Cancels what was added. */
    void flush() {
        if (!numbers.isEmpty()) {
            List<Long> batch = List.copyOf(numbers);
            numbers.clear();
            if (cancel(batch)) {
                progress.add(batch.size());
            } else {
                // The time of one has come, which fails the request for all of them.
                batch.forEach(number -> progress.add(cancel(List.of(number)) ? 1 : 0));
            }
        }
    }

    /** False if one of them is not scheduled anymore. */
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

    /** The partition of a partitioned entity; the same for all numbers of another one. */
    static long partition(long sequenceNumber) {
        return sequenceNumber >>> 48;
    }
}
