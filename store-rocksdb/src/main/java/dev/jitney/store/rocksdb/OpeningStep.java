package dev.jitney.store.rocksdb;

/**
 * The changes that an opening makes on disk, in order. A process may be killed after any of them; the next opening
 * starts from the beginning.
 */
enum OpeningStep {
    /** A log of format version 2 is in the memtables. */
    OLD_LOG_REPLAYED,
    /** The replayed log is in table files. */
    OLD_LOG_FLUSHED,
    /** The durability marker no longer requires the old log. */
    OLD_LOG_UNMARKED,
    /** The tables no longer have the position of the old log, and its files are deleted. */
    OLD_LOG_REMOVED,
    /** There is a new log, or the existing one is in the memtables. */
    LOG_OPENED,
    /** The format version is the first commit of a new log. */
    FORMAT_APPENDED,
    /** The format version is in table files. */
    FORMAT_FLUSHED
}
