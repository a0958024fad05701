package dev.jitney.cli.syphon;

import dev.jitney.cli.connection.NamespaceAddress;
import dev.jitney.cli.connection.TransportOptions;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.OutputOptions;
import dev.jitney.cli.output.Progress;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.value.Durations;
import dev.jitney.paired.FailureClassifier;
import dev.jitney.paired.MessagingFactory;
import dev.jitney.paired.MessagingFactoryBuilder;
import dev.jitney.paired.SendAvailabilityPairedNamespaceOptions;
import dev.jitney.paired.Syphon;
import dev.jitney.paired.SyphonFigures;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code jitney syphon}. It runs until a signal stops it. */
@Command(
        name = "syphon",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        description = "Moves messages from the backlog queues in the secondary namespace to their destinations in"
                + " the primary. Senders of paired namespaces fill these queues while the primary is unavailable."
                + " Runs until SIGTERM or Ctrl-C.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  export JITNEY_PRIMARY=\"Endpoint=sb://contoso...\"",
            "  export JITNEY_SECONDARY=\"Endpoint=sb://fabrikam...\"",
            "  jitney syphon",
            "  jitney syphon --backlog-queue-count 4 --namespace-name contoso",
            "",
            "At least one syphon must run, in an application (enableSyphon) or here; several at once are safe. It"
                    + " needs Listen in the secondary and Send in the primary. It receives a message under"
                    + " peek-lock, sends it, and then completes it. Each message arrives at least once, and exactly"
                    + " once if the destination detects duplicates. Order is not kept. If a queue or topic accepts"
                    + " no messages, the syphon retries later. A message that was not diverted by a sender goes to"
                    + " the dead-letter queue of its backlog queue (jitney dlq list).",
            "",
            "An idle syphon costs 4 receives per hour for each backlog queue: 40 per hour with 10. More about pairing:"
                    + " docs/guides/paired-namespaces.md"
        })
