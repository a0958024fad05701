package dev.jitney.paired;

import java.time.Duration;

/**
 * The part of {@link SendAvailabilityPairedNamespaceOptions} that a worker of the syphon goes by.
 *
 * @param batch the largest number of messages that one poll receives
 * @param prefetch messages that a receiver asks for in advance
 * @param readTimeout how long a poll waits for messages
 * @param retryInterval how long a worker waits after a failure, and before its first poll
 * @param classifier tells which messages are given up
 */
record SyphonSettings(
        int batch, int prefetch, Duration readTimeout, Duration retryInterval, FailureClassifier classifier) {}
