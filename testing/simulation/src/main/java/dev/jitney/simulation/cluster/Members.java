package dev.jitney.simulation.cluster;

import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The members of the cluster from an entry on.
 *
 * @param identities the identities of the members
 * @param before     the members before, while a change is in progress: both majorities count then (CL-55); otherwise null
 */
record Members(Set<Long> identities, @Nullable Set<Long> before) {
    /** The members in the log of a node with an empty disk: none. */
    static final Members NOBODY = new Members(Set.of(), null);

    /** Returns whether a majority meets a condition (CL-10). */
    boolean isMajority(LongPredicate counts) {
        return isMajority(identities, counts) && (before == null || isMajority(before, counts));
    }

    private static boolean isMajority(Set<Long> some, LongPredicate counts) {
        long count = some.stream().filter(counts::test).count();
        return 2 * count > some.size();
    }
}
