package dev.jitney.server.metrics;

import dev.jitney.runtime.ShardFigures;
import dev.jitney.runtime.store.DiskFigures;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;

/** The metrics of shards and their messaging stores. */
final class ShardGroup {
    private static final Family COMMIT_DURATION =
            Family.histogram("jitney_store_commit_duration_seconds", "Seconds until commits were durable.");
    private static final Family COMMIT_ROWS =
            Family.histogram("jitney_store_commit_rows", "Rows written or deleted per commit.");
    private static final Family COMMIT_SIZE =
            Family.histogram("jitney_store_commit_size_bytes", "Bytes written per commit.");
    private static final Family COMMIT_EFFECTS = Family.histogram(
            "jitney_store_commit_effects",
            "Replies and deliveries per commit. Higher numbers mean that more operations share a commit.");
    private static final Family SERVING =
            Family.gauge("jitney_store_serving", "1 while the store works, 0 while it refuses all operations.");
    private static final Family ACCEPTS_GROWTH =
            Family.gauge("jitney_store_accepts_growth", "1 while the disk has room, 0 while sends are refused.");
    private static final Family DISK_FREE = Family.gauge(
            "jitney_store_disk_free_bytes",
            "Free space of the store's file system. Absent while the store is unavailable.");
    private static final Family SIZE = Family.gauge(
            "jitney_store_size_bytes", "Size of the store's table files. Absent while the store is unavailable.");
    private static final Family LOG_SIZE = Family.gauge(
            "jitney_store_log_size_bytes", "Size of the store's log files. Absent while the store is unavailable.");
    private static final Family UNTIL_REFUSED = Family.gauge(
            "jitney_store_until_refused_bytes",
            "Bytes left before sends are refused because the disk is full, or 0. Absent while the store is unavailable.");
    private static final Family FAILURES =
            Family.counter("jitney_store_failures", "Store failures after which the shard reloaded its state.");
    private static final Family DAMAGED_ENTITIES = Family.gauge(
            "jitney_store_damaged_entities",
            "Queues, topics and partitions of them that are out of service because one of their rows is corrupt.");
    private static final Family MAILBOX_COMMANDS =
            Family.gauge("jitney_shard_mailbox_commands", "Commands waiting in the mailbox of the shard.");
    private static final Family MAILBOX_BYTES =
            Family.gauge("jitney_shard_mailbox_bytes", "Bytes of messages in the waiting commands.");
    private static final Family REFUSED_SENDS = Family.counter(
            "jitney_shard_refused_sends", "Sends refused because too many commands or bytes were waiting.");
    private static final Family CACHED_BYTES =
            Family.gauge("jitney_shard_cached_bytes", "Bytes of message content in memory.");
    private static final Family TRACKED_MESSAGES = Family.gauge(
            "jitney_shard_tracked_messages", "Available messages indexed in memory. The others are only in the store.");

    static final List<Family> FAMILIES = List.of(
            COMMIT_DURATION,
            COMMIT_ROWS,
            COMMIT_SIZE,
            COMMIT_EFFECTS,
            SERVING,
            ACCEPTS_GROWTH,
            DISK_FREE,
            SIZE,
            LOG_SIZE,
            UNTIL_REFUSED,
            FAILURES,
            DAMAGED_ENTITIES,
            MAILBOX_COMMANDS,
            MAILBOX_BYTES,
            REFUSED_SENDS,
            CACHED_BYTES,
            TRACKED_MESSAGES);

    private ShardGroup() {}

    static void collect(List<ShardFigures> shards, Samples samples) {
        for (ShardFigures shard : shards) {
            Labels labels = Labels.of("shard", Integer.toString(shard.index()));
            add(samples, COMMIT_DURATION, labels, shard.commitSeconds());
            add(samples, COMMIT_ROWS, labels, shard.commitRows());
            add(samples, COMMIT_SIZE, labels, shard.commitBytes());
            add(samples, COMMIT_EFFECTS, labels, shard.commitEffects());
            samples.add(SERVING, labels, shard.serving() ? 1 : 0);
            samples.add(ACCEPTS_GROWTH, labels, shard.acceptsGrowth() ? 1 : 0);
            DiskFigures disk = shard.disk();
            if (disk != null) {
                samples.add(DISK_FREE, labels, disk.freeBytes());
                samples.add(SIZE, labels, disk.tableBytes());
                samples.add(LOG_SIZE, labels, disk.logBytes());
                samples.add(UNTIL_REFUSED, labels, disk.untilRefusedBytes());
            }
            samples.add(FAILURES, labels, shard.failures());
            samples.add(DAMAGED_ENTITIES, labels, shard.damagedEntities());
            samples.add(MAILBOX_COMMANDS, labels, shard.mailboxCommands());
            samples.add(MAILBOX_BYTES, labels, shard.mailboxBytes());
            samples.add(REFUSED_SENDS, labels, shard.refusedSends());
            samples.add(CACHED_BYTES, labels, shard.cachedBytes());
            samples.add(TRACKED_MESSAGES, labels, shard.trackedMessages());
        }
    }

    private static void add(Samples samples, Family family, Labels labels, ShardFigures.Histogram histogram) {
        samples.add(family, labels, histogram.upperBounds(), histogram.counts(), histogram.sum());
    }
}
