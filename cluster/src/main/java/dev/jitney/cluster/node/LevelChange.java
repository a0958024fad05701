package dev.jitney.cluster.node;

/**
 * The result of an order to raise the level of a cluster (CL-61).
 *
 * @param before the level before
 * @param after  the level after; the same if all members support no higher one
 */
public record LevelChange(int before, int after) {}
