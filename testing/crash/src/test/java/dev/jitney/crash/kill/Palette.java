package dev.jitney.crash.kill;

import dev.jitney.testing.process.ConfigFile;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The topic of the crash test, its subscriptions and the messages sent to it. By its colour a message has from one to six
 * copies: clear ones have one, with a body of its own, the others share theirs.
 */
final class Palette {
    static final String TOPIC = "palette";
    static final int MAX_DELIVERY_COUNT = 3;

    /** A subscription that comes and goes. */
    static final String FLEETING = "fleeting";

    static final String FLEETING_FILTER = "colour = 'red'";
    private static final List<String> COLOURS = List.of("red", "blue", "red", "blue", "clear", "red", "blue");

    private Palette() {}

    /** The topic for a configuration file. */
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

    /** The same as expectations, with nothing in them. */
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

    /** The one that comes and goes, new. */
    static Subscribed fleeting() {
        return subscribed(FLEETING, number -> colour(number).equals("red"), number -> false);
    }

    private static Subscribed subscribed(String name, IntPredicate plain, IntPredicate changed) {
        return new Subscribed(TOPIC + "/Subscriptions/" + name, plain, changed, new Ledger(MAX_DELIVERY_COUNT));
    }

    private static String colour(int number) {
        return COLOURS.get(number % COLOURS.size());
    }

    /** What rules see of a message. */
    static Map<String, Object> properties(int number) {
        return Map.of("colour", colour(number), "number", number);
    }
}
