package dev.jitney.cluster.verify;

/**
 * The checksum of one table of one store.
 *
 * @param store    number of the store, from 0
 * @param table    id of the table
 * @param rows     number of its rows
 * @param bytes    bytes of keys and values
 * @param checksum CRC-32C of all rows in order: for each one the lengths of key and value, 4 bytes each, the key and the value
 */
public record TableChecksum(int store, int table, long rows, long bytes, int checksum) {}
