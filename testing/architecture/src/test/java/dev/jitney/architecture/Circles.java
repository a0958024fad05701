package dev.jitney.architecture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A search for circles: the largest sets of nodes in which each node reaches every other node (Tarjan, 1972). */
final class Circles {
    private final Map<String, Set<String>> graph;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private final Set<String> onPath = new HashSet<>();
    private final List<List<String>> found = new ArrayList<>();

    private Circles(Map<String, Set<String>> graph) {
        this.graph = graph;
    }

    /**
     * Returns the circles of a graph, each in alphabetical order, without nodes that are in no circle.
     *
     * @param graph the nodes with the nodes that each needs
     */
    static List<List<String>> of(Map<String, Set<String>> graph) {
        Circles circles = new Circles(graph);
        for (String node : graph.keySet()) {
            if (!circles.numbers.containsKey(node)) {
                circles.visit(node);
            }
        }
        return circles.found;
    }

    private void visit(String node) {
        int number = numbers.size();
        numbers.put(node, number);
        lowest.put(node, number);
        path.push(node);
        onPath.add(node);
        for (String next : graph.getOrDefault(node, Set.of())) {
            if (!numbers.containsKey(next)) {
                visit(next);
                lowest.merge(node, lowest.get(next), Math::min);
            } else if (onPath.contains(next)) {
                lowest.merge(node, numbers.get(next), Math::min);
            }
        }
        if (lowest.get(node) == number) {
            takeCircle(node);
        }
    }

    private void takeCircle(String first) {
        List<String> circle = new ArrayList<>();
        String node;
        do {
            node = path.pop();
            onPath.remove(node);
            circle.add(node);
        } while (!node.equals(first));
        if (circle.size() > 1) {
            circle.sort(null);
            found.add(circle);
        }
    }
}
