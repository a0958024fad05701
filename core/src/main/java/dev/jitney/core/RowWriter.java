package dev.jitney.core;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.MessageContent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A writer of rows into the next batch that the shard commits. Called by the shard's thread. */
public interface RowWriter {

    /** Writes a message row; its key was never written before. */
    void putMessage(FragmentId fragment, Lane lane, StoredMessage message);

    /** Removes a message row that exists. */
    void deleteMessage(FragmentId fragment, Lane lane, long sequenceNumber);

    void putChange(FragmentId fragment, Lane lane, long sequenceNumber, MessageChange change);

    void deleteChange(FragmentId fragment, Lane lane, long sequenceNumber);

    void putTimer(FragmentId fragment, long dueMs, long sequenceNumber);

    /** Removes a timer row that exists. */
    void deleteTimer(FragmentId fragment, long dueMs, long sequenceNumber);

    void putExpiryBlock(FragmentId fragment, long block, long earliestExpiryMs);

    void deleteExpiryBlock(FragmentId fragment, long block);

    /** Writes the body that copies share; its key was never written before. */
    void putBody(FragmentId topic, long number, MessageContent content);

    /** Removes a shared body that exists. */
    void deleteBody(FragmentId topic, long number);

    /** Writes the number of removed copies of a shared body. */
    void putBodyReleases(FragmentId topic, long number, int count);

    void deleteBodyReleases(FragmentId topic, long number);

    void putSession(FragmentId fragment, String sessionId, SessionRow row);

    void deleteSession(FragmentId fragment, String sessionId);

    void putSessionHead(FragmentId fragment, SessionHeadRow head);

    void deleteSessionHead(FragmentId fragment, SessionHeadRow head);

    /** Adds a message to its session; its key was never written before. */
    void putSessionMessage(FragmentId fragment, String sessionId, long sequenceNumber);

    /** Removes a message from its session, which contains it. */
    void deleteSessionMessage(FragmentId fragment, String sessionId, long sequenceNumber);

    void putSessionState(FragmentId fragment, String sessionId, byte[] state);

    void deleteSessionState(FragmentId fragment, String sessionId);

    /** Writes a transfer into the outbox of its source; its key was never written before. */
    void putTransfer(FragmentId source, Transfer transfer);

    /** Removes a transfer that exists. */
    void deleteTransfer(FragmentId source, long destinationId, long number);

    void putAcceptedId(FragmentId fragment, AcceptedId id);

    void deleteAcceptedId(FragmentId fragment, long generationMs, DuplicateKey key);

    /** Removes all ids of a generation. */
    void deleteAcceptedIds(FragmentId fragment, long generationMs);

    void putFragment(FragmentId fragment, FragmentRow row);

    void putEntity(EntityRow row);

    /** Removes an entity with all its rows in every table. */
    void deleteEntity(long entityId);

    /**
     * The durable totals of a fragment.
     *
     * @param lastSequenceNumber the largest assigned number
     * @param mainHead no available or locked message of the main lane has a smaller number
     * @param deadLetterHead the same for the dead-letter lane
     * @param active messages in the main lane (CNT-3)
     * @param accessedAtMs last activity (IDLE-14), milliseconds since the epoch
     */
    record FragmentRow(
            long lastSequenceNumber,
            long mainHead,
            long deadLetterHead,
            long active,
            long deferred,
            long scheduled,
            long deadLetter,
            long transferDeadLetter,
            long sizeBytes,
            long accessedAtMs) {

        public static final FragmentRow EMPTY = new FragmentRow(0, 1, 1, 0, 0, 0, 0, 0, 0, 0);
    }

    /**
     * An entity's description and the facts that the broker keeps about it.
     *
     * @param namespace the name of its namespace
     */
    record EntityRow(
            long entityId, String namespace, EntityDescription description, long createdAtMs, long updatedAtMs) {}

    /**
     * The facts about a session; the row exists while the session has messages or state (SESS-18).
     *
     * @param head no active message of the session has a smaller number; {@link Long#MAX_VALUE} if it has none
     * @param place its place after the waiting sessions, set when it was last released, or 0 (SESS-5)
     * @param active its messages in the main lane that are not deferred
     * @param messages its messages in the main lane
     * @param stateSizeBytes size of its state, -1 for none
     * @param stateChangedAtMs time of the last change of its state, milliseconds since the epoch, or 0
     */
    record SessionRow(long head, long place, long active, long messages, int stateSizeBytes, long stateChangedAtMs) {}

    /**
     * A session with its place among the waiting sessions.
     *
     * @param place the number of its first active message or less, or a larger number that puts it behind others (SESS-5)
     */
    record SessionHeadRow(long place, String sessionId) implements Comparable<SessionHeadRow> {

        @Override
        public int compareTo(SessionHeadRow other) {
            int byPlace = Long.compare(place, other.place);
            // By code points, which is the order of UTF-8 in a store.
            return byPlace != 0
                    ? byPlace
                    : Arrays.compare(
                            sessionId.codePoints().toArray(),
                            other.sessionId.codePoints().toArray());
        }
    }

    /** A timer row. */
    record TimerRow(long dueMs, long sequenceNumber) {}

    /** A row of the expiry index. */
    record ExpiryBlockRow(long block, long earliestExpiryMs) {}

    /** A message with its changes. */
    record MessageRow(StoredMessage message, @Nullable MessageChange change) {

        public int deliveryCount() {
            return change == null ? message.deliveryCount() : change.deliveryCount();
        }

        public boolean deferred() {
            return change != null && change.deferred();
        }
    }
}
