package dev.jitney.gateway.http.operator.figure;

import dev.jitney.runtime.Entity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The entities with the largest values among all that are offered. Not thread-safe. */
final class LargestEntities {
    private static final Comparator<Ranked> LARGEST_FIRST =
            Comparator.comparingLong((Ranked ranked) -> -ranked.value()).thenComparing(ranked -> ranked.entity.path());

    private final int max;
    private final PriorityQueue<Ranked> kept = new PriorityQueue<>(LARGEST_FIRST.reversed());
    private int count;

    /** An entity with its value. */
    record Ranked(Entity entity, long value) {}

    /** @param max the number of entities that are kept */
    LargestEntities(int max) {
        this.max = max;
    }

    void offer(Entity entity, long value) {
        count++;
        kept.add(new Ranked(entity, value));
        if (kept.size() > max) {
            kept.remove(); // the smallest
        }
    }

    /** Returns the number of entities that were offered. */
    int count() {
        return count;
    }

    /** Returns the kept entities, the largest value first. */
    List<Ranked> list() {
        List<Ranked> list = new ArrayList<>(kept);
        list.sort(LARGEST_FIRST);
        return list;
    }
}
