package dev.jitney.crash.forward;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A way of messages through entities that forward them.
 *
 * @param entry where they are sent to
 * @param stations the entities on it, those that forward before those they forward to
 * @param places where messages may be when nothing moves
 */
record Route(String name, String entry, List<Station> stations, List<Place> places) {

    /** What a place is. */
    enum Kind {
        END,
        /** Its messages are in the order in which they were sent. */
        ORDERED_END,
        /** Where messages go that could not go on. */
        DETOUR
    }

    /**
     * An entity.
     *
     * @param description its element of the administration API, without status
     * @param forwards what it passes on
     */
    record Station(String path, Description description, Forwards forwards) {}

    /** What an entity passes on. */
    enum Forwards {
        NOTHING,
        MESSAGES,
        DEAD_LETTERS
    }

    /**
     * Where messages may be.
     *
     * @param address a queue, a subscription or one of their sub-queues
     * @param reasons values of DeadLetterReason they may have there, empty if it does not matter
     */
    record Place(String address, Kind kind, Set<String> reasons) {

        boolean allows(@Nullable Object reason) {
            return reasons.isEmpty() || reasons.contains(String.valueOf(reason));
        }
    }

    @Nullable
    Place place(String address) {
        return places.stream()
                .filter(place -> place.address().equals(address))
                .findFirst()
                .orElse(null);
    }
}
