package dev.jitney.paired.internal.message;

import com.azure.messaging.servicebus.ServiceBusMessage;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Pings: messages that a broker checks, acknowledges and meters, but never delivers (PAIR-32). */
public final class Pings {
    /** The content type of a ping, compared without case (PAIR-32). */
    public static final String CONTENT_TYPE = "application/vnd.ms-servicebus-ping";

    private static final Duration TIME_TO_LIVE = Duration.ofSeconds(1);

    private Pings() {}

    /** Returns a new ping: empty, with a random session id, so that entities that require sessions accept it (PAIR-33). */
    public static ServiceBusMessage create(RandomGenerator random) {
        return new ServiceBusMessage(new byte[0])
                .setContentType(CONTENT_TYPE)
                .setTimeToLive(TIME_TO_LIVE)
                .setSessionId(Long.toHexString(random.nextLong()));
    }
}
