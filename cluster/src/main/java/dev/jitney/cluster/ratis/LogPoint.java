package dev.jitney.cluster.ratis;

import org.apache.ratis.server.protocol.TermIndex;

/**
 * A place in the replicated log.
 *
 * @param term  the term of the entry
 * @param index the index of the entry, from 0
 */
public record LogPoint(long term, long index) {
    /** The point before the first entry. */
    public static final LogPoint START = new LogPoint(0, -1);

    static LogPoint of(TermIndex at) {
        return new LogPoint(at.getTerm(), at.getIndex());
    }

    TermIndex termIndex() {
        return TermIndex.valueOf(term, index);
    }
}
