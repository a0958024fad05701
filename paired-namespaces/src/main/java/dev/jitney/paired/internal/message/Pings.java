package dev.jitney.paired.internal.message;

import com.azure.messaging.servicebus.ServiceBusMessage;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Makes pings: messages that a broker checks, acknowledges and meters, but never delivers (PAIR-32). */
public final class Pings {
    /** Content type by which a broker knows a ping, in any case (PAIR-32). */
    public static final String CONTENT_TYPE = "application/vnd.ms-servicebus-ping";

    private static final Duration TIME_TO_LIVE = Duration.ofSeconds(1);

    private Pings() {}

    /** A new ping: empty, with a random session id that makes it pass where sessions are required (PAIR-33). */
    public static ServiceBusMessage create(RandomGenerator random) {
        return new ServiceBusMessage(new byte[0])
                .setContentType(CONTENT_TYPE)
                .setTimeToLive(TIME_TO_LIVE)
                .setSessionId(Long.toHexString(random.nextLong()));
    }
}
