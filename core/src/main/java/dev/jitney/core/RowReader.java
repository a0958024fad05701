package dev.jitney.core;

import dev.jitney.core.RowWriter.ExpiryBlockRow;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.RowWriter.SessionHeadRow;
import dev.jitney.core.RowWriter.SessionRow;
import dev.jitney.core.RowWriter.TimerRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of applied rows, committed or not, which does not commit. Data from it must not leave the shard before the commit of
 * the turn. Called by the shard's thread.
 */
public interface RowReader {

    @Nullable
    MessageRow message(FragmentId fragment, Lane lane, long sequenceNumber);

    /**
     * Returns the row of an existing message, without its changes. Cheap especially for committed messages, because a
     * message row never changes.
     */
    StoredMessage stored(FragmentId fragment, Lane lane, long sequenceNumber);

    /**
     * Returns the number of removed copies of a shared body, as of the last commit or later. The caller knows the changes
     * since.
     */
    int bodyReleases(FragmentId topic, long number);

    /** Returns an id of a generation, or null, as of the last commit or later, like {@link #bodyReleases}. */
    @Nullable
    AcceptedId acceptedId(FragmentId fragment, long generationMs, DuplicateKey key);

    /** Returns the generations that contain accepted ids, oldest first. */
    List<Long> acceptedIdGenerations(FragmentId fragment);

    /** Returns ids of a generation, in any order, as of the last commit. */
    List<DuplicateKey> acceptedIds(FragmentId fragment, long generationMs, int countMax);

    /** Visits messages in ascending order from a number (inclusive) to another (exclusive). */
    void scan(FragmentId fragment, Lane lane, long from, long to, Visitor visitor);

    /** Returns the timers at or after ({@code dueMs}, {@code sequenceNumber}), in the order of time and number. */
    List<TimerRow> timers(FragmentId fragment, long dueMs, long sequenceNumber, int countMax);

    /** Returns all rows of the expiry index, ascending. */
    List<ExpiryBlockRow> expiryBlocks(FragmentId fragment);

    /** Returns the stored row of a session, or null. Only the caller may know the changes since. */
    @Nullable
    SessionRow session(FragmentId fragment, String sessionId);

    /**
     * Returns the numbers of the messages of a session in the main lane, including deferred ones, ascending from a number
     * (inclusive).
     */
    List<Long> sessionMessages(FragmentId fragment, String sessionId, long from, int countMax);

    /** Returns sessions with active messages in the order of their heads and ids, from such a pair (inclusive). */
    List<SessionHeadRow> sessionHeads(FragmentId fragment, SessionHeadRow from, int countMax);

    /** Visits sessions in the order of their ids, starting after an id, or with the first session if null. */
    void scanSessions(FragmentId fragment, @Nullable String afterSessionId, SessionVisitor visitor);

    /** Returns the state of a session, or null. */
    byte @Nullable [] sessionState(FragmentId fragment, String sessionId);

    /** A visitor of sessions, one after the other. */
    @FunctionalInterface
    interface SessionVisitor {

        /** Visits a session and returns whether to continue. */
        boolean visit(String sessionId, SessionRow row);
    }

    /** A visitor of messages, one after the other. */
    @FunctionalInterface
    interface Visitor {

        /** Visits a message and returns whether to continue. */
        boolean visit(MessageRow row);
    }
}
