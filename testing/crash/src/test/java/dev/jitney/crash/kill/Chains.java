package dev.jitney.crash.kill;

import dev.jitney.crash.support.CrashLedger;
import dev.jitney.testing.client.ReceivedMessage;
import java.util.List;

/**
 * A number of chains. A chain is one message with a number in the queue IN. Each transaction removes the message, sends
 * the next number to IN, and sends a note with that number to other queues. Thread-safe.
 */
public final class Chains extends CrashLedger {
    private final long[] attempted;
    private final long[] committed;

    /** The numbers at the last comparison. All notes up to them were removed. */
    private final long[] compared;

    private long commits;
    private long rollbacks;

    public Chains(int count) {
        attempted = new long[count];
        committed = new long[count];
        compared = new long[count];
    }

    public static String message(int chain, long number) {
        return chain + ":" + number;
    }

    public static int chainOf(ReceivedMessage message) {
        return chainOf(String.valueOf(message.messageId()));
    }

    public static long numberOf(ReceivedMessage message) {
        return numberOf(String.valueOf(message.messageId()));
    }

    public static int chainOf(String messageId) {
        return Integer.parseInt(messageId.split(":")[0]);
    }

    public static long numberOf(String messageId) {
        return Long.parseLong(messageId.split(":")[1]);
    }

    public int count() {
        return attempted.length;
    }

    public synchronized void attempted(int chain, long number) {
        attempted[chain] = Math.max(attempted[chain], number);
    }

    /** Records that the broker has confirmed a commit. */
    public synchronized void committed(int chain, long number) {
        commits++;
        committed[chain] = Math.max(committed[chain], number);
    }

    public synchronized void rolledBack() {
        rollbacks++;
    }

    public synchronized long commits() {
        return commits;
    }

    public synchronized long rollbacks() {
        return rollbacks;
    }

    synchronized long transactions() {
        long sum = 0;
        for (long number : compared) {
            sum += number;
        }
        return sum;
    }

    /** Compares the messages in IN. Returns the current number of each chain. */
    public synchronized long[] compare(List<ReceivedMessage> in) {
        long[] found = new long[count()];
        int[] seen = new int[count()];
        for (ReceivedMessage message : in) {
            found[chainOf(message)] = numberOf(message);
            seen[chainOf(message)]++;
        }
        for (int chain = 0; chain < count(); chain++) {
            if (seen[chain] != 1) {
                complain("Chain " + chain + " has " + seen[chain] + " messages.");
            }
            if (found[chain] < committed[chain] || found[chain] > attempted[chain]) {
                complain(
                        "Chain " + chain + " is at " + found[chain] + ", but must be between the last committed number "
                                + committed[chain] + " and the last attempted number " + attempted[chain] + ".");
            }
        }
        return found;
    }

    /** Returns the number of notes that each queue must contain. */
    public synchronized int expectedNotes(long[] found) {
        long sum = 0;
        for (int chain = 0; chain < count(); chain++) {
            sum += found[chain] - compared[chain];
        }
        return (int) sum;
    }

    /** Checks that the notes of one queue contain each number once, in order. */
    public synchronized void compareNotes(String queue, long[] found, List<ReceivedMessage> notes) {
        long[] last = compared.clone();
        for (ReceivedMessage note : notes) {
            int chain = chainOf(note);
            if (numberOf(note) != last[chain] + 1) {
                complain(queue + ": chain " + chain + " has note " + numberOf(note) + " after " + last[chain] + ".");
            }
            last[chain] = numberOf(note);
        }
        for (int chain = 0; chain < count(); chain++) {
            if (last[chain] != found[chain]) {
                complain(queue + ": chain " + chain + " has notes up to " + last[chain] + ", but is at " + found[chain]
                        + ".");
            }
        }
    }

    /** Records that the notes were removed. */
    public synchronized void taken(long[] found) {
        System.arraycopy(found, 0, compared, 0, found.length);
        System.arraycopy(found, 0, committed, 0, found.length);
        System.arraycopy(found, 0, attempted, 0, found.length);
    }
}
