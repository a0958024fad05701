package dev.jitney.benchmarks.sdk;

/**
 * The result of one way to send or to receive.
 *
 * @param perSecond messages per second
 * @param clientMicros microseconds of processor time of the process with the SDK per message
 * @param serverMicros microseconds of processor time of the server per message
 */
record SdkFigure(double perSecond, double clientMicros, double serverMicros) {}
