package dev.jitney.server.cli;

/** Whether an entity whose description says nothing about it is partitioned (PART-5). */
enum PartitioningDefault {
    OFF,
    ON
}
