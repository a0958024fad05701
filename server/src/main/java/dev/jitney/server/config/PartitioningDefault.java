package dev.jitney.server.config;

/** Whether a queue or topic is partitioned whose description says nothing about it (PART-5). */
public enum PartitioningDefault {
    OFF,
    ON
}
