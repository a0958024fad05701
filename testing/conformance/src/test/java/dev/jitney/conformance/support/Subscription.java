package dev.jitney.conformance.support;

import dev.jitney.model.SubscriptionDescription;

/** Names a subscription. */
public record Subscription(String topic, String name) {

    /** As link addresses and the broker have it. */
    public String path() {
        return SubscriptionDescription.pathOf(topic, name);
    }

    /** Its dead-letter queue. */
    public String deadLetterPath() {
        return path() + "/$DeadLetterQueue";
    }
}
