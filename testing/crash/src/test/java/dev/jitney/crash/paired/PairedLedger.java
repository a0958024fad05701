package dev.jitney.crash.paired;

import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import dev.jitney.crash.support.CrashLedger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What senders of one entity may expect: a message sent with success arrives as it was sent, and once. Of those that were
 * on their way when a server was killed nobody can know whether they had been stored: each time they may be there once
 * more, for a sender sends again and a syphon carries again what had no answer. Thread-safe.
 */
final class PairedLedger extends CrashLedger {
    /** A call that takes so long may have been tried twice. */
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

    /** The number of the next message, which is about to be sent. */
    synchronized int begin() {
        int number = next++;
        Entry entry = new Entry();
        entry.underWay = true;
        entry.begunNanos = System.nanoTime();
        entry.doubts = disturbed ? 1 : 0;
        entries.put(number, entry);
        return number;
    }

    /** The call has ended. */
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

    /** A server is being killed: what is on its way until {@link #calm} may be stored, or not. */
    synchronized void disturb() {
        disturbed = true;
        entries.values().stream().filter(entry -> entry.underWay).forEach(entry -> entry.doubts++);
    }

    /** Also what has not arrived yet is on its way: a syphon carries it. */
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

    /** More copies than messages. */
    synchronized int copies() {
        return copies;
    }

    /** Takes down what has arrived. */
    synchronized void arrived(ServiceBusReceivedMessage message) {
        int number = PairedMessages.number(message);
        Entry entry = entry(number);
        entry.arrived++;
        if (entry.arrived > 1) {
            copies++;
            if (detectsDuplicates || entry.arrived > 1 + entry.doubts) {
                complain(message.getMessageId() + " has arrived " + entry.arrived + " times, and it was left in doubt "
                        + entry.doubts + " times whether it had");
            }
        }
        messages.differences(message).forEach(text -> complain(message.getMessageId() + ": " + text));
    }

    /** What is wrong once everything has arrived that will. */
    @Override
    public synchronized List<String> complaints() {
        List<String> all = new ArrayList<>(super.complaints());
        entries.forEach((number, entry) -> {
            if (entry.expected && entry.arrived == 0) {
                all.add("Message " + number + " was sent with success, and has not arrived");
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
