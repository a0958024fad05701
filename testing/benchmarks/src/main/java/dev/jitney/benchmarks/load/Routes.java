package dev.jitney.benchmarks.load;

import java.util.Collections;
import java.util.List;

/**
 * Where a run sends to and what it receives from. Links are dealt out to the entities in turn.
 *
 * @param to entities that are sent to
 * @param from entities that are received from
 * @param copies how many messages arrive for one that is sent
 */
public record Routes(List<String> to, List<String> from, int copies) {

    /** To queues and out of them again. */
    public static Routes of(List<String> queues) {
        return new Routes(queues, queues, 1);
    }

    /** To a queue, and out of it or of where it forwards to. */
    public static Routes between(String entity, String destination) {
        return new Routes(List.of(entity), List.of(destination), 1);
    }

    /** To a topic and out of all its subscriptions, each of which takes everything. */
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
