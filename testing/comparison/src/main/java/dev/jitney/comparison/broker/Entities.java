package dev.jitney.comparison.broker;

import dev.jitney.benchmarks.load.Routes;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a scenario needs in a broker, besides the queue {@link #READY}; every broker gives it the same names.
 *
 * @param queues how many queues
 * @param subscriptions how many subscriptions of one topic
 */
public record Entities(int queues, int subscriptions) {
    /** A queue for the message that tells whether a broker is up, so that no other queue begins with it. */
    public static final String READY = "ready";

    public static final String TOPIC = "fan";

    public static String queue(int number) {
        return "q" + number;
    }

    static String subscription(int number) {
        return "s" + number;
    }

    List<String> queueNames() {
        return IntStream.range(0, queues).mapToObj(Entities::queue).toList();
    }

    public List<String> subscriptionNames() {
        return IntStream.range(0, subscriptions)
                .mapToObj(Entities::subscription)
                .toList();
    }

    /** Through all queues. */
    public Routes throughQueues() {
        return Routes.of(queueNames());
    }
}
