package dev.jitney.model;

/**
 * The availability status of an entity (CNT-4). Service Bus also has Unknown and Restoring, for states that Jitney does
 * not have.
 */
public enum EntityAvailability {
    /** The whole entity works. */
    AVAILABLE("Available"),
    /** A messaging store that holds the entity, or a part of it, is unavailable (PART-58). */
    LIMITED("Limited");

    private final String word;

    EntityAvailability(String word) {
        this.word = word;
    }

    /** Returns the name of the status in the management API. */
    public String word() {
        return word;
    }
}
