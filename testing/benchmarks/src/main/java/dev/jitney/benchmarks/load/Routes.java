package dev.jitney.benchmarks.load;

import java.util.Collections;
import java.util.List;

/**
 * The entities that a run sends to and receives from. Links are distributed over the entities in turn.
 *
 * @param to entities to send to
 * @param from entities to receive from
 * @param copies number of messages that arrive for each message sent
 */
public record Routes(List<String> to, List<String> from, int copies) {

    /** Returns routes into queues and out of the same queues. */
    public static Routes of(List<String> queues) {
        return new Routes(queues, queues, 1);
    }

    /** Returns a route into a queue, and out of that queue or the destination of its forward. */
    public static Routes between(String entity, String destination) {
        return new Routes(List.of(entity), List.of(destination), 1);
    }

    /** Returns a route into a topic and out of all its subscriptions, each of which takes every message. */
    public static Routes fan(String topic, List<String> subscriptions) {
        return new Routes(Collections.singletonList(topic), subscriptions, subscriptions.size());
    }

    String to(int link) {
        return to.get(link % to.size());
    }

    String from(int link) {
        return from.get(link % from.size());
    }
}
