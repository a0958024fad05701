package dev.jitney.crash.paired;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.jitney.crash.support.CrashLedger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The messages that senders of one entity may expect: each message sent with success arrives unchanged and once. For a
 * message that is in transit during a kill, it is unknown whether it was stored. Each kill may add one copy, because
 * senders and syphons repeat requests without a reply. Thread-safe.
 */
final class PairedLedger extends CrashLedger {
    /** The time after which a call may have been retried, in nanoseconds. */
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final PairedMessages messages;
    private final boolean detectsDuplicates;
    private final Map<Integer, Entry> entries = new HashMap<>();
    private boolean disturbed;
    private int next;
    private int succeeded;
    private int copies;

    PairedLedger(PairedMessages messages, boolean detectsDuplicates) {
        this.messages = messages;
        this.detectsDuplicates = detectsDuplicates;
    }

    PairedMessages messages() {
        return messages;
    }

    /** Begins a send and returns the number of the message. */
    synchronized int begin() {
        int number = next++;
        Entry entry = new Entry();
        entry.underWay = true;
        entry.begunNanos = System.nanoTime();
        entry.doubts = disturbed ? 1 : 0;
        entries.put(number, entry);
        return number;
    }

    /** Records the end of a send call. */
    synchronized void end(int number, boolean success) {
        Entry entry = entry(number);
        entry.underWay = false;
        entry.expected = success;
        if (System.nanoTime() - entry.begunNanos > SLOW_NANOS) {
            entry.doubts++;
        }
        if (success) {
            succeeded++;
        }
    }

    /** Records that a server is being killed. Until {@link #calm}, messages in transit may or may not be stored. */
    synchronized void disturb() {
        disturbed = true;
        entries.values().stream().filter(entry -> entry.underWay).forEach(entry -> entry.doubts++);
    }

    /** Records that a server is being killed while a syphon carries all messages that have not arrived yet. */
    synchronized void disturbSyphon() {
        disturb();
        entries.values().stream().filter(entry -> entry.arrived == 0).forEach(entry -> entry.doubts++);
    }

    synchronized void calm() {
        disturbed = false;
    }

    synchronized int succeeded() {
        return succeeded;
    }

    /** Returns the number of copies in addition to the messages. */
    synchronized int copies() {
        return copies;
    }

    /** Records an arrived message. */
    synchronized void arrived(ServiceBusReceivedMessage message) {
        int number = PairedMessages.number(message);
        Entry entry = entry(number);
        entry.arrived++;
        if (entry.arrived > 1) {
            copies++;
            if (detectsDuplicates || entry.arrived > 1 + entry.doubts) {
                complain("Message " + message.getMessageId() + " arrived " + entry.arrived
                        + " times, but was in transit during only " + entry.doubts + " kills or slow calls.");
            }
        }
        messages.differences(message)
                .forEach(text -> complain("Message " + message.getMessageId() + ": " + text + "."));
    }

    /** Returns the violations, after all messages must have arrived. */
    @Override
    public synchronized List<String> complaints() {
        List<String> all = new ArrayList<>(super.complaints());
        entries.forEach((number, entry) -> {
            if (entry.expected && entry.arrived == 0) {
                all.add("Message " + number + " was sent with success, but has not arrived.");
            }
        });
        return all;
    }

    private Entry entry(int number) {
        return entries.get(number);
    }

    private static final class Entry {
        long begunNanos;
        boolean underWay;
        boolean expected;
        int doubts;
        int arrived;
    }
}
