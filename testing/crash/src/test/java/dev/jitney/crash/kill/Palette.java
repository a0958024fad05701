package dev.jitney.crash.kill;

import dev.jitney.testing.process.ConfigFile;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The topic of the crash test, with its subscriptions and messages. The color of a message determines its number of
 * copies, from one to six. Messages of the color "clear" have one copy with its own body; the others have copies with a
 * shared body.
 */
final class Palette {
    static final String TOPIC = "palette";
    static final int MAX_DELIVERY_COUNT = 3;

    /** The subscription that is created and deleted repeatedly. */
    static final String FLEETING = "fleeting";

    static final String FLEETING_FILTER = "colour = 'red'";
    private static final List<String> COLOURS = List.of("red", "blue", "red", "blue", "clear", "red", "blue");

    private Palette() {}

    /** Returns the topic for a configuration file. */
    static String topic() {
        return ConfigFile.topic(
                TOPIC,
                List.of(
                        ConfigFile.subscription("everything", MAX_DELIVERY_COUNT),
                        ConfigFile.subscription(
                                "coloured", MAX_DELIVERY_COUNT, ConfigFile.sqlRule("r", "colour IN ('red', 'blue')")),
                        ConfigFile.subscription(
                                "red", MAX_DELIVERY_COUNT, ConfigFile.correlationRule("r", "colour", "red")),
                        ConfigFile.subscription(
                                "twice",
                                MAX_DELIVERY_COUNT,
                                ConfigFile.sqlRule("plain", "colour <> 'clear'"),
                                ConfigFile.sqlRule("mixed", "colour = 'red'", "SET mixed = 'violet'")),
                        ConfigFile.subscription(
                                "never", MAX_DELIVERY_COUNT, ConfigFile.sqlRule("r", "colour = 'green'"))));
    }

    /** Returns the subscriptions with empty ledgers. */
    static List<Subscribed> subscriptions() {
        IntPredicate none = number -> false;
        IntPredicate red = number -> colour(number).equals("red");
        IntPredicate coloured = number -> !colour(number).equals("clear");
        return List.of(
                subscribed("everything", number -> true, none),
                subscribed("coloured", coloured, none),
                subscribed("red", red, none),
                subscribed("twice", coloured, red),
                subscribed("never", none, none));
    }

    /** Returns the subscription that is created and deleted repeatedly, with an empty ledger. */
    static Subscribed fleeting() {
        return subscribed(FLEETING, number -> colour(number).equals("red"), number -> false);
    }

    private static Subscribed subscribed(String name, IntPredicate plain, IntPredicate changed) {
        return new Subscribed(TOPIC + "/Subscriptions/" + name, plain, changed, new Ledger(MAX_DELIVERY_COUNT));
    }

    private static String colour(int number) {
        return COLOURS.get(number % COLOURS.size());
    }

    /** Returns the properties that rules evaluate. */
    static Map<String, Object> properties(int number) {
        return Map.of("colour", colour(number), "number", number);
    }
}
