package dev.jitney.paired;

import java.time.Duration;

/**
 * The options in {@link SendAvailabilityPairedNamespaceOptions} for a worker of the syphon.
 *
 * @param batch the maximum number of messages that one poll receives
 * @param prefetch the number of messages that a receiver prefetches
 * @param readTimeout the time that a poll waits for messages
 * @param retryInterval the time that a worker waits after a failure, and before its first poll
 * @param classifier decides which messages are dead-lettered
 */
record SyphonSettings(
        int batch, int prefetch, Duration readTimeout, Duration retryInterval, FailureClassifier classifier) {}
