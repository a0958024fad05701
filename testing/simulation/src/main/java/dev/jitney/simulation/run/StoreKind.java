package dev.jitney.simulation.run;

/** The kind of store of a run. */
public enum StoreKind {
    /** One machine with a disk for each store. */
    SINGLE,
    /** Three nodes that agree on one log. */
    CLUSTER
}
