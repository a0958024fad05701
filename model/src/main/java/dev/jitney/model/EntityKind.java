package dev.jitney.model;

/** The kinds of entities that messages are sent to or received from. */
public enum EntityKind {
    QUEUE("Queue"),
    TOPIC("Topic"),
    SUBSCRIPTION("Subscription");

    private final String word;

    EntityKind(String word) {
        this.word = word;
    }

    /** Returns the name of the kind as Service Bus writes it. */
    public String word() {
        return word;
    }
}
