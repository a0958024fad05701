package dev.jitney.paired;

import java.time.Duration;

/**
 * The part of {@link SendAvailabilityPairedNamespaceOptions} that the state of a path goes by.
 *
 * @param failoverInterval how long a path is suspect before it fails over; zero for at once
 * @param pingInterval the time from the failover to the first ping, and from each ping to the next
 * @param classifier tells which failures start a failover
 */
record PathSettings(Duration failoverInterval, Duration pingInterval, FailureClassifier classifier) {}
