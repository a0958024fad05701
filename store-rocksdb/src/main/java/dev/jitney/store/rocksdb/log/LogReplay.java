package dev.jitney.store.rocksdb.log;

/** Receives the commits that are in a log but not in the tables, oldest first. */
@FunctionalInterface
public interface LogReplay<X extends Exception> {
    /** @param number the number of the commit */
    void commit(long number, byte[] content) throws X;
}
