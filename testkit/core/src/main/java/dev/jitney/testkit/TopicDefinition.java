package dev.jitney.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The settings of a topic that a namespace begins with, and its subscriptions. Not thread-safe. */
public final class TopicDefinition extends EntityDefinition<TopicDefinition> {
    private final List<SubscriptionDefinition> subscriptions = new ArrayList<>();

    TopicDefinition(String name) {
        super(name);
    }

    /** Drops messages whose message id was sent before within this window, 20 seconds to 7 days. */
    public TopicDefinition duplicateDetection(Duration window) {
        return duplicates(window);
    }

    /** Adds a subscription that gets all messages. */
    public TopicDefinition subscription(String name) {
        return subscription(name, s -> {});
    }

    /** Adds a subscription. It gets all messages if its settings have no rule. */
    public TopicDefinition subscription(String name, Consumer<SubscriptionDefinition> settings) {
        SubscriptionDefinition made = new SubscriptionDefinition(name);
        settings.accept(made);
        subscriptions.add(made);
        return this;
    }

    @Override
    Map<String, Object> toJson() {
        Map<String, Object> json = super.toJson();
        json.put(
                "Subscriptions",
                subscriptions.stream().map(SubscriptionDefinition::toJson).toList());
        return json;
    }
}
