package dev.jitney.simulation.disk;

import java.util.List;

/** A listener for the events of a simulated disk. */
public interface DiskWatcher {

    /** Called when a batch has become durable: once for each batch, in order. */
    default void durable(List<Write> writes) {}

    /**
     * Called when a batch has been written. Requests made from now on are not in this batch, even if it becomes durable
     * later.
     */
    default void written() {}

    /** Called when a fault occurs that the broker is about to notice. */
    default void fault() {}

    /**
     * Called when the store was opened again after a failure, after {@link #durable} for each batch that is on the
     * disk.
     */
    default void opened() {}

    /** Called when a batch is written and its sync takes long. Other events may happen during the call. */
    default void stalls() {}
}
