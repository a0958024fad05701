package dev.jitney.gateway.http.operator.figure;

import dev.jitney.model.EntityAddress;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.runtime.Entity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The entities that forward messages or dead letters in a loop. The broker permits loops, and dead-letters a message after four hops (FWD-5,
 * FWD-9). Rules are not looked at, so a rule may end a loop through a topic. Not thread-safe.
 */
final class ForwardLoops {
    private final Map<String, Node> nodes = new HashMap<>();

    /** An entity in a loop, and the path of the entity to which it forwards there. */
    record Step(Entity entity, String to) {}

    /** An entity that forwards, or to which others forward. Two edges between the same nodes count as two. */
    private static final class Node {
        private final String path;
        private final List<Node> to = new ArrayList<>(1);
        private final List<Node> from = new ArrayList<>(1);
        private @Nullable Entity entity;
        private int open;
        private boolean outside;

        Node(String path) {
            this.path = path;
        }
    }

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
        Node node = node(address.key(), entity.path());
        EntityAddress destination = EntityAddress.parse(to);
        connect(node, node(destination.key(), destination.path()));
        String topic = address.topic();
        if (topic != null && node.entity == null) {
            connect(node(EntityAddress.keyOf(topic), topic), node);
        }
        node.entity = entity;
    }

    private Node node(String key, String path) {
        return nodes.computeIfAbsent(key, first -> new Node(path));
    }

    private static void connect(Node from, Node to) {
        from.to.add(to);
        to.from.add(from);
    }

    /** Returns the entities in loops, and those on a way from one loop to another, ordered by path. One use. */
    List<Step> find() {
        leaveOut(nodes.values(), node -> node.to, node -> node.from);
        leaveOut(nodes.values(), node -> node.from, node -> node.to);
        List<Step> steps = new ArrayList<>();
        for (Node node : nodes.values()) {
            Entity entity = node.entity;
            if (!node.outside && entity != null) {
                node.to.stream()
                        .filter(to -> !to.outside)
                        .findFirst()
                        .ifPresent(to -> steps.add(new Step(entity, to.path)));
            }
        }
        steps.sort(Comparator.comparing(step -> step.entity().path()));
        return steps;
    }

    /** Leaves out the nodes from which all ways end. */
    private static void leaveOut(
            Collection<Node> nodes, Function<Node, List<Node>> ahead, Function<Node, List<Node>> behind) {
        Deque<Node> ends = new ArrayDeque<>();
        for (Node node : nodes) {
            node.open = 0;
            for (Node next : ahead.apply(node)) {
                node.open += next.outside ? 0 : 1;
            }
            if (node.open == 0 && !node.outside) {
                ends.add(node);
            }
        }
        while (!ends.isEmpty()) {
            Node end = ends.remove();
            end.outside = true;
            for (Node node : behind.apply(end)) {
                if (!node.outside && --node.open == 0) {
                    ends.add(node);
                }
            }
        }
    }
}
