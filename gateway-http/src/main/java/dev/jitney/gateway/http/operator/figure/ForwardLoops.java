package dev.jitney.gateway.http.operator.figure;

import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.runtime.Entity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The entities that forward messages or dead letters in a loop. The broker permits loops, and dead-letters a message after four hops (FWD-5,
 * FWD-9). Rules are not looked at, so a rule may end a loop through a topic. Not thread-safe.
 */
final class ForwardLoops {
    private final Map<String, Entity> forwarding = new HashMap<>();
    private final Map<String, Set<String>> destinations = new HashMap<>();

    /** An entity in a loop, and the entity to which it forwards there. */
    record Step(Entity entity, String to) {}

    void add(Entity entity) {
        EntityDescription description = entity.description();
        if (description instanceof QueueDescription queue) {
            add(entity, queue.forwardTo());
            add(entity, queue.forwardDeadLetteredMessagesTo());
        } else if (description instanceof SubscriptionDescription subscription) {
            add(entity, subscription.forwardTo());
            add(entity, subscription.forwardDeadLetteredMessagesTo());
        }
    }

    private void add(Entity entity, @Nullable String to) {
        if (to == null) {
            return;
        }
        EntityAddress address = EntityAddress.ofPath(entity.path());
        forwarding.put(address.key(), entity);
        connect(address.key(), EntityAddress.parse(to).key());
        String topic = address.topic();
        if (topic != null) {
            connect(EntityAddress.keyOf(topic), address.key());
        }
    }

    private void connect(String from, String to) {
        destinations.computeIfAbsent(from, first -> new TreeSet<>()).add(to);
    }

    /** Returns the entities in loops, ordered by path. */
    List<Step> find() {
        Map<String, Set<String>> rest = new HashMap<>(destinations);
        rest = withoutEnds(rest); // no way leads further
        rest = reversed(withoutEnds(reversed(rest))); // no way leads there
        List<Step> steps = new ArrayList<>();
        for (Map.Entry<String, Set<String>> each : rest.entrySet()) {
            Entity entity = forwarding.get(each.getKey());
            if (entity != null) {
                steps.add(new Step(entity, each.getValue().iterator().next()));
            }
        }
        steps.sort(Comparator.comparing(step -> step.entity().path()));
        return steps;
    }

    /** Returns the graph without the nodes from which all ways end. */
    private static Map<String, Set<String>> withoutEnds(Map<String, Set<String>> graph) {
        Map<String, Set<String>> origins = reversed(graph);
        Map<String, Integer> open = new HashMap<>();
        Deque<String> ends = new ArrayDeque<>();
        graph.forEach((node, to) -> open.put(node, to.size()));
        for (String node : origins.keySet()) {
            if (!graph.containsKey(node)) {
                ends.add(node);
            }
        }
        while (!ends.isEmpty()) {
            for (String origin : origins.getOrDefault(ends.remove(), Set.of())) {
                if (open.merge(origin, -1, Integer::sum) == 0) {
                    ends.add(origin);
                }
            }
        }
        Map<String, Set<String>> rest = new HashMap<>();
        graph.forEach((node, to) -> {
            Set<String> kept = new TreeSet<>(to);
            kept.removeIf(each -> open.getOrDefault(each, 0) == 0);
            if (!kept.isEmpty()) {
                rest.put(node, kept);
            }
        });
        return rest;
    }

    private static Map<String, Set<String>> reversed(Map<String, Set<String>> graph) {
        Map<String, Set<String>> reversed = new HashMap<>();
        graph.forEach((from, all) -> all.forEach(
                to -> reversed.computeIfAbsent(to, first -> new TreeSet<>()).add(from)));
        return reversed;
    }
}
