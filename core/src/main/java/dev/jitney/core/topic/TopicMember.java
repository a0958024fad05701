package dev.jitney.core.topic;

import java.util.LinkedHashMap;
import java.util.Map;

/** A subscriber with its rules and its place among the subscribers of its topic. */
final class TopicMember {
    /** Rules by name in lower case, in the order in which they were put. */
    final Map<String, TopicRule> rules = new LinkedHashMap<>();

    private final long position;
    private Subscriber subscriber;
    private long rulesEver;

    TopicMember(long position, Subscriber subscriber) {
        this.position = position;
        this.subscriber = subscriber;
    }

    long position() {
        return position;
    }

    Subscriber subscriber() {
        return subscriber;
    }

    void replace(Subscriber other) {
        subscriber = other;
    }

    /** The place of the next new rule. */
    long nextRulePosition() {
        return rulesEver++;
    }
}
