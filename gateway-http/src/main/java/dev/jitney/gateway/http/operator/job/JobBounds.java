package dev.jitney.gateway.http.operator.job;

import dev.jitney.core.Reply;
import io.vertx.core.json.JsonObject;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a job: those that it has counted. Messages that are sent later have higher sequence numbers in their partition, and
 * among them are the messages that the job itself sends. A dead letter that arrives later, and a message whose lock ends later, may have a
 * lower one, so the counted numbers are kept as long as they fit. For one thread.
 */
final class JobBounds {
    /** The bits of a sequence number behind those of the partition (PART-12). */
    private static final int COUNT_BITS = 48;

    /** The largest sequence number by partition. */
    private final TreeMap<Long, Long> last = new TreeMap<>();

    /** The counted numbers, or null if they are not known here. */
    private @Nullable CountedNumbers numbers;

    /** Returns the bounds of a job that begins to count. */
    static JobBounds ofCount() {
        JobBounds bounds = new JobBounds();
        bounds.numbers = new CountedNumbers();
        return bounds;
    }

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
        if (numbers != null) {
            numbers.add(number);
        }
    }

    /** Ends the count. Returns the counted numbers, or null if there are too many. */
    @Nullable
    CountedNumbers seal() {
        if (numbers != null && !numbers.seal()) {
            numbers = null;
        }
        return numbers;
    }

    /** Sets the counted numbers, or null to drop them from memory. */
    void setNumbers(@Nullable CountedNumbers counted) {
        numbers = counted;
    }

    /** Returns whether {@link #contains} is true for counted messages only. */
    boolean isExact() {
        return numbers != null;
    }

    /** Returns whether a message was counted, or might have been if the counted numbers are not known. */
    boolean contains(long number) {
        return covers(number) && (numbers == null || numbers.contains(number));
    }

    /** Returns whether a number is not above the largest counted number of its partition. */
    boolean covers(long number) {
        return number <= last.getOrDefault(partition(number), -1L);
    }

    /** Returns the first number, from a number on, that may belong to a message of the job; or {@link Reply.Found#END}. */
    long within(long number) {
        if (number == Reply.Found.END || covers(number)) {
            return number;
        }
        Long next = last.higherKey(partition(number));
        return next == null ? Reply.Found.END : next << COUNT_BITS;
    }

    /** Returns the first number, from a number on, that is above the counted ones; or {@link Reply.Found#END}. */
    long after(long number) {
        return number == Reply.Found.END || !covers(number) ? number : last.getOrDefault(partition(number), number) + 1;
    }
}
