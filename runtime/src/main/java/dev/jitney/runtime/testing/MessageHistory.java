package dev.jitney.runtime.testing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The latest committed events of messages in all namespaces of a broker under test. At most {@value #EVENTS_MAX} events are kept; the
 * oldest ones are dropped first. Any thread may call it.
 */
public final class MessageHistory {
    /** The maximum number of events. */
    public static final int EVENTS_MAX = 50_000;

    private final Deque<Entry> events = new ArrayDeque<>();
    private final Map<String, Long> dropped = new HashMap<>();

    private record Entry(String namespace, MessageEvent event) {}

    /**
     * The events of a namespace.
     *
     * @param events oldest first
     * @param dropped the number of older events that are not kept any more
     */
    public record Page(List<MessageEvent> events, long dropped) {}

    /** Adds an event. */
    public synchronized void add(String namespace, MessageEvent event) {
        String key = key(namespace);
        if (events.size() == EVENTS_MAX) {
            dropped.merge(events.removeFirst().namespace, 1L, Long::sum);
        }
        events.addLast(new Entry(key, event));
    }

    /** Returns the events of a namespace. */
    public synchronized Page of(String namespace) {
        String key = key(namespace);
        List<MessageEvent> found = new ArrayList<>();
        for (Entry entry : events) {
            if (entry.namespace.equals(key)) {
                found.add(entry.event);
            }
        }
        return new Page(found, dropped.getOrDefault(key, 0L));
    }

    /** Drops the events of a namespace that was deleted. */
    public synchronized void drop(String namespace) {
        String key = key(namespace);
        events.removeIf(entry -> entry.namespace.equals(key));
        dropped.remove(key);
    }

    private static String key(String namespace) {
        return namespace.toLowerCase(Locale.ROOT);
    }
}
