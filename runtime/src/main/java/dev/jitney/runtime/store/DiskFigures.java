package dev.jitney.runtime.store;

/**
 * The disk usage of a messaging store and the space left. All numbers are bytes and slightly out of date. For a store in memory
 * they are those of its limit, and its rows are the table files.
 *
 * @param freeBytes free space of the file system of the store, for its user; of a store in memory, the rest of its limit and reserve
 * @param tableBytes table files of the store
 * @param logBytes files of its log, which are overwritten again and again
 * @param untilRefusedBytes bytes that may be written until only the reserve is left and sends are refused; 0 if sends
 *     are refused
 */
public record DiskFigures(long freeBytes, long tableBytes, long logBytes, long untilRefusedBytes) {}
