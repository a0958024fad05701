package dev.jitney.simulation.cluster;

import dev.jitney.cluster.Agreement;

/**
 * A batch that a broker decided, as the simulator knows it without reading its entry.
 *
 * @param by       the leadership whose broker decided it
 * @param store    the store
 * @param number   the number among the batches of the leadership and store, from 1
 * @param basis    the index of the entry that the memory of the broker was based on; 0 for none
 */
record Decision(Agreement by, int store, long number, long basis) {}
