package dev.jitney.runtime.rows;

import dev.jitney.runtime.store.StoreException;
import org.jspecify.annotations.Nullable;

/** Carries a {@link StoreException} through the core, which does not know of disks, up to the shard. */
public final class StoreFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final StoreException fault;

    /** As {@link #entityId()}; serializable, as exceptions are. */
    private final @Nullable Long entityId;

    /** A fault of the store as a whole. */
    public StoreFault(StoreException fault) {
        super(fault.getMessage(), fault);
        this.fault = fault;
        this.entityId = null;
    }

    /** A fault of a row, or a walk over rows, of one entity. */
    public StoreFault(StoreException fault, long entityId) {
        super(fault.getMessage(), fault);
        this.fault = fault;
        this.entityId = entityId;
    }

    /** The number of the entity whose rows were being read; null if they were not those of one entity. */
    public @Nullable Long entityId() {
        return entityId;
    }

    public StoreException fault() {
        return fault;
    }
}
