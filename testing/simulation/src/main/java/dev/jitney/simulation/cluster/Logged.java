package dev.jitney.simulation.cluster;

import org.jspecify.annotations.Nullable;

/** An entry in the logs of nodes. All copies of an entry are the same object. */
final class Logged {
    final long term;

    /** The encoded entry; null for the first entry of a leader and for a change of the members. */
    final byte @Nullable [] bytes;

    /** The batch that the entry belongs to, or null. */
    final @Nullable Decision decision;

    /** The members from this entry on; null if they do not change. */
    final @Nullable Members members;

    private Logged(long term, byte @Nullable [] bytes, @Nullable Decision decision, @Nullable Members members) {
        this.term = term;
        this.bytes = bytes;
        this.decision = decision;
        this.members = members;
    }

    static Logged batch(long term, byte[] bytes, Decision decision) {
        return new Logged(term, bytes, decision, null);
    }

    /** Returns the first entry of a leader. */
    static Logged first(long term) {
        return new Logged(term, null, null, null);
    }

    static Logged members(long term, Members members) {
        return new Logged(term, null, null, members);
    }

    @Override
    public String toString() {
        return "term " + term
                + (decision == null
                        ? ""
                        : ", batch " + decision.number() + " of store " + decision.store() + " decided in term "
                                + decision.term());
    }
}
