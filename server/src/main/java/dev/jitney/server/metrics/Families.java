package dev.jitney.server.metrics;

import java.util.ArrayList;
import java.util.List;

/** The metrics of Jitney itself, which the documentation lists. */
final class Families {

    private Families() {}

    /** Returns all families of all groups, in the order of the documentation. */
    static List<Family> all() {
        List<Family> all = new ArrayList<>(EntityGroup.FAMILIES);
        all.addAll(NamespaceGroup.FAMILIES);
        all.addAll(ShardGroup.FAMILIES);
        all.addAll(EdgeGroup.FAMILIES);
        all.addAll(AdmittanceGroup.FAMILIES);
        all.addAll(SafekeepingGroup.FAMILIES);
        all.addAll(ProcessGroup.FAMILIES);
        all.addAll(ClusterGroup.FAMILIES);
        return all;
    }
}
