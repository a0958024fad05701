package dev.jitney.cli.operator;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.connection.ServerCommand;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.output.Report.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code jitney job list|show|pause|resume|cancel}. */
public final class JobCommands {
    private static final List<Column> COLUMNS = List.of(
            new Column("JOB", "id"),
            new Column("STATE", "state"),
            new Column("OPERATION", "operation"),
            new Column("ENTITY", "entity"),
            new Column("DONE", "done"),
            new Column("TOTAL", "total"),
            new Column("REFUSED", "refused"),
            new Column("CREATED", "createdAt"),
            new Column("KEY", "key"),
            new Column("NOTE", "note"));

    private JobCommands() {}

    public static CommandLine job(Console console) {
        return new CommandLine(CommandSpec.create()
                .name("job")
                .addSubcommand("list", new CommandLine(new ListAll(console)))
                .addSubcommand("show", new CommandLine(new Show(console)))
                .addSubcommand("pause", new CommandLine(new Pause(console)))
                .addSubcommand("resume", new CommandLine(new Resume(console)))
                .addSubcommand("cancel", new CommandLine(new Cancel(console)))
                .mixinStandardHelpOptions(true)
                .usageMessage(new CommandLine.Model.UsageMessageSpec()
                        .autoWidth(true)
                        .description("Shows and controls jobs, which change many messages on the server.")
                        .footerHeading("%nExamples:%n")
                        .footer(
                                "  jitney message resubmit orders --all --job --canary 5 --rate 500",
                                "  jitney job list",
                                "  jitney job show 7",
                                "  jitney job pause 7",
                                "  jitney job resume 7",
                                "",
                                "'jitney message' starts jobs, with --job.")));
    }

    /** The base of the commands on one job. */
    abstract static class OneJobCommand extends ServerCommand {
        @Parameters(index = "0", paramLabel = "JOB", description = "Number of the job.")
        private String id = "";

        OneJobCommand(Console console) {
            super(console);
        }

        final String id() {
            return id;
        }

        /** Prints a job. */
        final void show(Job job, OutputFormat format) {
            if (format == OutputFormat.JSON) {
                Report.single(console().out(), format, job.document());
            } else {
                job.sentences().forEach(console()::note);
            }
        }
    }

    @Command(name = "list", description = "Lists the jobs of the namespace, the newest first.")
    static final class ListAll extends ServerCommand {
        ListAll(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, OutputFormat format) {
            JobApi api = new JobApi(clients);
            try (Report report = Report.of(console().out(), format, COLUMNS)) {
                for (Map<String, @Nullable Object> document : api.all()) {
                    report.add(format == OutputFormat.JSON ? document : row(document));
                }
                if (report.count() == 0) {
                    console().note("There are no jobs. 'jitney message' starts them, with --job.");
                }
            }
        }

        private static Map<String, @Nullable Object> row(Map<String, @Nullable Object> document) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>(document);
            if (document.get("order") instanceof Map<?, ?> order) {
                row.put("operation", order.get("operation"));
                row.put("note", order.get("note"));
            }
            return row;
        }
    }

    @Command(name = "show", description = "Shows one job with its progress and its result.")
    static final class Show extends OneJobCommand {
        Show(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, OutputFormat format) {
            JobApi api = new JobApi(clients);
            Job job = new Job(api.find(id()));
            Report.single(console().out(), format, job.document());
            if (format == OutputFormat.TABLE) {
                job.sentences().forEach(console()::note);
            }
        }
    }

    @Command(
            name = "resume",
            description = "Lets a paused job continue, or starts it after its dry run, and waits until it ends.")
    static final class Resume extends OneJobCommand {
        @Option(names = "--detach", description = "Do not wait for the end of the job.")
        private boolean detach;

        Resume(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, OutputFormat format) {
            JobApi api = new JobApi(clients);
            Job job = new Job(api.control(id(), "resume"));
            if (detach) {
                show(job, format);
            } else {
                new JobWatch(api, console(), format).follow(job);
            }
        }
    }

    @Command(name = "pause", description = "Pauses a job. Changes in progress are completed.")
    static final class Pause extends OneJobCommand {
        Pause(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, OutputFormat format) {
            JobApi api = new JobApi(clients);
            show(new Job(api.control(id(), "pause")), format);
        }
    }

    @Command(name = "cancel", description = "Cancels a job. Messages that it has changed stay changed.")
    static final class Cancel extends OneJobCommand {
        Cancel(Console console) {
            super(console);
        }

        @Override
        protected void run(NamespaceClients clients, OutputFormat format) {
            JobApi api = new JobApi(clients);
            show(new Job(api.control(id(), "cancel")), format);
        }
    }
}
