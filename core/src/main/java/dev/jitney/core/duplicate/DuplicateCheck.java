package dev.jitney.core.duplicate;

import dev.jitney.core.AcceptedId;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.Record;
import dev.jitney.core.Situation;
import dev.jitney.model.IncomingMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The duplicate detection of one decision that accepts messages (DUP-2). The decision checks every message before
 * assigning a number, and then registers each message that gets one. The check includes messages of the same decision, so
 * that two equal ids in one batch or transaction are duplicates. It changes state only through records of the decision,
 * so that a refused decision leaves no trace (DUP-8, DUP-12).
 */
public final class DuplicateCheck {

    private final DuplicatesView history;
    private final boolean required;
    private final boolean partitioned;
    private final long windowMs;
    private final Situation now;
    private final Map<DuplicateKey, Long> taken;

    /**
     * Starts a decision.
     *
     * @param required whether the entity detects duplicates; if not, no message is a duplicate
     * @param partitioned whether messages with different keys are never duplicates (DUP-6)
     * @param windowMs the current window (DUP-3)
     */
    public DuplicateCheck(DuplicatesView history, boolean required, boolean partitioned, long windowMs, Situation now) {
        this.history = history;
        this.required = required;
        this.partitioned = partitioned;
        this.taken = required ? new HashMap<>() : Map.of();
        this.windowMs = windowMs;
        this.now = now;
    }

    /**
     * Returns the key of a message for duplicate detection. Returns null if the message is not checked, for example
     * because it has no id (DUP-7).
     */
    public @Nullable DuplicateKey keyOf(IncomingMessage message) {
        DuplicateKey id = required ? SentIds.of(message) : null;
        String key = message.sessionId() != null ? message.sessionId() : message.partitionKey();
        return id == null || !partitioned || key == null ? id : new DuplicateKey(id.type(), id.text() + '\0' + key);
    }

    /**
     * Returns the number of the first accepted message with that key, or 0 if the message must be stored. A duplicate is
     * dropped, and its send succeeds (T-3).
     */
    public long firstAccepted(@Nullable DuplicateKey key) {
        if (key == null) {
            return 0;
        }
        Long number = taken.get(key);
        if (number != null) {
            return number;
        }
        AcceptedId first = history.find(key, now.nowMs(), windowMs, now.rows());
        return first == null ? 0 : first.sequenceNumber();
    }

    /** Adds a record for the key of a message that got a number in this decision. */
    public void accept(@Nullable DuplicateKey key, long sequenceNumber, List<Record> records) {
        if (key != null) {
            taken.put(key, sequenceNumber);
            long generationMs = history.generationFor(now.nowMs(), windowMs);
            records.add(new Record.MessageIdAccepted(new AcceptedId(key, generationMs, now.nowMs(), sequenceNumber)));
        }
    }
}
