package dev.jitney.runtime.rows;

import dev.jitney.runtime.store.StoreException;
import org.jspecify.annotations.Nullable;

/** Carries a {@link StoreException} up to the shard through the core, which is independent of disks. */
public final class StoreFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final StoreException fault;

    /** The value of {@link #entityId()}; boxed and serializable. */
    private final @Nullable Long entityId;

    /** Creates a fault of the whole store. */
    public StoreFault(StoreException fault) {
        super(fault.getMessage(), fault);
        this.fault = fault;
        this.entityId = null;
    }

    /** Creates a fault in a row, or a scan over rows, of one entity. */
    public StoreFault(StoreException fault, long entityId) {
        super(fault.getMessage(), fault);
        this.fault = fault;
        this.entityId = entityId;
    }

    /** Returns the number of the entity whose rows were read, or null if the rows did not belong to one entity. */
    public @Nullable Long entityId() {
        return entityId;
    }

    public StoreException fault() {
        return fault;
    }
}
