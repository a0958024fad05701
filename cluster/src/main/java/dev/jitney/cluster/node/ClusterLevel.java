package dev.jitney.cluster.node;

import dev.jitney.cluster.StoreReplica;
import dev.jitney.cluster.member.ClusterSettings;
import dev.jitney.cluster.member.NodeCondition;
import dev.jitney.cluster.member.NodeHello;
import dev.jitney.cluster.member.NodeLevels;
import dev.jitney.runtime.store.FormatLevels;
import dev.jitney.runtime.store.LevelRow;
import dev.jitney.runtime.store.StoreException;
import java.io.IOException;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The level of the cluster as this node has applied it, and whether this release supports it (CL-60, CL-61). Any thread may call the
 * methods.
 */
final class ClusterLevel {
    private final ClusterSettings settings;
    private final StoreReplica first;
    private final IntSupplier founding;
    private volatile int last = FormatLevels.FIRST;

    /**
     * @param first    the copy of the first store, which has the row with the level
     * @param founding returns the level at which the cluster was founded, which counts until the first store has an entry
     */
    ClusterLevel(ClusterSettings settings, StoreReplica first, IntSupplier founding) {
        this.settings = settings;
        this.first = first;
        this.founding = founding;
    }

    /** Returns the level. While the store cannot be read, that is the last one that this node has seen. */
    int current() {
        try {
            int stored = LevelRow.stored(first.store());
            if (stored == 0) {
                boolean isNew = first.store().position().index() == 0;
                stored = isNew ? Math.max(founding.getAsInt(), settings.levels().lowest()) : FormatLevels.FIRST;
            }
            last = stored;
        } catch (StoreException e) {
            return last; // the node notices the fault of its store by itself, and opens it again
        }
        return last;
    }

    /** Returns the levels of this node for the others. */
    NodeLevels levels() {
        return new NodeLevels(settings.levels(), current());
    }

    /**
     * Returns why this node must take no part in the cluster, or null.
     *
     * @param leader the introduction of the leader, or null if it is unknown
     */
    @Nullable
    String refusal(@Nullable NodeHello leader) {
        NodeCondition condition = leader == null ? NodeCondition.WELL : leader.condition();
        int level = Math.max(current(), condition.levels().current());
        return settings.levels().refusal(level, condition.facts().release());
    }

    /**
     * Checks that this node may take part in the cluster.
     *
     * @param leader the introduction of the leader, or null if it is unknown
     * @throws IOException if its release does not support the level; the message has the remedy
     */
    void requireSupported(@Nullable NodeHello leader) throws IOException {
        String refusal = refusal(leader);
        if (refusal != null) {
            throw new IOException(refusal);
        }
    }

    /**
     * Checks that another node may get data of this cluster.
     *
     * @param supported the levels that its release supports
     * @throws IOException if it does not support the level; the message has the remedy
     */
    void requireSupportedBy(FormatLevels supported) throws IOException {
        String refusal = supported.refusal(current(), settings.facts().release());
        if (refusal != null) {
            throw new IOException(refusal);
        }
    }
}
