package dev.jitney.core.queue;

import dev.jitney.core.RowWriter.SessionHeadRow;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a fragment as decisions see them. Nothing here changes a session. A look may change which sessions memory
 * keeps in addition to those that are held, which is a cache: no answer depends on it.
 */
public interface SessionsView {

    /** The hold on a session, or null. */
    @Nullable
    HeldSessionView held(String sessionId);

    /** The hold of a receiver, or null. */
    @Nullable
    HeldSessionView heldBy(long receiverId);

    /** Receivers that wait for a session, the first first; not to be changed. */
    Collection<WaitingReceiver> waiting();

    /** Available sessions in memory, in the order in which they are given out. */
    List<SessionHeadRow> ready(int count);

    /** Whether more available sessions are in the store than in memory. */
    boolean hasReadyInStore();

    /** Sessions whose lock has ended, earliest first. */
    List<? extends HeldSessionView> endedLocks(long nowMs, int countMax);

    /** Receivers that have waited long enough. */
    List<WaitingReceiver> timedOut(long nowMs, int countMax);
}
