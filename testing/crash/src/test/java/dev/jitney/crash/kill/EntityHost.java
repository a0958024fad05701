package dev.jitney.crash.kill;

import dev.jitney.model.EntityDescription;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.server.JitneyServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * A server process that reads changes from standard input and makes one after the other. It writes to standard output
 * when a change is durable or why it was rejected.
 */
final class EntityHost {
    static final String READY = "ready";
    static final String SHOW = "show";
    static final String END = "end";

    private EntityHost() {}

    /** @param arguments the data directory */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err); // other output must not look like a reply
        try (JitneyServer server = JitneyServer.builder()
                        .dataDir(Path.of(arguments[0]))
                        .amqpPort(0)
                        .httpPort(0)
                        .build()
                        .start();
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Namespace namespace = server.broker().namespaces().get(0);
            out.println(READY);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals(SHOW)) {
                    show(namespace, out);
                    out.println(END);
                } else {
                    out.println(answer(make(namespace, EntityChange.parse(line))));
                }
            }
        }
    }

    private static String answer(CompletionStage<?> change) {
        try {
            change.toCompletableFuture().join();
            return "DONE";
        } catch (CompletionException e) {
            return e.getCause() instanceof BrokerException refused
                    ? refused.rejection().code().name()
                    : String.valueOf(e.getCause());
        }
    }

    private static CompletionStage<?> make(Namespace namespace, EntityChange change) {
        return switch (change.kind()) {
            case CREATE_QUEUE -> namespace.createQueue(queue(change));
            case UPDATE_QUEUE -> namespace.updateQueue(queue(change));
            case CREATE_TOPIC -> namespace.createTopic(topic(change));
            case UPDATE_TOPIC -> namespace.updateTopic(topic(change));
            case CREATE_SUBSCRIPTION ->
                namespace.createSubscription(subscription(change), rule("first", change.number()));
            case UPDATE_SUBSCRIPTION -> namespace.updateSubscription(subscription(change));
            case CREATE_RULE -> namespace.createRule(change.path(), rule(change.rule(), change.number()));
            case UPDATE_RULE -> namespace.updateRule(change.path(), rule(change.rule(), change.number()));
            case DELETE_RULE -> namespace.deleteRule(change.path(), change.rule());
            case DELETE -> namespace.deleteEntity(change.path());
        };
    }

    private static QueueDescription queue(EntityChange change) {
        return QueueDescription.named(change.path())
                .maxDeliveryCount(change.number())
                .build();
    }

    private static TopicDescription topic(EntityChange change) {
        return TopicDescription.named(change.path())
                .userMetadata(String.valueOf(change.number()))
                .build();
    }

    private static SubscriptionDescription subscription(EntityChange change) {
        return SubscriptionDescription.of(change.topic(), change.subscription())
                .maxDeliveryCount(change.number())
                .build();
    }

    private static RuleDescription rule(String name, int number) {
        return new RuleDescription(name, new SqlRuleFilter("n=" + number, Map.of()), null);
    }

    private static void show(Namespace namespace, PrintStream out) {
        namespace.entities().stream()
                .flatMap(entity -> Stream.concat(Stream.of(entity), entity.subscriptions().stream()))
                .sorted(Comparator.comparing(Entity::path))
                .forEach(entity -> out.println(line(entity)));
    }

    private static String line(Entity entity) {
        Map<String, Integer> rules = new TreeMap<>();
        entity.rules()
                .forEach(rule -> rules.put(rule.description().name(), number((SqlRuleFilter)
                        rule.description().filter())));
        return EntityModel.line(entity.kind().word(), entity.path(), number(entity.description()), rules);
    }

    private static int number(SqlRuleFilter filter) {
        return Integer.parseInt(filter.expression().substring("n=".length()));
    }

    private static int number(EntityDescription description) {
        if (description instanceof QueueDescription queue) {
            return queue.maxDeliveryCount();
        }
        return description instanceof SubscriptionDescription subscription
                ? subscription.maxDeliveryCount()
                : Integer.parseInt(String.valueOf(description.userMetadata()));
    }
}