public final class SyphonCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 500;

    private final Console console;

    @Option(
            names = "--primary",
            paramLabel = "STRING",
            description = "Connection string of the primary namespace, the destination of the messages. Prefer the"
                    + " variable JITNEY_PRIMARY: other users of this machine cannot read it.")
    private @Nullable String primary;

    @Option(
            names = "--secondary",
            paramLabel = "STRING",
            description = "Connection string of the secondary namespace, which has the backlog queues"
                    + " (JITNEY_SECONDARY).")
    private @Nullable String secondary;

    @Option(
            names = "--backlog-queue-count",
            paramLabel = "N",
            description =
                    "Number of backlog queues that the senders use (default: ${DEFAULT-VALUE}). A higher number does no"
                            + " harm. With a lower number, messages in the other queues stay there.")
    private int backlogQueueCount = 10;

    @Option(
            names = "--namespace-name",
            paramLabel = "NAME",
            description =
                    "First part of the backlog queues' names, NAME/x-servicebus-transfer/0 and so on. Must equal the"
                            + " setting of the senders. Default: the first label of the primary's host.")
    private @Nullable String namespaceName;

    @Option(
            names = "--retry-interval",
            paramLabel = "DURATION",
            description = "Pause before the start and after a failure, 1s to 2m (default: ${DEFAULT-VALUE}).")
    private String retryInterval = "1s";

    @Option(
            names = "--read-timeout",
            paramLabel = "DURATION",
            description = "Time that one receive waits for a message, 1s to 24h (default: ${DEFAULT-VALUE}).")
    private String readTimeout = "15m";

    @Option(
            names = "--classifier",
            paramLabel = "NAME",
            description = "Handling of messages whose queue or topic is disabled, missing or forbidden: seed retries"
                    + " them later, legacy dead-letters them (default: ${DEFAULT-VALUE}).")
    private String classifier = "seed";

    @Mixin
    private TransportOptions transport = new TransportOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    public SyphonCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        OutputFormat format = output.format();
        NamespaceAddress from = address("--secondary", secondary);
        NamespaceAddress to = address("--primary", primary);
        transport.trust();
        try (MessagingFactory home = valid("--namespace-name", () -> primary(to).build());
                MessagingFactory backlog =
                        valid("--secondary", () -> transport.factory(from).build());
                Progress progress = new Progress(console, "messages delivered", Progress.UNKNOWN);
                Syphon syphon = start(home, backlog, from, to)) {
            while (!console.interruption().requested()) {
                console.interruption().waitIn(SyphonCommand::pause);
                long more = syphon.figures().delivered() - progress.done();
                if (more > 0) {
                    progress.add(more);
                }
            }
            syphon.close();
            progress.close();
            tell(syphon.figures(), format, from, to);
        }
        return Failure.INTERRUPTED;
    }

    private MessagingFactoryBuilder primary(NamespaceAddress to) {
        MessagingFactoryBuilder builder = transport.factory(to);
        return namespaceName == null ? builder : builder.namespaceName(namespaceName);
    }

    private Syphon start(MessagingFactory home, MessagingFactory backlog, NamespaceAddress from, NamespaceAddress to) {
        if (from.host().equalsIgnoreCase(to.host()) && from.amqpPort() == to.amqpPort()) {
            throw Failure.badOption("--secondary: Expected another namespace than --primary, but both are " + to + ".");
        }
        Syphon syphon = Syphon.start(home, options(backlog));
        console.note("Moving messages from " + backlogQueueCount + " backlog queue"
                + (backlogQueueCount == 1 ? "" : "s") + " in " + from + " to " + to + ". Ctrl-C stops it.");
        return syphon;
    }

    private SendAvailabilityPairedNamespaceOptions options(MessagingFactory backlog) {
        SendAvailabilityPairedNamespaceOptions.Builder options =
                SendAvailabilityPairedNamespaceOptions.builder(backlog);
        valid("--backlog-queue-count", () -> options.backlogQueueCount(backlogQueueCount));
        valid("--retry-interval", () -> options.syphonRetryInterval(Durations.parse(retryInterval)));
        valid("--read-timeout", () -> options.syphonReadTimeout(Durations.parse(readTimeout)));
        return options.classifier(classifier()).build();
    }

    private FailureClassifier classifier() {
        return switch (classifier.toLowerCase(Locale.ROOT)) {
            case "seed" -> FailureClassifier.SEED;
            case "legacy" -> FailureClassifier.LEGACY;
            default -> throw Failure.badOption("--classifier: Expected seed or legacy, but got '" + classifier + "'.");
        };
    }

    private static NamespaceAddress address(String option, @Nullable String connectionString) {
        if (connectionString == null) {
            throw Failure.badOption(option + ": Expected a connection string, here or in JITNEY_"
                    + option.substring(2).toUpperCase(Locale.ROOT) + ". See: jitney syphon --help");
        }
        try {
            return NamespaceAddress.parse(connectionString);
        } catch (Failure e) {
            throw Failure.badOption(option + ": " + e.line());
        }
    }

    /** Calls the library and reports its error with the name of the option. */
    private static <T> T valid(String option, Supplier<T> use) {
        try {
            return use.get();
        } catch (IllegalArgumentException e) {
            throw Failure.badOption(option + ": " + e.getMessage());
        }
    }

    private static void pause() {
        try {
            new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void tell(SyphonFigures figures, OutputFormat format, NamespaceAddress from, NamespaceAddress to) {
        if (format == OutputFormat.JSON) {
            Map<String, Object> summary = new LinkedHashMap<>();
            summary.put("primary", to.toString());
            summary.put("secondary", from.toString());
            summary.put("delivered", figures.delivered());
            summary.put("deadLettered", figures.deadLettered());
            summary.put("left", figures.left());
            summary.put("receives", figures.receives());
            Report.single(console.out(), format, summary);
        }
        console.note(String.format(
                Locale.ROOT,
                "Delivered %,d message%s to %s with %,d receives. Dead-lettered: %,d. Left for a later try: %,d.",
                figures.delivered(),
                figures.delivered() == 1 ? "" : "s",
                to,
                figures.receives(),
                figures.deadLettered(),
                figures.left()));
    }
}
