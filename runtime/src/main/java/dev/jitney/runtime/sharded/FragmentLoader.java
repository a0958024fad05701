package dev.jitney.runtime.sharded;

import dev.jitney.runtime.namespace.PartitionedChanges;
import dev.jitney.runtime.namespace.Partitions;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.rows.PartRow;
import dev.jitney.runtime.shard.Shard;
import dev.jitney.runtime.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assembles the fragments of partitioned entities when a broker starts, before its shards run. A fragment without its
 * entity remains from an interrupted creation or deletion, and is deleted. An entity without fragments was created by
 * an earlier version that did not support partitions, and gets its fragments now.
 */
final class FragmentLoader {
    private static final Logger LOG = LoggerFactory.getLogger(FragmentLoader.class);

    private final List<Shard> shards;

    FragmentLoader(List<Shard> shards) {
        this.shards = shards;
    }

    /** @param wholes topics before their subscriptions */
    void load(List<ServedEntity> wholes, PartitionedChanges changes) throws StoreException {
        boolean complete = shards.stream().allMatch(Shard::isThere);
        if (!complete) { // then fragments without an entity are kept
            shards.forEach(shard -> shard.lifecycle().entities().keepUnknown());
        }
        Map<Long, ServedEntity> byId = new HashMap<>();
        wholes.forEach(whole -> byId.put(whole.id(), whole));
        for (Shard shard : shards) {
            for (PartRow row :
                    shard.lifecycle().entities().parts()) { // fragments of topics are older, so they come first
                ServedEntity whole = byId.get(row.wholeId());
                Partitions fragments = whole == null ? null : whole.fragments();
                if (whole == null || fragments == null) {
                    if (complete) {
                        shard.lifecycle().discard(row);
                    }
                } else if (row.fragment() >= fragments.count()) {
                    throw otherNumber(whole, fragments, "more");
                } else if (fragments.partOrNull(row.fragment()) != null) {
                    throw new StoreException(
                            StoreException.Reason.CORRUPT,
                            "Expected each partition of '" + whole.path() + "' in one store, but found a second"
                                    + " partition " + row.fragment() + ".");
                } else {
                    ServedEntity part = PartitionedChanges.part(shard, row.entityId(), whole, row.fragment());
                    fragments.put(part);
                    part.list();
                    shard.lifecycle().adopt(part);
                }
            }
        }
        for (ServedEntity whole : wholes) {
            complete(whole, complete, changes);
        }
    }

    private static void complete(ServedEntity whole, boolean allThere, PartitionedChanges changes)
            throws StoreException {
        Partitions fragments = whole.fragments();
        if (fragments == null || fragments.isComplete()) {
            return;
        }
        if (!allThere) {
            throw new StoreException(
                    StoreException.Reason.IO,
                    "Expected all partitions of '" + whole.path() + "', but a messaging store is not available and the"
                            + " server was killed while it created or deleted the entity. Start once with all stores.");
        }
        if (!fragments.all().isEmpty()) {
            throw otherNumber(whole, fragments, "only " + fragments.all().size());
        }
        LOG.info("Creating the partitions of '{}'.", whole.path());
        changes.createPartsNow(whole, fragments);
    }

    /**
     * Returns the fault for a changed number of partitions. The number is fixed, because keys select a fragment by it
     * (PART-25).
     */
    private static StoreException otherNumber(ServedEntity whole, Partitions fragments, String found) {
        return new StoreException(
                StoreException.Reason.IO,
                "Expected " + fragments.count() + " partitions of '" + whole.path()
                        + "', as its namespace is configured, but the stores hold " + found
                        + ". Start with the tier and the number of partitions that it was created with, or"
                        + " use another data directory.");
    }
}
