package dev.jitney.benchmarks.bench;

import dev.jitney.testing.process.ConfigFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the rules of subscriptions look like, each of which takes every message of the benchmark. */
enum SubscriptionRules {
    /** Nothing is looked at. */
    TRUE,
    /** Two comparisons. */
    SQL,
    /** One property. */
    CORRELATION;

    /** Application properties that all of these rules are about. */
    static final Map<String, Object> PROPERTIES = Map.of("colour", "red", "quantity", 12);

    /** Subscriptions for a configuration file, each with a rule of its own. */
    List<String> subscriptions(int count) {
        List<String> subscriptions = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            String name = "s" + i;
            subscriptions.add(
                    switch (this) {
                        case TRUE -> ConfigFile.subscription(name, OwnServer.MAX_DELIVERY_COUNT);
                        case SQL ->
                            ConfigFile.subscription(
                                    name,
                                    OwnServer.MAX_DELIVERY_COUNT,
                                    // Different texts: no server shall get away with evaluating one for all.
                                    ConfigFile.sqlRule("r", "colour = 'red' AND quantity > " + i % 10));
                        case CORRELATION ->
                            ConfigFile.subscription(
                                    name,
                                    OwnServer.MAX_DELIVERY_COUNT,
                                    ConfigFile.correlationRule("r", "colour", "red"));
                    });
        }
        return subscriptions;
    }
}
