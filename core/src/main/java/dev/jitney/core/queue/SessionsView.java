package dev.jitney.core.queue;

import dev.jitney.core.RowWriter.SessionHeadRow;
import dev.jitney.core.RowWriter.SessionRow;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a fragment in the view of decisions. No method changes a session. A read may change the cache of
 * sessions in memory, but no result depends on the cache.
 */
public interface SessionsView {

    /** Returns the hold on a session, or null. */
    @Nullable
    HeldSessionView held(String sessionId);

    /** Returns a session with all its changes so far, or null if it does not exist (SESS-18). */
    @Nullable
    SessionRow row(String sessionId);

    /** Returns the hold of a receiver, or null. */
    @Nullable
    HeldSessionView heldBy(long receiverId);

    /** Returns the receivers that wait for a session, the first one first. Do not change the collection. */
    Collection<WaitingReceiver> waiting();

    /** Returns available sessions in memory, in the order in which they are granted. */
    List<SessionHeadRow> ready(int count);

    /** Returns whether the store has more available sessions than memory. */
    boolean hasReadyInStore();

    /** Returns the sessions whose lock has ended, earliest first. */
    List<? extends HeldSessionView> endedLocks(long nowMs, int countMax);

    /** Returns the receivers whose wait has timed out. */
    List<WaitingReceiver> timedOut(long nowMs, int countMax);
}
