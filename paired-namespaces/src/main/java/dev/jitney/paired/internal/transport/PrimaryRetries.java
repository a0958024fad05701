package dev.jitney.paired.internal.transport;

import com.azure.core.amqp.AmqpRetryMode;
import com.azure.core.amqp.AmqpRetryOptions;
import java.time.Duration;

/**
 * The default retries of sends to a primary. The failover interval starts when a send has failed, so a send must fail much
 * sooner than the interval's default of one minute (PAIR-8).
 */
public final class PrimaryRetries {
    private static final int RETRIES = 1;
    private static final Duration TRY_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration DELAY = Duration.ofMillis(500);

    private PrimaryRetries() {}

    /** Returns the default: one retry half a second after the first try, and 10 seconds for each try. */
    public static AmqpRetryOptions standard() {
        return new AmqpRetryOptions()
                .setMode(AmqpRetryMode.FIXED)
                .setMaxRetries(RETRIES)
                .setDelay(DELAY)
                .setTryTimeout(TRY_TIMEOUT);
    }
}
