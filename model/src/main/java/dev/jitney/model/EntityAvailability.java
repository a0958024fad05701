package dev.jitney.model;

/**
 * Whether an entity can be worked with (CNT-4). The service knows Unknown and Restoring as well, for states this broker
 * does not have.
 */
public enum EntityAvailability {
    /** All of it. */
    AVAILABLE("Available"),
    /** A messaging store that it is kept in, or a part of it, does not work now (PART-58). */
    LIMITED("Limited");

    private final String word;

    EntityAvailability(String word) {
        this.word = word;
    }

    /** How management names it. */
    public String word() {
        return word;
    }
}
