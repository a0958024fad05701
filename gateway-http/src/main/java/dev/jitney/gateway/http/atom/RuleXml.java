package dev.jitney.gateway.http.atom;

import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.FalseRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleFilter.TrueRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import java.util.Map;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/** The element {@code RuleDescription} with its filter and action (HTTP reference 2.7). */
public final class RuleXml {
    /** The element's name. */
    public static final String ELEMENT = "RuleDescription";

    private static final String FIRST = "DefaultRuleDescription";
    private static final String FILTER = "Filter";
    private static final String ACTION = "Action";
    private static final String PARAMETERS = "Parameters";
    private static final String PROPERTIES = "Properties";
    private static final String SQL = "SqlExpression";
    private static final String TYPE = "i:type";
    private static final int COMPATIBILITY_LEVEL = 20;

    /** The suffix of filter types in clients older than 2013. */
    private static final String OLD_SUFFIX = "Expression";

    private RuleXml() {}

    /**
     * Returns the first rule of a new subscription: the rule in the request, or the default rule that accepts all
     * messages. Java clients up to 7.14 write the element with the name of its type.
     *
     * @param subscription the description of the subscription
     */
    public static RuleDescription readFirst(Elements subscription) throws MalformedEntryException {
        Elements rule = subscription.child(FIRST);
        if (rule == null) {
            rule = subscription.child(ELEMENT);
        }
        if (rule == null) {
            return RuleDescription.takeEverything();
        }
        String name = rule.word("Name");
        return read(rule, name == null ? RuleDescription.DEFAULT_NAME : name);
    }

    /** Reads a rule. Without a filter, it accepts all messages; without an action, it changes nothing. */
    public static RuleDescription read(Elements in, String name) throws MalformedEntryException {
        return new RuleDescription(name, filter(in.child(FILTER)), action(in.child(ACTION)));
    }

    /** Returns the rule as the content of a response, which always has a filter and an action. */
    public static AtomContent content(Rule rule) {
        return out -> {
            out.open(ELEMENT, "xmlns", XmlNames.CONNECT, "xmlns:i", XmlNames.INSTANCE);
            write(out, rule.description().filter());
            SqlRuleAction action = rule.description().action();
            if (action == null) {
                out.empty(ACTION, TYPE, "EmptyRuleAction");
            } else {
                out.open(ACTION, TYPE, "SqlRuleAction");
                sql(out, action.expression(), action.parameters());
                out.close(ACTION);
            }
            out.text("CreatedAt", XmlTimes.precise(rule.createdAtMs()))
                    .text("Name", rule.description().name())
                    .close(ELEMENT);
        };
    }

    private static RuleFilter filter(@Nullable Elements in) throws MalformedEntryException {
        if (in == null) {
            return TrueRuleFilter.INSTANCE;
        }
        return switch (typeOf(in)) {
            case "TrueFilter" -> TrueRuleFilter.INSTANCE;
            case "FalseFilter" -> FalseRuleFilter.INSTANCE;
            case "SqlFilter" -> new SqlRuleFilter(expression(in), RuleValueXml.read(in, PARAMETERS));
            case "CorrelationFilter" ->
                new CorrelationRuleFilter(
                        in.text("CorrelationId"),
                        in.text("MessageId"),
                        in.text("To"),
                        in.text("ReplyTo"),
                        in.text("Label"),
                        in.text("SessionId"),
                        in.text("ReplyToSessionId"),
                        in.text("ContentType"),
                        RuleValueXml.read(in, PROPERTIES));
            default ->
                throw Elements.expected(
                        "the type of the Filter",
                        "SqlFilter, TrueFilter, FalseFilter or CorrelationFilter",
                        typeOf(in));
        };
    }

    private static @Nullable SqlRuleAction action(@Nullable Elements in) throws MalformedEntryException {
        if (in == null) {
            return null;
        }
        return switch (typeOf(in)) {
            case "EmptyRuleAction" -> null;
            case "SqlRuleAction", "SqlFilterAction" ->
                new SqlRuleAction(expression(in), RuleValueXml.read(in, PARAMETERS));
            default ->
                throw Elements.expected("the type of the Action", "EmptyRuleAction or SqlRuleAction", typeOf(in));
        };
    }

    private static String expression(Elements in) throws MalformedEntryException {
        String text = in.text(SQL);
        return text == null ? "" : text; // the check of rules refuses it
    }

    private static String typeOf(Elements in) {
        QName type = in.type();
        String name = type == null ? "" : type.getLocalPart();
        return name.endsWith(OLD_SUFFIX) ? name.substring(0, name.length() - OLD_SUFFIX.length()) : name;
    }

    private static void write(XmlWriter out, RuleFilter filter) {
        if (filter instanceof CorrelationRuleFilter correlation) {
            out.open(FILTER, TYPE, "CorrelationFilter")
                    .text("CorrelationId", correlation.correlationId())
                    .text("MessageId", correlation.messageId())
                    .text("To", correlation.to())
                    .text("ReplyTo", correlation.replyTo())
                    .text("Label", correlation.label())
                    .text("SessionId", correlation.sessionId())
                    .text("ReplyToSessionId", correlation.replyToSessionId())
                    .text("ContentType", correlation.contentType());
            RuleValueXml.write(out, PROPERTIES, correlation.properties());
        } else if (filter instanceof SqlRuleFilter sql) {
            out.open(FILTER, TYPE, "SqlFilter");
            sql(out, sql.expression(), sql.parameters());
        } else {
            boolean all = filter instanceof TrueRuleFilter;
            out.open(FILTER, TYPE, all ? "TrueFilter" : "FalseFilter");
            sql(out, all ? "1=1" : "1=0", Map.of());
        }
        out.close(FILTER);
    }

    private static void sql(XmlWriter out, String expression, Map<String, RuleValue> parameters) {
        out.text(SQL, expression).number("CompatibilityLevel", COMPATIBILITY_LEVEL);
        RuleValueXml.write(out, PARAMETERS, parameters);
    }
}
