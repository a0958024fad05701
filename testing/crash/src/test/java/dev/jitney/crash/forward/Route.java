package dev.jitney.crash.forward;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A route of messages through entities that forward them.
 *
 * @param entry the entity to which messages are sent
 * @param stations the entities of the route, each before the entities it forwards to
 * @param places the places where messages may be when no message is in transit
 */
record Route(String name, String entry, List<Station> stations, List<Place> places) {

    /** The kind of a place. */
    enum Kind {
        END,
        /** An end with messages in the order in which they were sent. */
        ORDERED_END,
        /** A place for messages that could not be forwarded. */
        DETOUR
    }

    /**
     * An entity.
     *
     * @param description its description for the administration API, without status
     * @param forwards the messages that it forwards
     */
    record Station(String path, Description description, Forwards forwards) {}

    /** The messages that an entity forwards. */
    enum Forwards {
        NOTHING,
        MESSAGES,
        DEAD_LETTERS
    }

    /**
     * A place where messages may be.
     *
     * @param address a queue, a subscription or one of their sub-queues
     * @param reasons the allowed values of DeadLetterReason; empty if all are allowed
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
