package dev.jitney.store.rocksdb.log;

/** Takes the commits that a log holds and the tables do not, oldest first. */
@FunctionalInterface
public interface LogReplay<X extends Exception> {
    void commit(byte[] content) throws X;
}
