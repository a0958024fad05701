package dev.jitney.crash.mixed;

import dev.jitney.testing.process.ConfigFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The entities of the mixed crash test, for a server with two stores. The names of entities determine their stores. */
public final class MixedPlan {
    public static final int STORES = 2;
    static final String ORDERS = "orders";
    static final String PARTS = "parts";
    static final String ONCE = "once";

    /** Queues that each forward messages to the next one. The last one forwards dead-letter messages to {@link #TOMB}. */
    public static final List<String> CHAIN = List.of("chain-0", "chain-1", "chain-2", "chain-3");

    static final String TOMB = "tomb";
    static final String NEWS = "news";
    static final String EVERYTHING = "everything";
    static final String RED = "red";
    static final String ODD = "odd";
    static final String CLIPPINGS = "clippings";
    static final List<String> SESSIONS = List.of("sessions", "session-parts");

    /** The queues of transactions, which receive from the first queue and send to all of them. */
    public static final List<String> LEDGERS = List.of("balance", "journal-0", "journal-1", "journal-2");

    private static final int FAILURES_MAX = 4;
    private static final int NO_MAX = 1_000_000;
    private static final String DETECTS =
            "\"RequiresDuplicateDetection\":true,\"DuplicateDetectionHistoryTimeWindow\":\"PT5M\"";

    private MixedPlan() {}

    public static Path write(Path file) throws IOException {
        List<String> queues = Stream.of(
                        Stream.of(
                                ConfigFile.queue(ORDERS, FAILURES_MAX),
                                ConfigFile.partitionedQueue(PARTS, FAILURES_MAX),
                                ConfigFile.queue(ONCE, NO_MAX, DETECTS),
                                ConfigFile.forwardingQueue(CHAIN.get(0), CHAIN.get(1)),
                                ConfigFile.forwardingQueue(CHAIN.get(1), CHAIN.get(2)),
                                ConfigFile.forwardingQueue(CHAIN.get(2), CHAIN.get(3)),
                                ConfigFile.queue(
                                        CHAIN.get(3), NO_MAX, "\"ForwardDeadLetteredMessagesTo\":\"" + TOMB + "\""),
                                ConfigFile.queue(TOMB, NO_MAX),
                                ConfigFile.queue(CLIPPINGS, NO_MAX),
                                ConfigFile.queue(SESSIONS.get(0), NO_MAX, "\"RequiresSession\":true," + DETECTS),
                                ConfigFile.queue(
                                        SESSIONS.get(1),
                                        NO_MAX,
                                        "\"RequiresSession\":true,\"EnablePartitioning\":true," + DETECTS)),
                        // A short lock duration for messages of rolled back transactions, because the SDK does not
                        // settle a message twice.
                        LEDGERS.stream()
                                .map(name -> ConfigFile.queue(name, "PT5S", NO_MAX, "\"EnablePartitioning\":false")))
                .flatMap(all -> all)
                .toList();
        String news = ConfigFile.topic(
                NEWS,
                List.of(
                        ConfigFile.subscription(EVERYTHING, FAILURES_MAX),
                        ConfigFile.subscription(RED, NO_MAX, ConfigFile.correlationRule("r", "colour", "red")),
                        ConfigFile.subscription(ODD, NO_MAX, ConfigFile.sqlRule("r", "number % 2 = 1")),
                        ConfigFile.forwardingSubscription("cut", CLIPPINGS)));
        return ConfigFile.write(file, queues, List.of(news));
    }

    static String subscription(String name) {
        return NEWS + "/Subscriptions/" + name;
    }

    /** Returns the places that must be empty after all messages were received. */
    public static List<String> places() {
        return Stream.of(
                        Stream.of(ORDERS, PARTS, ONCE, TOMB, CLIPPINGS),
                        CHAIN.stream(),
                        SESSIONS.stream(),
                        Stream.of(EVERYTHING, RED, ODD, "cut").map(MixedPlan::subscription))
                .flatMap(all -> all)
                .toList();
    }
}
