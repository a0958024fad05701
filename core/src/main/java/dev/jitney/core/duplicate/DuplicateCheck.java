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
 * Duplicate detection within one decision that takes messages in (DUP-2): to be asked about every message before it gets a
 * number, and told of those that got one. It knows what the decision itself has taken, so that two equal ids of one batch
 * or of one transaction are one message; and as its only trace are records of the decision, a refused decision leaves none
 * (DUP-8, DUP-12).
 */
public final class DuplicateCheck {

    private final DuplicatesView history;
    private final boolean required;
    private final boolean partitioned;
    private final long windowMs;
    private final Situation now;
    private final Map<DuplicateKey, Long> taken;

    /**
     * Begins a decision.
     *
     * @param required whether the entity detects duplicates; if not, no message is one
     * @param partitioned whether messages with different keys are different whatever their ids (DUP-6)
     * @param windowMs the window in force now (DUP-3)
     */
    public DuplicateCheck(DuplicatesView history, boolean required, boolean partitioned, long windowMs, Situation now) {
        this.history = history;
        this.required = required;
        this.partitioned = partitioned;
        this.taken = required ? new HashMap<>() : Map.of();
        this.windowMs = windowMs;
        this.now = now;
    }

    /** What the message is recognised by; null if it is not to be checked, for want of an id above all (DUP-7). */
    public @Nullable DuplicateKey keyOf(IncomingMessage message) {
        DuplicateKey id = required ? SentIds.of(message) : null;
        String key = message.sessionId() != null ? message.sessionId() : message.partitionKey();
        return id == null || !partitioned || key == null ? id : new DuplicateKey(id.type(), id.text() + '\0' + key);
    }

    /**
     * The number of the message that was first accepted with that id, or 0 if the message is to be stored. A message so
     * recognised is dropped, and its send succeeds (T-3).
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

    /** Has the id of a message remembered that got a number in this decision. */
    public void accept(@Nullable DuplicateKey key, long sequenceNumber, List<Record> records) {
        if (key != null) {
            taken.put(key, sequenceNumber);
            long generationMs = history.generationFor(now.nowMs(), windowMs);
            records.add(new Record.MessageIdAccepted(new AcceptedId(key, generationMs, now.nowMs(), sequenceNumber)));
        }
    }
}
