package dev.jitney.runtime.namespace;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.shard.Shard;

/** A queue that a shard hosts. */
public final class ServedQueue extends ServedEntity {

    public ServedQueue(Shard shard, EntityRow row, EntityDirectory namespace) {
        super(shard, row, namespace);
    }

    /** Creates a fragment of a partitioned queue. */
    ServedQueue(Shard shard, long id, ServedQueue whole, int fragment) {
        super(shard, id, whole, fragment);
    }

    @Override
    public QueueDescription description() {
        return (QueueDescription) super.description();
    }

    @Override
    public QueueDescription asQueue() {
        return sized((QueueDescription) latest().description());
    }

    @Override
    public long maxMessageSizeBytes() {
        Long own = description().maxMessageSizeInKilobytes();
        return own == null ? limits().maxMessageSizeBytes() : own * 1024;
    }
}
