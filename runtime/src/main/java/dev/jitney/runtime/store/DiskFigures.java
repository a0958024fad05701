package dev.jitney.runtime.store;

/**
 * How much room a messaging store takes, and how much it has. All numbers are bytes, as of a short while ago.
 *
 * @param freeBytes free space of the file system that the store is on, for its user
 * @param tableBytes table files of the store
 * @param logBytes files of its log, which are written again and again
 * @param untilRefusedBytes so much may be written until sends are refused, the reserve being kept; 0 while they are
 */
public record DiskFigures(long freeBytes, long tableBytes, long logBytes, long untilRefusedBytes) {}
