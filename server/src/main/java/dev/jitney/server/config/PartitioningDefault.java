package dev.jitney.server.config;

/** The partitioning of queues and topics whose descriptions do not specify it (PART-5). */
public enum PartitioningDefault {
    OFF,
    ON
}
