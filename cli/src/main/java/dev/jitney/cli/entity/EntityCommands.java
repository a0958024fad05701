package dev.jitney.cli.entity;

import com.azure.core.exception.ResourceExistsException;
import com.azure.core.exception.ResourceNotFoundException;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import dev.jitney.cli.output.Confirmation;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.Failure;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;

/** The commands {@code jitney queue create|show|update|list|delete}, and the same for topics and subscriptions. */
public final class EntityCommands {
    private EntityCommands() {}

    public static CommandLine queue(Console console) {
        return group(console, new QueueType(), "orders");
    }

    public static CommandLine topic(Console console) {
        return group(console, new TopicType(), "events");
    }

    public static CommandLine subscription(Console console) {
        return group(console, new SubscriptionType(), "events billing");
    }

    private static <C, P> CommandLine group(Console console, EntityType<C, P> type, String example) {
        String word = type.word();
        CommandSpec create = spec(new Create<>(console, type), "Creates a " + word + ".", type, type.keys());
        CommandSpec show = spec(new Show<>(console, type), "Shows a " + word + " with its counts.", type, type.keys());
        CommandSpec update = spec(
                new Update<>(console, type), "Changes the given properties and keeps all others.", type, type.keys());
        CommandSpec list = spec(
                new ListAll<>(console, type),
                "Lists " + word + "s with their counts.",
                type,
                type.keys().subList(0, type.keys().size() - 1));
        CommandSpec delete =
                spec(new Delete<>(console, type), "Deletes a " + word + " with everything in it.", type, type.keys());
        for (Setting<C, P, ?> setting : type.settings()) {
            create.addOption(option(setting));
            if (setting.mutable()) {
                update.addOption(option(setting));
            }
        }
        return new CommandLine(CommandSpec.create()
                .name(word)
                .addSubcommand("create", new CommandLine(create))
                .addSubcommand("show", new CommandLine(show))
                .addSubcommand("update", new CommandLine(update))
                .addSubcommand("list", new CommandLine(list))
                .addSubcommand("delete", new CommandLine(delete))
                .mixinStandardHelpOptions(true)
                .usageMessage(new CommandLine.Model.UsageMessageSpec()
                        .autoWidth(true)
                        .description("Creates, shows, changes, lists and deletes " + word + "s.")
                        .footerHeading("%nExamples:%n")
                        .footer(
                                "  jitney " + word + " create " + example + " --default-message-time-to-live 14d",
                                "  jitney " + word + " show " + example,
                                "  jitney " + word + " delete " + example,
                                "",
                                "delete shows the contents of the entity and requires confirmation.",
                                "In scripts, add --yes.")));
    }

