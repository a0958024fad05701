package dev.jitney.store.rocksdb.log;

/** Takes the commits that a log holds and the tables do not, oldest first. */
@FunctionalInterface
public interface LogReplay<X extends Exception> {
    /** @param number of the commit */
    void commit(long number, byte[] content) throws X;
}
