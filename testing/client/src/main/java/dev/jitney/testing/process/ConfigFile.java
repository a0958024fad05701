package dev.jitney.testing.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Configuration files with one namespace. Its entities hold up to 80 GB and messages do not expire. Names are written without
 * escapes.
 */
public final class ConfigFile {
    private static final String KEEPS = "\"DefaultMessageTimeToLive\":\"P10675199DT2H48M5.4775807S\"";
    private static final String IS_LARGE = "\"MaxSizeInMegabytes\":81920";

    private ConfigFile() {}

    /** Returns a queue. */
    public static String queue(String name, int maxDeliveryCount) {
        return queue(name, maxDeliveryCount, IS_LARGE);
    }

    /**
     * Returns a queue with more properties.
     *
     * @param more properties such as {@code "RequiresSession":true}, separated by commas
     */
    public static String queue(String name, int maxDeliveryCount, String more) {
        return queue(name, "PT5M", maxDeliveryCount, more);
    }

    /** Returns a queue with this lock duration and more properties. */
    public static String queue(String name, String lockDuration, int maxDeliveryCount, String more) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{\"LockDuration\":\"" + lockDuration + "\"," + KEEPS
                + ",\"MaxDeliveryCount\":" + maxDeliveryCount + "," + more + "}}";
    }

    /** Returns a queue with a shorter lock duration: from five seconds to five minutes. */
    public static String impatientQueue(String name, int maxDeliveryCount, Duration lock) {
        return queue(name, maxDeliveryCount).replace("PT5M", lock.toString());
    }

    /** Returns a queue whose messages are dead-lettered after their time to live. */
    public static String expiringQueue(String name, Duration timeToLive) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{\"DeadLetteringOnMessageExpiration\":true,"
                + "\"DefaultMessageTimeToLive\":\"" + timeToLive + "\"}}";
    }

    /** Returns a queue that forwards to another entity. */
    public static String forwardingQueue(String name, String to) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{" + KEEPS + "," + IS_LARGE + ",\"ForwardTo\":\"" + to
                + "\"}}";
    }

    /** Returns a partitioned queue. */
    public static String partitionedQueue(String name, int maxDeliveryCount) {
        return queue(name, maxDeliveryCount, "\"EnablePartitioning\":true");
    }

    /** Returns a queue that requires sessions. */
    public static String sessionQueue(String name, int maxDeliveryCount) {
        return queue(name, maxDeliveryCount, IS_LARGE + ",\"RequiresSession\":true");
    }

    /** Returns a queue that detects duplicates within a week. */
    public static String detectingQueue(String name) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{\"LockDuration\":\"PT5M\"," + KEEPS + "," + IS_LARGE
                + ",\"RequiresDuplicateDetection\":true,\"DuplicateDetectionHistoryTimeWindow\":\"P7D\"}}";
    }

    /**
     * Returns a topic.
     *
     * @param subscriptions from {@link #subscription}
     */
    public static String topic(String name, List<String> subscriptions) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{" + KEEPS + "," + IS_LARGE + "},\"Subscriptions\":["
                + String.join(",", subscriptions) + "]}";
    }

    /**
     * Returns a subscription.
     *
     * @param rules from {@link #sqlRule} and {@link #correlationRule}; without rules it accepts every message
     */
    public static String subscription(String name, int maxDeliveryCount, String... rules) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{\"LockDuration\":\"PT5M\"," + KEEPS
                + ",\"MaxDeliveryCount\":" + maxDeliveryCount + "}"
                + (rules.length == 0 ? "" : ",\"Rules\":[" + String.join(",", rules) + "]") + "}";
    }

    /** Returns a subscription that accepts every message and forwards it to another entity. */
    public static String forwardingSubscription(String name, String to) {
        return "{\"Name\":\"" + name + "\",\"Properties\":{" + KEEPS + ",\"ForwardTo\":\"" + to + "\"}}";
    }

    /** Returns a rule with a SQL filter. */
    public static String sqlRule(String name, String expression) {
        return rule(name, "\"FilterType\":\"Sql\",\"SqlFilter\":{\"SqlExpression\":\"" + expression + "\"}");
    }

    /** Returns a rule with a SQL filter and an action. */
    public static String sqlRule(String name, String expression, String action) {
        return rule(
                name,
                "\"FilterType\":\"Sql\",\"SqlFilter\":{\"SqlExpression\":\"" + expression
                        + "\"},\"Action\":{\"SqlExpression\":\"" + action + "\"}");
    }

    /** Returns a rule that requires this text in an application property. */
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
     * @param queues from {@link #queue}
     * @param topics from {@link #topic}
     */
    public static Path write(Path file, List<String> queues, List<String> topics) throws IOException {
        return Files.writeString(
                file,
                "{\"UserConfig\":{\"Namespaces\":[{\"Name\":\"sbemulatorns\",\"Queues\":[" + String.join(",", queues)
                        + "],\"Topics\":[" + String.join(",", topics)
                        + "]}],\"Logging\":{\"Type\":\"Console\"}}}");
    }

    /** Returns server options for a file from {@link #write}. */
    public static String[] options(Path file) {
        return new String[] {"--config", file.toString(), "--limit", "maxQueueSizeInMegabytes=81920"};
    }
}
