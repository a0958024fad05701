package dev.jitney.cli.entity;

import com.azure.messaging.servicebus.administration.models.CorrelationRuleFilter;
import com.azure.messaging.servicebus.administration.models.EmptyRuleAction;
import com.azure.messaging.servicebus.administration.models.FalseRuleFilter;
import com.azure.messaging.servicebus.administration.models.RuleAction;
import com.azure.messaging.servicebus.administration.models.RuleFilter;
import com.azure.messaging.servicebus.administration.models.SqlRuleAction;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import com.azure.messaging.servicebus.administration.models.TrueRuleFilter;
import dev.jitney.cli.output.Failure;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a filter and an action. */
final class RuleOptions {
    private static final String PROPERTY_PREFIX = "property.";

    @Option(
            names = "--sql",
            paramLabel = "EXPR",
            description = "Accept messages for which this SQL expression is true.")
    private @Nullable String sql;

    @Option(
            names = "--correlation",
            paramLabel = "NAME=VALUE",
            description = "Accept messages whose properties equal all of these values. May be repeated. NAME is"
                    + " correlationId, messageId, to, replyTo, subject, sessionId, replyToSessionId, contentType, or"
                    + " the name of an application property (also written property.NAME). Values are text; for"
                    + " numbers use --sql.")
    private Map<String, String> correlation = new LinkedHashMap<>();

    @Option(names = "--match-all", description = "Accept every message.")
    private boolean matchAll;

    @Option(names = "--match-none", description = "Accept no message.")
    private boolean matchNone;

    @Option(
            names = "--parameter",
            paramLabel = "@NAME=VALUE",
            description = "Value of a parameter in the --sql expression. May be repeated.")
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--action",
            paramLabel = "SQL",
            description =
                    "Change accepted messages, for example: SET priority = 'high'. Empty text removes the action.")
    private @Nullable String action;

    @Option(
            names = "--action-parameter",
            paramLabel = "@NAME=VALUE",
            description = "Value of a parameter in the --action expression. May be repeated.")
    private Map<String, String> actionParameters = new LinkedHashMap<>();

    /** Returns the filter of the options, or null if they have none. */
    @Nullable
    RuleFilter filter() {
        int kinds = (sql == null ? 0 : 1) + (correlation.isEmpty() ? 0 : 1) + (matchAll ? 1 : 0) + (matchNone ? 1 : 0);
        if (kinds > 1) {
            throw Failure.badOption("Expected one filter, but got several. Use one of --sql, --correlation,"
                    + " --match-all and --match-none, or create a rule for each.");
        }
        if (!parameters.isEmpty() && sql == null) {
            throw Failure.badOption("--parameter: Expected an expression that uses it, but got none. Add --sql.");
        }
        if (sql != null) {
            SqlRuleFilter filter = new SqlRuleFilter(sql);
            filter.getParameters().putAll(parameters);
            return filter;
        } else if (!correlation.isEmpty()) {
            return correlationFilter();
        } else if (matchAll) {
            return new TrueRuleFilter();
        }
        return matchNone ? new FalseRuleFilter() : null;
    }

    private RuleFilter correlationFilter() {
        CorrelationRuleFilter filter = new CorrelationRuleFilter();
        correlation.forEach((name, value) -> {
            Rules.SystemProperty system = Rules.SYSTEM_PROPERTIES.get(name.equals("label") ? "subject" : name);
            if (system != null) {
                system.setter().accept(filter, value);
            } else {
                filter.getProperties()
                        .put(name.startsWith(PROPERTY_PREFIX) ? name.substring(PROPERTY_PREFIX.length()) : name, value);
            }
        });
        return filter;
    }

    /** Returns the action of the options, or null if they have none. */
    @Nullable
    RuleAction action() {
        if (!actionParameters.isEmpty() && (action == null || action.isEmpty())) {
            throw Failure.badOption("--action-parameter: Expected an action that uses it, but got none. Add --action.");
        }
        if (action == null) {
            return null;
        } else if (action.isEmpty()) {
            return new EmptyRuleAction();
        }
        SqlRuleAction sqlAction = new SqlRuleAction(action);
        sqlAction.getParameters().putAll(actionParameters);
        return sqlAction;
    }
}
