package dev.jitney.simulation.cluster;

import dev.jitney.simulation.disk.Write;
import java.util.List;

/** A listener for the events of a simulated cluster. */
public interface ClusterWatcher {

    /** Called when a batch is agreed on and takes effect: once for each batch, in the order of the log. */
    void durable(int store, List<Write> writes);

    /** Called when an entry of a leader is in its log. Requests made from now on are not in it. */
    void written(Leadership by, int store);

    /** Called when a fault occurs that a broker is about to notice. */
    void fault(Leadership of);

    /** Called when a broker has opened a store again after a fault or a stop. */
    void opened(Leadership by, int store);

    /** Called when a commit takes long. Other events may happen during the call. */
    void stalls(Leadership by, int store);
}
