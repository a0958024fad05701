package dev.jitney.core.queue.state;

import dev.jitney.core.Lane;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The receivers of a fragment. Those that want something wait in a row per lane; whoever got a message goes to the end
 * of the row, so that competing receivers share evenly.
 */
final class Receivers {
    private final Map<Long, ReceiverState> byId = new LinkedHashMap<>();
    private final Map<Lane, LinkedHashMap<Long, ReceiverState>> waiting = new EnumMap<>(Lane.class);
    private final Map<Lane, Collection<ReceiverState>> waitingView = new EnumMap<>(Lane.class);

    Receivers() {
        for (Lane lane : Lane.values()) {
            LinkedHashMap<Long, ReceiverState> row = new LinkedHashMap<>();
            waiting.put(lane, row);
            waitingView.put(lane, Collections.unmodifiableCollection(row.values()));
        }
    }

    int size() {
        return byId.size();
    }

    @Nullable
    ReceiverState find(long id) {
        return byId.get(id);
    }

    Collection<ReceiverState> all() {
        return byId.values();
    }

    /** Receivers of a lane with demand or a drain to answer, the next one first. */
    Collection<ReceiverState> waiting(Lane lane) {
        Collection<ReceiverState> row = waitingView.get(lane);
        if (row == null) {
            throw unknown(lane);
        }
        return row;
    }

    /** Whether some receiver of the lane wants messages: TTL-5's active receiver. */
    boolean isActive(Lane lane) {
        return !row(lane).isEmpty();
    }

    void add(ReceiverState receiver) {
        byId.put(receiver.id, receiver);
    }

    void remove(long id) {
        ReceiverState receiver = byId.remove(id);
        if (receiver != null) {
            row(receiver.lane).remove(id);
        }
    }

    /** Takes a receiver out of the row until it sets its credit again. */
    void pause(long id) {
        ReceiverState receiver = byId.get(id);
        if (receiver != null) {
            receiver.paused = true;
            row(receiver.lane).remove(id);
        }
    }

    /** Puts a receiver into the row, at its end, or takes it out, as its demand says. */
    void requeue(ReceiverState receiver, boolean toTheEnd) {
        LinkedHashMap<Long, ReceiverState> row = row(receiver.lane);
        if (receiver.paused || (receiver.demand() == 0 && !receiver.drain)) {
            row.remove(receiver.id);
        } else {
            if (toTheEnd) {
                row.remove(receiver.id);
            }
            row.putIfAbsent(receiver.id, receiver);
        }
    }

    private LinkedHashMap<Long, ReceiverState> row(Lane lane) {
        LinkedHashMap<Long, ReceiverState> row = waiting.get(lane);
        if (row == null) {
            throw unknown(lane);
        }
        return row;
    }

    private static IllegalStateException unknown(Lane lane) {
        return new IllegalStateException("Expected a row for every lane, but " + lane + " has none.");
    }
}
