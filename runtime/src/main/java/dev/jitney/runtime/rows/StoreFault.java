package dev.jitney.runtime.rows;

import dev.jitney.runtime.store.StoreException;

/** Carries a {@link StoreException} through the core, which does not know of disks, up to the shard. */
public final class StoreFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final StoreException fault;

    public StoreFault(StoreException fault) {
        super(fault.getMessage(), fault);
        this.fault = fault;
    }

    public StoreException fault() {
        return fault;
    }
}
