package dev.jitney.conformance.support;

import dev.jitney.model.SubscriptionDescription;

/** The name of a subscription with its topic. */
public record Subscription(String topic, String name) {

    /** Returns the path as in link addresses and in the broker. */
    public String path() {
        return SubscriptionDescription.pathOf(topic, name);
    }

    /** Returns the path of its dead-letter queue. */
    public String deadLetterPath() {
        return path() + "/$DeadLetterQueue";
    }
}
