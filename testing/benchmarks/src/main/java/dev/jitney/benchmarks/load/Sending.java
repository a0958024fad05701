package dev.jitney.benchmarks.load;

/**
 * The cost of a run of sends, or of simultaneous sends and receives, for the server. It includes deferred work that the
 * server does afterwards: flushes, compactions.
 *
 * @param perSecond messages per second until the last one was accepted or completed
 * @param cpuMicros microseconds of the server's processor time per message
 * @param storeBytes bytes of rows committed per message
 * @param diskBytes bytes written to disk per message, including tables and their compactions; -1 if not known
 */
public record Sending(double perSecond, double cpuMicros, double storeBytes, double diskBytes) {}
