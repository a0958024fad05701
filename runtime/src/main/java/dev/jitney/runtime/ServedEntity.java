package dev.jitney.runtime;

import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.Limits;
import dev.jitney.model.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * An entity that a shard owns. The shard's thread changes {@link #latest}; everybody else sees {@link #durable}, which
 * follows once the change is committed.
 */
abstract class ServedEntity extends Entity {
    private final Shard shard;
    private final long id;
    private final ServedNamespace namespace;
    private EntityRow latest;
    private volatile EntityRow durable;
    private volatile boolean known;
    private volatile @Nullable Rejection unserved;

    ServedEntity(Shard shard, EntityRow row, ServedNamespace namespace) {
        this.shard = shard;
        this.id = row.entityId();
        this.namespace = namespace;
        this.latest = row;
        this.durable = row;
    }

    final long id() {
        return id;
    }

    final Shard shard() {
        return shard;
    }

    final ServedNamespace namespace() {
        return namespace;
    }

    final NamespaceOptions namespaceOptions() {
        return namespace.options();
    }

    final Limits limits() {
        return namespace.limits();
    }

    /** What the shard has made of it, committed or not. For the shard's thread. */
    final EntityRow latest() {
        return latest;
    }

    /** Changes it in the shard. For the shard's thread. */
    final void change(EntityRow row) {
        latest = row;
    }

    /** The store has it as it is now in the shard: everybody may see it. */
    void settle() {
        durable = latest;
        unserved = ServedFeatures.refuse(latest.description());
        known = true;
    }

    /** Whether its creation is committed. */
    final boolean isKnown() {
        return known;
    }

    /** The store has it: its name is taken. */
    final void list() {
        namespace.list(this);
    }

    /** The store does not have it: its name is free, and whoever still holds it hears that there is no such entity. */
    final void unlist() {
        known = false;
        unserved = null;
        namespace.unlist(this);
    }

    @Override
    public final String path() {
        return durable.description().path();
    }

    @Override
    public EntityDescription description() {
        return durable.description();
    }

    @Override
    public final long createdAtMs() {
        return durable.createdAtMs();
    }

    @Override
    public final long updatedAtMs() {
        return durable.updatedAtMs();
    }

    @Override
    public final @Nullable Rejection unserved() {
        return unserved;
    }
}
