package dev.jitney.runtime;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.QueueDescription;

/** A queue that a shard owns. */
final class ServedQueue extends ServedEntity {

    ServedQueue(Shard shard, EntityRow row, ServedNamespace namespace) {
        super(shard, row, namespace);
    }

    /** A fragment of a partitioned one. */
    ServedQueue(Shard shard, long id, ServedQueue whole, int fragment) {
        super(shard, id, whole, fragment);
    }

    @Override
    public QueueDescription description() {
        return (QueueDescription) super.description();
    }

    @Override
    QueueDescription asQueue() {
        return sized((QueueDescription) latest().description());
    }

    @Override
    public long maxMessageSizeBytes() {
        Long own = description().maxMessageSizeInKilobytes();
        return own == null ? limits().maxMessageSizeBytes() : own * 1024;
    }
}
