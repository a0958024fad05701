package dev.jitney.benchmarks.bench;

import dev.jitney.testing.process.ConfigFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The kinds of subscription rules. Each rule takes every message of the benchmark. */
enum SubscriptionRules {
    /** A rule that reads no property. */
    TRUE,
    /** A rule that makes two comparisons. */
    SQL,
    /** A rule that compares one property. */
    CORRELATION;

    /** The application properties that the rules read. */
    static final Map<String, Object> PROPERTIES = Map.of("colour", "red", "quantity", 12);

    /** Returns subscriptions for a configuration file, each with its own rule. */
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
                                    // The texts differ, so that a server cannot evaluate one rule for all
                                    // subscriptions.
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
