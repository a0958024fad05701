package dev.jitney.core;

import dev.jitney.core.RowWriter.ExpiryBlockRow;
import dev.jitney.core.RowWriter.MessageRow;
import dev.jitney.core.RowWriter.SessionHeadRow;
import dev.jitney.core.RowWriter.SessionRow;
import dev.jitney.core.RowWriter.TimerRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads back what was applied, whether it is committed or not; nothing is committed for that. What is found may not leave before
 * the commit of the turn. Called by the shard's thread.
 */
public interface RowReader {

    @Nullable
    MessageRow message(FragmentId fragment, Lane lane, long sequenceNumber);

    /**
     * The row of a message that is known to exist, without its changes; cheap above all once the message is committed, because a
     * message row never changes.
     */
    StoredMessage stored(FragmentId fragment, Lane lane, long sequenceNumber);

    /**
     * How many copies of a shared body are gone, as of the last commit or later: what was applied since is known to who asks.
     */
    int bodyReleases(FragmentId topic, long number);

    /** An id of a generation, as of the last commit, or null; as {@link #bodyReleases}. */
    @Nullable
    AcceptedId acceptedId(FragmentId fragment, long generationMs, DuplicateKey key);

    /** The generations of accepted ids that have any, oldest first. */
    List<Long> acceptedIdGenerations(FragmentId fragment);

    /** Ids of a generation, in any order, as of the last commit. */
    List<DuplicateKey> acceptedIds(FragmentId fragment, long generationMs, int countMax);

    /** Visits messages in ascending order from a number (inclusive) to another (exclusive). */
    void scan(FragmentId fragment, Lane lane, long from, long to, Visitor visitor);

    /** Timers after ({@code dueMs}, {@code sequenceNumber}), or at it, in order of time and number. */
    List<TimerRow> timers(FragmentId fragment, long dueMs, long sequenceNumber, int countMax);

    /** All rows of the expiry index, ascending. */
    List<ExpiryBlockRow> expiryBlocks(FragmentId fragment);

    /**
     * What rows tell of a session, or null; what has changed about it since may be known only to who asks.
     */
    @Nullable
    SessionRow session(FragmentId fragment, String sessionId);

    /** Numbers of the messages of a session in the main lane, deferred ones too, ascending from a number (inclusive). */
    List<Long> sessionMessages(FragmentId fragment, String sessionId, long from, int countMax);

    /** Sessions with active messages in the order of their heads and ids, from such a pair (inclusive). */
    List<SessionHeadRow> sessionHeads(FragmentId fragment, SessionHeadRow from, int countMax);

    /** Visits sessions in the order of their ids, beginning after one, or with the first if null. */
    void scanSessions(FragmentId fragment, @Nullable String afterSessionId, SessionVisitor visitor);

    /** What is kept with a session, or null. */
    byte @Nullable [] sessionState(FragmentId fragment, String sessionId);

    /** Sees one session after the other. */
    @FunctionalInterface
    interface SessionVisitor {

        /** Returns whether the walk goes on. */
        boolean visit(String sessionId, SessionRow row);
    }

    /** Sees one message after the other. */
    @FunctionalInterface
    interface Visitor {

        /** Returns whether the walk goes on. */
        boolean visit(MessageRow row);
    }
}
