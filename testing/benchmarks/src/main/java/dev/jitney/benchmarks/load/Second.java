package dev.jitney.benchmarks.load;

/**
 * The latencies of one second of a run, in milliseconds. They count in the second in which a message arrived, from its planned send on.
 *
 * @param number the second of the measurement, from 1
 * @param messages the messages that arrived in it
 */
public record Second(int number, long messages, double p50, double p99, double p999, double max) {}
