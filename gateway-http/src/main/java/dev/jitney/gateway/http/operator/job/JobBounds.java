package dev.jitney.gateway.http.operator.job;

import dev.jitney.core.Reply;
import io.vertx.core.json.JsonObject;
import java.util.TreeMap;

/**
 * The messages of a job: those that were there when it counted. Later messages have higher sequence numbers in their partition, and
 * among them are the messages that the job itself sends. For one thread.
 */
final class JobBounds {
    /** The bits of a sequence number behind those of the partition (PART-12). */
    private static final int COUNT_BITS = 48;

    /** The largest sequence number by partition. */
    private final TreeMap<Long, Long> last = new TreeMap<>();

    static JobBounds of(JsonObject row) {
        JobBounds bounds = new JobBounds();
        row.forEach(partition ->
                bounds.last.put(Long.valueOf(partition.getKey()), Long.valueOf(String.valueOf(partition.getValue()))));
        return bounds;
    }

    JsonObject toRow() {
        JsonObject row = new JsonObject();
        last.forEach((partition, number) -> row.put(Long.toString(partition), Long.toString(number)));
        return row;
    }

    private static long partition(long number) {
        return number >>> COUNT_BITS;
    }

    /** Adds a message that is there. */
    void include(long number) {
        last.merge(partition(number), number, Math::max);
    }

    boolean contains(long number) {
        return number <= last.getOrDefault(partition(number), -1L);
    }

    /** Returns the first number, from a number on, that may belong to a message of the job; or {@link Reply.Found#END}. */
    long within(long number) {
        if (number == Reply.Found.END || contains(number)) {
            return number;
        }
        Long next = last.higherKey(partition(number));
        return next == null ? Reply.Found.END : next << COUNT_BITS;
    }

    /** Returns the first number, from a number on, that belongs to no message of the job; or {@link Reply.Found#END}. */
    long after(long number) {
        return number == Reply.Found.END || !contains(number)
                ? number
                : last.getOrDefault(partition(number), number) + 1;
    }
}
