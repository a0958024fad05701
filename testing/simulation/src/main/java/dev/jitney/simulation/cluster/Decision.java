package dev.jitney.simulation.cluster;

/**
 * A batch that a broker decided, as the simulator knows it without reading its entry.
 *
 * @param term     the term of the leadership whose broker decided it
 * @param store    the store
 * @param number   the number among the batches of the term and store, from 1
 * @param basis    the index of the entry that the memory of the broker was based on; 0 for none
 */
record Decision(long term, int store, long number, long basis) {}
