package dev.jitney.testing.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Configuration files with one namespace, whose entities keep messages until they are taken, up to 80 GB. Names are put in
 * as they are.
 */
public final class ConfigFile {
    private static final String KEEPS = "\"DefaultMessageTimeToLive\":\"P10675199DT2H48M5.4775807S\"";
    private static final String IS_LARGE = "\"MaxSizeInMegabytes\":81920";

    private ConfigFile() {}

    /** A queue. */
    public static String queue(String name, int maxDeliveryCount) {
        return queue(name, maxDeliveryCount, IS_LARGE);
    }

    /**
     * A queue with more properties.
     *
     * @param more such as {@code "RequiresSession":true}, parted by commas
     */
    public static String queue(String name, int maxDeliveryCount, String more) {
        return queue(name, "PT5M", maxDeliveryCount, more);
    }

    /** A queue whose locks last so long, with more properties. */
    public static String queue(String name, String lockDuration, int maxDeliveryCount, String more) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{\"LockDuration\":\"" + lockDuration + "\"," + KEEPS
                + ",\"MaxDeliveryCount\":" + maxDeliveryCount + "," + more + "}}";
    }

    /** A queue whose locks are shorter than those of the others: five seconds at least, five minutes at most. */
    public static String impatientQueue(String name, int maxDeliveryCount, Duration lock) {
        return queue(name, maxDeliveryCount).replace("PT5M", lock.toString());
    }

    /** A queue that keeps messages for a while and then dead-letters them. */
    public static String expiringQueue(String name, Duration timeToLive) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{\"DeadLetteringOnMessageExpiration\":true,"
                + "\"DefaultMessageTimeToLive\":\"" + timeToLive + "\"}}";
    }

    /** A queue that forwards to another entity. */
    public static String forwardingQueue(String name, String to) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{" + KEEPS + "," + IS_LARGE + ",\"ForwardTo\":\"" + to
                + "\"}}";
    }

    /** A queue that is spread over fragments. */
    public static String partitionedQueue(String name, int maxDeliveryCount) {
        return queue(name, maxDeliveryCount, "\"EnablePartitioning\":true");
    }

    /** A queue whose messages belong to sessions. */
    public static String sessionQueue(String name, int maxDeliveryCount) {
        return queue(name, maxDeliveryCount, IS_LARGE + ",\"RequiresSession\":true");
    }

    /** A queue that detects duplicates within a week. */
    public static String detectingQueue(String name) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{\"LockDuration\":\"PT5M\"," + KEEPS + "," + IS_LARGE
                + ",\"RequiresDuplicateDetection\":true,\"DuplicateDetectionHistoryTimeWindow\":\"P7D\"}}";
    }

    /**
     * A topic.
     *
     * @param subscriptions made by {@link #subscription}
     */
    public static String topic(String name, List<String> subscriptions) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{" + KEEPS + "," + IS_LARGE + "},\"Subscriptions\":["
                + String.join(",", subscriptions) + "]}";
    }

    /**
     * A subscription.
     *
     * @param rules made by {@link #sqlRule} and {@link #correlationRule}; without any it takes everything
     */
    public static String subscription(String name, int maxDeliveryCount, String... rules) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{\"LockDuration\":\"PT5M\"," + KEEPS
                + ",\"MaxDeliveryCount\":" + maxDeliveryCount + "}"
                + (rules.length == 0 ? "" : ",\"Rules\":[" + String.join(",", rules) + "]") + "}";
    }

    /** A subscription that takes everything and forwards it to another entity. */
    public static String forwardingSubscription(String name, String to) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{" + KEEPS + ",\"ForwardTo\":\"" + to + "\"}}";
    }

    /** A rule with a SQL filter. */
    public static String sqlRule(String name, String expression) {
        return rule(name, "\"FilterType\":\"Sql\",\"SqlFilter\":{\"SqlExpression\":\"" + expression + "\"}");
    }

    /** A rule with a SQL filter and an action. */
    public static String sqlRule(String name, String expression, String action) {
        return rule(
                name,
                "\"FilterType\":\"Sql\",\"SqlFilter\":{\"SqlExpression\":\"" + expression
                        + "\"},\"Action\":{\"SqlExpression\":\"" + action + "\"}");
    }

    /** A rule that wants one application property to have a text. */
    public static String correlationRule(String name, String property, String value) {
        return rule(
                name,
                "\"FilterType\":\"Correlation\",\"CorrelationFilter\":{\"Properties\":{\"" + property + "\":\"" + value
                        + "\"}}");
    }

    private static String rule(String name, String properties) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{" + properties + "}}";
    }

    /**
     * Writes the file.
     *
     * @param queues made by {@link #queue}
     * @param topics made by {@link #topic}
     */
    public static Path write(Path file, List<String> queues, List<String> topics) throws IOException {
        return Files.writeString(
                file,
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"sbemulatorns\",\"Queues\":[" + String.join(",", queues)
                        + "],\"Topics\":[" + String.join(",", topics)
                        + "]}],\"Logging\":{\"Type\":\"Console\"}}}");
    }

    /** Server options for a file that was written here. */
    public static String[] options(Path file) {
        return new String[] {"--config", file.toString(), "--limit", "maxQueueSizeInMegabytes=81920"};
    }
}
