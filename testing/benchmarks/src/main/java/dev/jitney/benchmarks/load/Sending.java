package dev.jitney.benchmarks.load;

/**
 * What a run of sends, or of sends and receives at once, cost the server, with the work it put off and did afterwards:
 * flushes, compactions.
 *
 * @param perSecond messages per second until the last was accepted, or completed
 * @param cpuMicros microseconds of the server's processor time per message
 * @param storeBytes bytes of rows committed per message
 * @param diskBytes bytes written to disk per message, tables and their compactions included; -1 where that is not known
 */
public record Sending(double perSecond, double cpuMicros, double storeBytes, double diskBytes) {}
