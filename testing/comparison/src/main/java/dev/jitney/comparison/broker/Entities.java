package dev.jitney.comparison.broker;

import dev.jitney.benchmarks.load.Routes;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The entities of a scenario, besides the queue {@link #READY}. Every broker gives them the same names.
 *
 * @param queues number of queues
 * @param subscriptions number of subscriptions of one topic
 */
public record Entities(int queues, int subscriptions) {
    /** A queue for the message that shows whether a broker is up, so that no other queue receives it. */
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

    /** Returns routes through all queues. */
    public Routes throughQueues() {
        return Routes.of(queueNames());
    }
}
