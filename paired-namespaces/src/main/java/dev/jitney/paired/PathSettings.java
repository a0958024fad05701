package dev.jitney.paired;

import java.time.Duration;

/**
 * The options in {@link SendAvailabilityPairedNamespaceOptions} that determine the state of a path.
 *
 * @param failoverInterval the time a path is suspect before it fails over; zero for an immediate failover
 * @param pingInterval the time from the failover to the first ping, and from each ping to the next
 * @param classifier decides which failures start a failover
 */
record PathSettings(Duration failoverInterval, Duration pingInterval, FailureClassifier classifier) {}
