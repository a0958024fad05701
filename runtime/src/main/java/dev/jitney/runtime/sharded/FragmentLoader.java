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
 * Brings the fragments of partitioned entities together when a broker starts, before its shards run. A fragment without its
 * entity is what an interrupted creation or deletion has left, and goes; an entity without fragments is one of an earlier
 * version, which did not serve it, and gets them.
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
        if (!complete) { // then nothing that seems to belong to nobody is touched
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
                        shard.lifecycle().entities().discard(row);
                    }
                } else if (row.fragment() >= fragments.count()) {
                    throw otherNumber(whole, fragments, "more");
                } else if (fragments.partOrNull(row.fragment()) != null) {
                    throw new StoreException(
                            StoreException.Reason.CORRUPT,
                            "Expected each partition of '" + whole.path() + "' in one store, but there is another"
                                    + " number " + row.fragment() + ".");
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
                    "Not all partitions of '" + whole.path() + "' are known while a messaging store is away: the"
                            + " server was killed while it was made or deleted. Start once with all stores.");
        }
        if (!fragments.all().isEmpty()) {
            throw otherNumber(whole, fragments, "only " + fragments.all().size());
        }
        LOG.info("Making the partitions of '{}'.", whole.path());
        changes.createPartsNow(whole, fragments);
    }

    /** Keys choose by the number of fragments, so it can never become another one (PART-25). */
    private static StoreException otherNumber(ServedEntity whole, Partitions fragments, String found) {
        return new StoreException(
                StoreException.Reason.IO,
                "Expected " + fragments.count() + " partitions of '" + whole.path()
                        + "', as its namespace is set to, but the"
                        + " stores hold " + found
                        + ". Start with the tier and the number of partitions it was made with, or"
                        + " use another data directory.");
    }
}
