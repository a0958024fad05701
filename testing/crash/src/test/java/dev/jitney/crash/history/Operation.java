package dev.jitney.crash.history;

import java.util.List;

/**
 * An operation of a client on a queue. Times are those of {@link System#nanoTime} in one process.
 *
 * @param number its number in the history
 * @param client the client, for reports
 * @param subject the message of a send, the number of the {@link Kind#LOCK} of a settlement, otherwise {@link #NONE}
 * @param invokedNanos a time before the request left the client
 * @param returnedNanos a time after the reply arrived. If the outcome is unknown, a time after the client lost its connection, or
 *     {@link #NEVER}
 * @param seen the messages in the reply of a receive or of a peek, in order
 * @param whole whether a peek has shown the queue to its end
 */
record Operation(
        int number,
        Kind kind,
        int client,
        int subject,
        long invokedNanos,
        long returnedNanos,
        Outcome outcome,
        List<Seen> seen,
        boolean whole) {
    static final int NONE = -1;
    static final long NEVER = Long.MAX_VALUE;

    /** The kind of operation. */
    enum Kind {
        /** Stores a message. */
        SEND,
        /** Receives and deletes a message. */
        TAKE,
        /** Receives a message under a lock. */
        LOCK,
        /** Removes a locked message. */
        COMPLETE,
        /** Ends the lock of a message, which stays. */
        ABANDON,
        /** Shows the first messages of the queue, including locked ones. */
        PEEK
    }

    /** The knowledge of the client about an operation. */
    enum Outcome {
        DONE,
        /** The broker has refused it, so that it has no effect. */
        REFUSED,
        /** It may have happened, or may happen later, or may never happen (CL-2). */
        UNKNOWN
    }

    /** A message in a reply. */
    record Seen(int message, long sequenceNumber, long enqueuedMs) {}

    /** Returns the message in the reply of a receive, or {@link #NONE} if there was no reply. */
    int received() {
        return seen.isEmpty() ? NONE : seen.get(0).message;
    }

    /** Returns whether this operation receives a message in either mode. */
    boolean isReceive() {
        return kind == Kind.TAKE || kind == Kind.LOCK;
    }

    /** Returns one line for a report, with times in milliseconds since a start. */
    String text(long startNanos) {
        String end = returnedNanos == NEVER ? "..." : String.valueOf((returnedNanos - startNanos) / 1_000_000);
        String about = isReceive()
                ? received()
                        + seen.stream()
                                .map(one -> " #" + one.sequenceNumber)
                                .findFirst()
                                .orElse("")
                : String.valueOf(subject);
        return "%d-%s client %d %s %s %s"
                .formatted(
                        (invokedNanos - startNanos) / 1_000_000,
                        end,
                        client,
                        kind,
                        kind == Kind.PEEK ? seen.size() + " messages" : about,
                        outcome);
    }
}
