package dev.jitney.cli.entity;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import com.azure.messaging.servicebus.administration.models.TopicProperties;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads entities as documents from which {@link EntityWriter} creates them again: {@code kind}, names, settings, and the rules
 * of a subscription. The documents contain no keys of access rules.
 */
public final class EntityReader {
    private static final QueueType QUEUES = new QueueType();
    private static final TopicType TOPICS = new TopicType();
    private static final SubscriptionType SUBSCRIPTIONS = new SubscriptionType();

    private final ServiceBusAdministrationClient client;

    public EntityReader(ServiceBusAdministrationClient client) {
        this.client = client;
    }

    /**
     * An entity from the namespace.
     *
     * @param path the path of its messages; a topic has only scheduled ones
     * @param messages the number of messages in all of its sub-queues
     * @param deadLetters whether it has dead-letter queues, which a topic does not
     */
    public record Found(Map<String, @Nullable Object> document, String path, long messages, boolean deadLetters) {}

    /**
     * Passes queues, topics and subscriptions to the consumer, a topic before its subscriptions.
     *
     * @param only names of queues and topics, or paths of subscriptions; empty for all
     * @return the elements of {@code only} that exist
     */
    public List<String> read(Set<String> only, Consumer<Found> consumer) {
        Set<String> wanted = only.stream().map(EntityReader::folded).collect(Collectors.toSet());
        List<String> found = new ArrayList<>();
        QUEUES.list(client, List.of()).forEach(queue -> {
            if (isWanted(wanted, queue.getName(), found)) {
                consumer.accept(queue(queue));
            }
        });
        TOPICS.list(client, List.of()).forEach(topic -> {
            boolean whole = isWanted(wanted, topic.getName(), found);
            boolean told = whole;
            if (whole) {
                consumer.accept(topic(topic));
            }
            for (SubscriptionProperties subscription :
                    SUBSCRIPTIONS.list(client, List.of(topic.getName())).toList()) {
                if (isWanted(wanted, path(subscription), found) || whole) {
                    if (!told) {
                        consumer.accept(topic(topic));
                        told = true;
                    }
                    consumer.accept(subscription(subscription));
                }
            }
        });
        return found;
    }

    private static boolean isWanted(Set<String> wanted, String path, List<String> found) {
        if (wanted.contains(folded(path))) {
            found.add(path);
            return true;
        }
        return wanted.isEmpty();
    }

    private static String folded(String path) {
        return path.toLowerCase(Locale.ROOT);
    }

    private static String path(SubscriptionProperties subscription) {
        return subscription.getTopicName() + "/subscriptions/" + subscription.getSubscriptionName();
    }

    private static Found queue(QueueProperties queue) {
        return new Found(document(QUEUES, queue), queue.getName(), count(QUEUES.runtime(queue), "messageCount"), true);
    }

    private static Found topic(TopicProperties topic) {
        return new Found(
                document(TOPICS, topic), topic.getName(), count(TOPICS.runtime(topic), "scheduledMessageCount"), false);
    }

    private Found subscription(SubscriptionProperties subscription) {
        Map<String, @Nullable Object> document = document(SUBSCRIPTIONS, subscription);
        List<Map<String, @Nullable Object>> rules = new ArrayList<>();
        client.listRules(subscription.getTopicName(), subscription.getSubscriptionName())
                .forEach(rule -> rules.add(Rules.description(rule)));
        document.put("rules", rules);
        return new Found(
                document, path(subscription), count(SUBSCRIPTIONS.runtime(subscription), "messageCount"), true);
    }

    private static <P> Map<String, @Nullable Object> document(EntityType<?, P> type, P properties) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("kind", type.word());
        document.putAll(type.description(properties));
        return document;
    }

    private static long count(Map<String, Object> runtime, String which) {
        return runtime.get(which) instanceof Number number ? number.longValue() : 0;
    }
}
