package dev.jitney.core.topic.state;

import dev.jitney.core.topic.Subscriber;
import java.util.LinkedHashMap;
import java.util.Map;

/** A subscriber with its rules and its position among the subscribers of its topic. */
final class SubscriberRules {
    /** The rules by name in lower case, in the order in which they were added. */
    final Map<String, TopicRule> rules = new LinkedHashMap<>();

    private final long position;
    private Subscriber subscriber;
    private long rulesEver;

    SubscriberRules(long position, Subscriber subscriber) {
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

    /** Returns the position of the next new rule. */
    long nextRulePosition() {
        return rulesEver++;
    }
}
