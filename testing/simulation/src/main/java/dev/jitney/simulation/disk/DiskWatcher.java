package dev.jitney.simulation.disk;

import java.util.List;

/** Who has to know what happens on a disk. */
public interface DiskWatcher {

    /** A batch has become durable; each is told once, in order. */
    default void durable(List<Write> writes) {}

    /** A batch is written. What is asked for from now on has no part in it, whenever it becomes durable, if it does. */
    default void written() {}

    /** Something goes wrong that the broker is about to notice. */
    default void fault() {}

    /** The store was opened again after a failure, and everything that is on the disk was told. */
    default void opened() {}

    /** A batch is written but not synced, and that takes long: other things may happen now. */
    default void stalls() {}
}
