package dev.jitney.store.rocksdb;

/** What an opening has just changed on disk. A process may be killed after any of them, and the next one begins anew. */
enum OpeningStep {
    /** A log of format version 2 is in the memtables. */
    OLD_LOG_REPLAYED,
    /** It is in table files. */
    OLD_LOG_FLUSHED,
    /** The marker demands it no more. */
    OLD_LOG_UNMARKED,
    /** The tables know of it no more, and its files are gone. */
    OLD_LOG_REMOVED,
    /** There is a new log, or the one that was there is in the memtables. */
    LOG_OPENED,
    /** The format version is the first commit of a new log. */
    FORMAT_APPENDED,
    /** It is in table files. */
    FORMAT_FLUSHED
}
