package dev.jitney.cli.entity;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.output.Report.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** The command {@code jitney list}: all entities of a namespace. */
@Command(
        name = "list",
        description = "Lists all queues, topics and subscriptions with their counts.",
        footerHeading = "%nExamples:%n",
        footer = {"  jitney list", "  jitney list --output json | jq -r .path", "  jitney top          the same, live"})
public final class ListCommand extends EntityCommand {
    private static final List<Column> COLUMNS = List.of(
            new Column("KIND", "kind"),
            new Column("PATH", "path"),
            new Column("STATUS", "status"),
            new Column("ACTIVE", "activeMessageCount"),
            new Column("DEAD LETTER", "deadLetterMessageCount"),
            new Column("SCHEDULED", "scheduledMessageCount"),
            new Column("TRANSFER", "transferMessageCount"),
            new Column("TOTAL", "messageCount"),
            new Column("BYTES", "sizeInBytes"));

    private static final QueueType QUEUES = new QueueType();
    private static final TopicType TOPICS = new TopicType();
    private static final SubscriptionType SUBSCRIPTIONS = new SubscriptionType();

    public ListCommand(Console console) {
        super(console);
    }

    @Override
    void run(ServiceBusAdministrationClient client, OutputFormat format) {
        try (Report report = Report.of(console().out(), format, COLUMNS)) {
            forEach(client, report::add);
            if (report.count() == 0) {
                console().note("There are no entities. To create a queue: jitney queue create orders");
            }
        }
    }

    /** Passes every queue, and every topic before its subscriptions, to the consumer: kind, path and all properties. */
    public static void forEach(
            ServiceBusAdministrationClient client, Consumer<Map<String, @Nullable Object>> consumer) {
        QUEUES.list(client, List.of()).forEach(queue -> consumer.accept(document(QUEUES, queue.getName(), queue)));
        TOPICS.list(client, List.of()).forEach(topic -> {
            consumer.accept(document(TOPICS, topic.getName(), topic));
            SUBSCRIPTIONS
                    .list(client, List.of(topic.getName()))
                    .forEach(subscription -> consumer.accept(document(
                            SUBSCRIPTIONS,
                            topic.getName() + "/subscriptions/" + subscription.getSubscriptionName(),
                            subscription)));
        });
    }

    private static <P> Map<String, @Nullable Object> document(EntityType<?, P> type, String path, P properties) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("kind", type.word());
        document.put("path", path);
        document.putAll(type.document(properties));
        return document;
    }
}
