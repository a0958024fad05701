package dev.jitney.paired;

import com.azure.core.amqp.AmqpRetryOptions;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options for a secondary namespace that keeps senders of a primary namespace available (18.1). Immutable. Setters refuse
 * values out of range (PAIR-2).
 */
public final class SendAvailabilityPairedNamespaceOptions {
    private final MessagingFactory secondary;
    private final int backlogQueueCount;
    private final Duration failoverInterval;
    private final Duration pingPrimaryInterval;
    private final Duration pingTimeout;
    private final boolean enableSyphon;
    private final Duration syphonRetryInterval;
    private final Duration syphonReadTimeout;
    private final int syphonBatch;
    private final int syphonPrefetch;
    private final Duration closeGrace;
    private final FailureClassifier classifier;
    private final @Nullable AmqpRetryOptions primaryRetryOptions;

    private SendAvailabilityPairedNamespaceOptions(Builder builder) {
        secondary = builder.secondary;
        backlogQueueCount = builder.backlogQueueCount;
        failoverInterval = builder.failoverInterval;
        pingPrimaryInterval = builder.pingPrimaryInterval;
        pingTimeout = builder.pingTimeout;
        enableSyphon = builder.enableSyphon;
        syphonRetryInterval = builder.syphonRetryInterval;
        syphonReadTimeout = builder.syphonReadTimeout;
        syphonBatch = builder.syphonBatch;
        syphonPrefetch = builder.syphonPrefetch;
        closeGrace = builder.closeGrace;
        classifier = builder.classifier;
        primaryRetryOptions = builder.primaryRetryOptions;
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param secondary the factory of the namespace with the backlog queues, with the rights Manage, Send and Listen
     */
    public static Builder builder(MessagingFactory secondary) {
        return new Builder(secondary);
    }

    public MessagingFactory secondary() {
        return secondary;
    }

    public int backlogQueueCount() {
        return backlogQueueCount;
    }

    public Duration failoverInterval() {
        return failoverInterval;
    }

    public Duration pingPrimaryInterval() {
        return pingPrimaryInterval;
    }

    public Duration pingTimeout() {
        return pingTimeout;
    }

    public boolean enableSyphon() {
        return enableSyphon;
    }

    public Duration syphonRetryInterval() {
        return syphonRetryInterval;
    }

    public Duration syphonReadTimeout() {
        return syphonReadTimeout;
    }

    public int syphonBatch() {
        return syphonBatch;
    }

    public int syphonPrefetch() {
        return syphonPrefetch;
    }

    public Duration closeGrace() {
        return closeGrace;
    }

    public FailureClassifier classifier() {
        return classifier;
    }

    /** Returns the retry options, or null if they were not set. */
    public @Nullable AmqpRetryOptions primaryRetryOptions() {
        return primaryRetryOptions == null ? null : new AmqpRetryOptions(primaryRetryOptions);
    }

    /** A builder of options. Not thread-safe. */
    public static final class Builder {
        private final MessagingFactory secondary;
        private int backlogQueueCount = 10;
        private Duration failoverInterval = Duration.ofMinutes(1);
        private Duration pingPrimaryInterval = Duration.ofMinutes(1);
        private Duration pingTimeout = Duration.ofMinutes(2);
        private boolean enableSyphon;
        private Duration syphonRetryInterval = Duration.ofSeconds(1);
        private Duration syphonReadTimeout = Duration.ofMinutes(15);
        private int syphonBatch = 100;
        private int syphonPrefetch = 100;
        private Duration closeGrace = Duration.ofSeconds(5);
        private FailureClassifier classifier = FailureClassifier.SEED;
        private @Nullable AmqpRetryOptions primaryRetryOptions;

        private Builder(MessagingFactory secondary) {
            this.secondary = Objects.requireNonNull(secondary, "secondary");
        }

        /**
         * Sets the number of backlog queues. Messages are spread over them. The default is 10.
         *
         * @param count 1 to 10,000, the maximum of queues in a namespace
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder backlogQueueCount(int count) {
            backlogQueueCount = inRange("backlogQueueCount", count, 1, 10_000);
            return this;
        }

        /**
         * Sets how long sends to a queue or topic must fail before it fails over. The default is one minute. Zero fails over at
         * the first failure.
         *
         * @param interval 0 to 60 minutes
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder failoverInterval(Duration interval) {
            failoverInterval = inRange("failoverInterval", interval, Duration.ZERO, Duration.ofMinutes(60));
            return this;
        }

        /**
         * Sets the time between two pings of a path that is failed over. The default is one minute.
         *
         * @param interval 1 second to 30 minutes
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder pingPrimaryInterval(Duration interval) {
            pingPrimaryInterval =
                    inRange("pingPrimaryInterval", interval, Duration.ofSeconds(1), Duration.ofMinutes(30));
            return this;
        }

        /**
         * Sets the timeout of one ping. The default is 2 minutes.
         *
         * @param timeout 1 second to 30 minutes
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder pingTimeout(Duration timeout) {
            pingTimeout = inRange("pingTimeout", timeout, Duration.ofSeconds(1), Duration.ofMinutes(30));
            return this;
        }

        /** Sets whether this process runs the syphon. The default is false, but at least one process must run it (PAIR-39). */
        public Builder enableSyphon(boolean enable) {
            enableSyphon = enable;
            return this;
        }

        /**
         * Sets the pause of the syphon before it starts and after a failure. The default is one second.
         *
         * @param interval 1 second to 2 minutes
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder syphonRetryInterval(Duration interval) {
            syphonRetryInterval =
                    inRange("syphonRetryInterval", interval, Duration.ofSeconds(1), Duration.ofMinutes(2));
            return this;
        }

        /**
         * Sets how long one receive of the syphon waits for a message. The default is 15 minutes, which results in 4 receives
         * per hour for each idle backlog queue (PAIR-53).
         *
         * @param timeout 1 second to 24 hours
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder syphonReadTimeout(Duration timeout) {
            syphonReadTimeout = inRange("syphonReadTimeout", timeout, Duration.ofSeconds(1), Duration.ofHours(24));
            return this;
        }

        /**
         * Sets the maximum number of messages in one receive of the syphon. The default is 100.
         *
         * @param count 1 to 1,000
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder syphonBatch(int count) {
            syphonBatch = inRange("syphonBatch", count, 1, 1_000);
            return this;
        }

        /**
         * Sets how many messages the syphon may prefetch from each backlog queue. The default is 100.
         *
         * @param count 0 to 1,000
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder syphonPrefetch(int count) {
            syphonPrefetch = inRange("syphonPrefetch", count, 0, 1_000);
            return this;
        }

        /**
         * Sets how much later than its partner a factory may be closed before the syphon makes it fail (PAIR-58). The default
         * is 5 seconds.
         *
         * @param grace 0 to one hour
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder closeGrace(Duration grace) {
            closeGrace = inRange("closeGrace", grace, Duration.ZERO, Duration.ofHours(1));
            return this;
        }

        /** Sets which failures start a failover. The default is {@link FailureClassifier#SEED}. */
        public Builder classifier(FailureClassifier value) {
            classifier = Objects.requireNonNull(value, "classifier");
            return this;
        }

        /**
         * Sets the retries of sends to the primary while it is paired. The failover interval starts when a send has failed,
         * which means after these retries (PAIR-8). The default is one retry after half a second, with 10 seconds for each try.
         * An unresponsive primary is then detected after 20 to 25 seconds, instead of the four to five minutes of the SDK's own
         * defaults. {@link MessagingFactoryBuilder#retryOptions} of the primary override the default, and these options override
         * both.
         *
         * @param options the options, which are copied
         */
        public Builder primaryRetryOptions(AmqpRetryOptions options) {
            primaryRetryOptions = new AmqpRetryOptions(options);
            return this;
        }

        public SendAvailabilityPairedNamespaceOptions build() {
            return new SendAvailabilityPairedNamespaceOptions(this);
        }

        private static int inRange(String option, int value, int min, int max) {
            if (value < min || value > max) {
                throw new IllegalArgumentException(
                        "Expected " + option + " of " + min + " to " + max + ", but it is " + value + ".");
            }
            return value;
        }

        private static Duration inRange(String option, Duration value, Duration min, Duration max) {
            if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
                throw new IllegalArgumentException(
                        "Expected " + option + " of " + min + " to " + max + ", but it is " + value + ".");
            }
            return value;
        }
    }
}
