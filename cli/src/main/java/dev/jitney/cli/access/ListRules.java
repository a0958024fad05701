package dev.jitney.cli.access;

import dev.jitney.cli.connection.NamespaceClients;
import dev.jitney.cli.output.Console;
import dev.jitney.cli.output.OutputFormat;
import dev.jitney.cli.output.Report;
import dev.jitney.cli.output.Report.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** The command {@code jitney access list}. */
@Command(
        name = "list",
        description = "Lists access rules with their rights, without keys.",
        footerHeading = "%nExamples:%n",
        footer = {"  jitney access list", "  jitney access list --entity orders --output json"})
final class ListRules extends AccessCommand {
    private static final List<Column> COLUMNS =
            List.of(new Column("RULE", "accessRule"), new Column("RIGHTS", "rights"));

    ListRules(Console console) {
        super(console);
    }

    @Override
    protected void run(NamespaceClients clients, OutputFormat format) {
        try (Report report = Report.of(console().out(), format, COLUMNS)) {
            for (AccessRules.Rule rule : rules(clients).all().values()) {
                Map<String, @Nullable Object> row = new LinkedHashMap<>();
                row.put("accessRule", rule.name());
                row.put("rights", format == OutputFormat.JSON ? rule.rights() : String.join(", ", rule.rights()));
                report.add(row);
            }
        }
    }
}
