package dev.jitney.paired.internal.transport;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import java.time.Duration;

/**
 * How often and for how long a send to a primary is tried when the application says nothing else. The failover interval
 * begins when a send has failed, so that has to take much less than the interval's default of a minute (PAIR-8).
 */
public final class PrimaryRetries {
    private static final int RETRIES = 1;
    private static final Duration TRY_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration DELAY = Duration.ofMillis(500);

    private PrimaryRetries() {}

    /** One retry, half a second after the first try; 10 seconds for each. */
    public static AmqpRetryOptions standard() {
        return new AmqpRetryOptions()
                .setMode(AmqpRetryMode.FIXED)
                .setMaxRetries(RETRIES)
                .setDelay(DELAY)
                .setTryTimeout(TRY_TIMEOUT);
    }
}