    private static CommandSpec spec(
            EntityCommand command, String description, EntityType<?, ?> type, List<String> keys) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(command);
        spec.usageMessage().description(description);
        for (int i = 0; i < keys.size(); i++) {
            spec.addPositional(PositionalParamSpec.builder()
                    .index(String.valueOf(i))
                    .arity("1")
                    .required(true)
                    .type(String.class)
                    .paramLabel(label(keys.get(i), type))
                    .build());
        }
        return spec;
    }

    private static String label(String key, EntityType<?, ?> type) {
        return key.equals("name")
                ? type.word().toUpperCase(java.util.Locale.ROOT)
                : key.replace("Name", "").toUpperCase(java.util.Locale.ROOT);
    }

    private static OptionSpec option(Setting<?, ?, ?> setting) {
        OptionSpec.Builder option = OptionSpec.builder(setting.option())
                .type(String.class)
                .paramLabel(setting.type().label())
                .description(setting.description());
        if (setting.flag()) {
            // The flag alone means true. The next word is its value only if it is a boolean word.
            option.arity("0..1")
                    .parameterConsumer((words, argument, command) -> argument.setValue(
                            !words.isEmpty() && words.peek().matches("(?i)true|false|yes|no|on|off")
                                    ? words.pop()
                                    : "true"));
        }
        return option.build();
    }

    private static Failure bad(Setting<?, ?, ?> setting, IllegalArgumentException e) {
        return Failure.badOption(setting.option() + ": " + e.getMessage());
    }

    @Command(name = "create")
    static final class Create<C, P> extends EntityCommand {
        private final EntityType<C, P> type;

        @Option(
                names = "--if-missing",
                description = "Do nothing if the entity already exists, whatever its properties.")
        private boolean ifMissing;

        private final C options;
        private boolean partitioningSaid;

        Create(Console console, EntityType<C, P> type) {
            super(console);
            this.type = type;
            this.options = type.defaults();
        }

        @Override
        void check() {
            for (Setting<C, P, ?> setting : type.settings()) {
                String text = option(setting.option());
                if (text != null) {
                    partitioningSaid |= setting.name().equals(EntityType.PARTITIONING);
                    try {
                        setting.create(options, text);
                    } catch (IllegalArgumentException e) {
                        throw bad(setting, e);
                    }
                }
            }
        }

        @Override
        void run(ServiceBusAdministrationClient client, OutputFormat format) {
            List<String> names = names();
            P created = on(type.called(names), type.word(), () -> {
                try {
                    return type.create(client, names, options, partitioningSaid);
                } catch (ResourceExistsException e) {
                    if (ifMissing) {
                        return type.find(client, names);
                    }
                    throw e;
                }
            });
            Report.single(console().out(), format, type.description(created));
        }
    }

    @Command(name = "show")
    static final class Show<C, P> extends EntityCommand {
        private final EntityType<C, P> type;

        Show(Console console, EntityType<C, P> type) {
            super(console);
            this.type = type;
        }

        @Override
        void run(ServiceBusAdministrationClient client, OutputFormat format) {
            List<String> names = names();
            P found = on(type.called(names), type.word(), () -> type.find(client, names));
            Report.single(console().out(), format, type.document(found));
        }
    }

    @Command(name = "update")
    static final class Update<C, P> extends EntityCommand {
        private final EntityType<C, P> type;

        Update(Console console, EntityType<C, P> type) {
            super(console);
            this.type = type;
        }

        @Override
        void check() {
            C probe = type.defaults();
            boolean any = false;
            for (Setting<C, P, ?> setting : type.settings()) {
                String text = setting.mutable() ? option(setting.option()) : null;
                if (text != null) {
                    any = true;
                    try {
                        setting.create(probe, text);
                    } catch (IllegalArgumentException e) {
                        throw bad(setting, e);
                    }
                }
            }
            if (!any) {
                throw Failure.badOption("Expected at least one property to change, for example "
                        + Objects.requireNonNull(type.settings().get(0)).option() + ". See: jitney " + type.word()
                        + " update --help");
            }
        }

        @Override
        void run(ServiceBusAdministrationClient client, OutputFormat format) {
            List<String> names = names();
            P updated = on(type.called(names), type.word(), () -> {
                P properties = type.find(client, names);
                for (Setting<C, P, ?> setting : type.settings()) {
                    String text = setting.mutable() ? option(setting.option()) : null;
                    if (text != null) {
                        setting.update(properties, text);
                    }
                }
                return type.update(client, properties);
            });
            Report.single(console().out(), format, type.description(updated));
        }
    }

    @Command(name = "list")
    static final class ListAll<C, P> extends EntityCommand {
        private final EntityType<C, P> type;

        ListAll(Console console, EntityType<C, P> type) {
            super(console);
            this.type = type;
        }

        @Override
        void run(ServiceBusAdministrationClient client, OutputFormat format) {
            List<String> parents = names();
            try (Report report = Report.of(console().out(), format, type.columns())) {
                on("topic '" + String.join("/", parents) + "'", "topic", () -> {
                    type.list(client, parents).map(type::document).forEach(report::add);
                    return true;
                });
                if (report.count() == 0) {
                    console().note("There are no " + type.word() + "s" + (parents.isEmpty() ? "." : " in it."));
                }
            }
        }
    }

    @Command(name = "delete")
    static final class Delete<C, P> extends EntityCommand {
        private final EntityType<C, P> type;

        @Option(names = "--if-there", description = "Do nothing if the entity does not exist.")
        private boolean ifThere;

        @Mixin
        private Confirmation confirmation = new Confirmation();

        Delete(Console console, EntityType<C, P> type) {
            super(console);
            this.type = type;
        }

        @Override
        void check() {
            confirmation.check(console(), "delete " + type.called(names()));
        }

        @Override
        void run(ServiceBusAdministrationClient client, OutputFormat format) {
            List<String> names = names();
            String done = on(type.called(names), type.word(), () -> {
                try {
                    P found = type.find(client, names); // the service would delete an entity of any kind with this name
                    if (!confirmation.given() && !confirmation.ask(console(), question(client, names, found))) {
                        return "";
                    }
                    type.delete(client, names);
                    return "Deleted " + type.called(names) + ".";
                } catch (ResourceNotFoundException e) {
                    if (ifThere) {
                        return "There was no " + type.called(names) + ".";
                    }
                    throw e;
                }
            });
            if (!done.isEmpty()) {
                console().note(done);
            }
        }

        private String question(ServiceBusAdministrationClient client, List<String> names, P found) {
            return "Delete " + type.called(names) + " in " + namespace() + " with everything in it: "
                    + String.join(", ", type.contents(client, found)) + "?";
        }
    }
}
