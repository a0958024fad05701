package dev.jitney.server.cli.cluster;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The counts of the demonstration's client. A message whose send had no answer is sent again, so it may be stored twice; an
 * acknowledged one must arrive at least once (CL-1), and a completed one must not return. Thread-safe.
 */
final class TryLedger {
    private static final int KINDS_MAX = 20;

    private final Deque<Integer> again = new ArrayDeque<>();
    private final Set<Integer> unanswered = new TreeSet<>();
    private final BitSet accepted = new BitSet();
    private final BitSet arrived = new BitSet();
    private final Set<Long> completed = new HashSet<>();
    private final Map<String, Integer> errors = new TreeMap<>();
    private int next;
    private long acceptedCount;
    private long arrivals;
    private long twice;
    private long returned;
    private long sentAgain;
    private long lastAcceptedNanos;
    private long longestPauseNanos;

    /** Returns the number of the next message to send: one without an answer, or a new one. */
    synchronized int take() {
        Integer old = again.poll();
        int number = old == null ? next++ : old;
        unanswered.add(number);
        return number;
    }

    /** Records an acknowledged send. */
    synchronized void accepted(int number, long nowNanos) {
        unanswered.remove(number);
        if (!accepted.get(number)) {
            accepted.set(number);
            acceptedCount++;
        }
        longestPauseNanos = Math.max(longestPauseNanos, nowNanos - lastAcceptedNanos);
        lastAcceptedNanos = nowNanos;
    }

    /** Records a refused send, which is sent again. */
    synchronized void refused(int number, String reason) {
        unanswered.remove(number);
        again.add(number);
        sentAgain++;
        failed(reason);
    }

    /** Records the end of a connection: all sends without an answer are sent again. */
    synchronized void disconnected(String reason) {
        again.addAll(unanswered);
        sentAgain += unanswered.size();
        unanswered.clear();
        failed(reason);
    }

    /** Records an error. */
    synchronized void failed(String reason) {
        if (errors.size() < KINDS_MAX || errors.containsKey(reason)) {
            errors.merge(reason, 1, Integer::sum);
        }
    }

    /** Records a delivery. */
    synchronized void arrived(int number, long sequenceNumber) {
        if (completed.contains(sequenceNumber)) {
            returned++;
            return;
        }
        arrivals++;
        if (arrived.get(number)) {
            twice++;
        }
        arrived.set(number);
    }

    /** Records a confirmed completion. */
    synchronized void completed(long sequenceNumber) {
        completed.add(sequenceNumber);
    }

    /** Begins to measure the longest time between two acknowledged sends. */
    synchronized void measure(long nowNanos) {
        lastAcceptedNanos = nowNanos;
        longestPauseNanos = 0;
    }

    /** Returns the longest time between two acknowledged sends since {@link #measure}, in nanoseconds. */
    synchronized long longestPauseNanos() {
        return longestPauseNanos;
    }

    /** Returns the time of the last acknowledged send. */
    synchronized long lastAcceptedNanos() {
        return lastAcceptedNanos;
    }

    /** Returns the number of acknowledged messages. */
    synchronized long accepted() {
        return acceptedCount;
    }

    /** Returns the number of deliveries, including those of messages that were stored twice. */
    synchronized long arrivals() {
        return arrivals;
    }

    /** Returns the number of acknowledged messages that have not arrived. */
    synchronized long missing() {
        BitSet missing = (BitSet) accepted.clone();
        missing.andNot(arrived);
        return missing.cardinality();
    }

    /** Returns the number of different messages that have arrived. */
    synchronized long arrived() {
        return arrived.cardinality();
    }

    /** Returns the number of deliveries of messages that had arrived before, but were not completed. */
    synchronized long twice() {
        return twice;
    }

    /** Returns the number of sends that were made again. */
    synchronized long sentAgain() {
        return sentAgain;
    }

    /** Returns the number of deliveries of completed messages, which must be 0. */
    synchronized long returned() {
        return returned;
    }

    /** Returns the errors with their counts. */
    synchronized Map<String, Integer> errors() {
        return new TreeMap<>(errors);
    }
}
