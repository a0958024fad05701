package dev.jitney.core.queue.state;

import dev.jitney.core.Lane;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The receivers of a fragment. Receivers with credit or a pending drain wait in one row per lane. A receiver that gets a
 * message moves to the end of its row, so that competing receivers share evenly.
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

    /** Returns the receivers of a lane with credit or a pending drain, the next one first. */
    Collection<ReceiverState> waiting(Lane lane) {
        Collection<ReceiverState> row = waitingView.get(lane);
        if (row == null) {
            throw unknown(lane);
        }
        return row;
    }

    /** Returns whether a receiver of the lane has credit, which is the active receiver of TTL-5. */
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

    /** Removes a receiver from the row until it sets its credit again. */
    void pause(long id) {
        ReceiverState receiver = byId.get(id);
        if (receiver != null) {
            receiver.paused = true;
            row(receiver.lane).remove(id);
        }
    }

    /**
     * Keeps a receiver in the row, optionally moving it to the end, or removes it if it has neither credit nor a pending
     * drain.
     */
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
