package dev.jitney.core.filter;

import dev.jitney.core.filter.Node.Constant;
import dev.jitney.core.filter.SqlRuleParser.NameContext;
import dev.jitney.core.filter.SqlRuleParser.ReferenceContext;
import dev.jitney.core.filter.SqlRuleParser.SumContext;
import dev.jitney.core.filter.body.JsonPath;
import dev.jitney.core.filter.property.PropertyName;
import dev.jitney.core.filter.property.SystemProperty;
import dev.jitney.core.filter.value.Value;
import dev.jitney.model.ClientText;
import java.text.ParseException;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** The names in a text: properties with or without scope, and functions (FILTER-5, 6, 21). */
final class References {
    private final SqlText text;

    References(SqlText text) {
        this.text = text;
    }

    /** Returns the node for the value of a property or function. */
    Node value(ReferenceContext context, SqlCompiler compiler, int depth) {
        if (context.LEFT() != null) {
            return call(context, compiler, depth);
        }
        SystemProperty property = system(context);
        return property != null
                ? new Expressions.SystemPropertyValue(property)
                : new Expressions.UserProperty(user(context));
    }

    /** Returns the node that tests whether a property exists. */
    Node exists(ReferenceContext context, SqlCompiler compiler, int depth) {
        requireProperty(context, "a property in EXISTS");
        compiler.count(context, depth);
        SystemProperty property = system(context);
        return property != null
                ? new Conditions.SystemPropertyExists(property)
                : new Conditions.UserPropertyExists(user(context));
    }

    /** Returns whether a compiled node is a property. */
    static boolean isProperty(Node node) {
        return node instanceof Expressions.UserProperty
                || node instanceof Expressions.SystemPropertyValue
                || node instanceof Expressions.NamedProperty
                || node instanceof BodyTests.Json;
    }

    /** Returns whether a reference before CONTAINS is the body of the message. */
    static boolean isBody(ReferenceContext context) {
        return context.getChildCount() == 1 && isWord(context.name(0), "body");
    }

    /** Refuses a function call where only a property is allowed. */
    void requireProperty(ReferenceContext context, String expected) {
        if (context.LEFT() != null) {
            throw text.refusal(context.getStart(), expected);
        }
    }

    /** Returns the system property of a reference, or null for a user property. */
    @Nullable
    SystemProperty system(ReferenceContext context) {
        if (context.DOT() == null || isWord(context.name(0), "user")) {
            return null;
        }
        if (!isWord(context.name(0), "sys")) {
            throw text.refusal(context.getStart(), "sys or user before '.'");
        }
        SystemProperty property = SystemProperty.named(spelled(context.name(1)));
        if (property == null) {
            throw text.refusal(context.name(1).getStart(), "a system property");
        }
        return property;
    }

    /** Returns the name of the user property of a reference. */
    PropertyName user(ReferenceContext context) {
        return new PropertyName(spelled(context.name(context.DOT() == null ? 0 : 1)));
    }

    private static boolean isWord(NameContext name, String word) {
        return name.REGULAR() != null && name.getText().equalsIgnoreCase(word);
    }

    private Node call(ReferenceContext context, SqlCompiler compiler, int depth) {
        Token function = context.getStart();
        String name = context.name(0).REGULAR() == null ? "" : PropertyName.fold(function.getText());
        int arguments = context.sum().size();
        switch (name) {
            case "newid" -> {
                requireArguments(function, "no argument for newid", arguments, 0);
                return new Expressions.NewId();
            }
            case "p", "property" -> {
                requireArguments(function, "one argument for " + name, arguments, 1);
                Node argument = compiler.sum(context.sum(0), depth + 1);
                return argument instanceof Constant constant && constant.value().kind() == Value.Kind.STRING
                        ? new Expressions.UserProperty(
                                new PropertyName(constant.value().text()))
                        : new Expressions.NamedProperty(argument);
            }
            case "json" -> {
                if (!text.isOfSearch()) {
                    throw unknown(function);
                }
                requireArguments(function, "one argument for json", arguments, 1);
                compiler.count(context.sum(0), depth + 1);
                JsonPath path = path(context.sum(0));
                text.readsBody(path);
                return new BodyTests.Json(path);
            }
            default -> throw unknown(function);
        }
    }

    private JsonPath path(SumContext argument) {
        Token string = argument.getStart();
        if (string.getType() != SqlRuleParser.STRING || string != argument.getStop()) {
            throw text.refusal(string, "a path in quotes");
        }
        try {
            return JsonPath.parse(Constants.of(text, string).text());
        } catch (ParseException mistake) {
            throw text.refusalInside(string, mistake.getErrorOffset(), String.valueOf(mistake.getMessage()));
        }
    }

    private SyntaxException unknown(Token function) {
        return text.refusal(
                function,
                "one of the functions newid, property" + (text.isOfSearch() ? ", p and json" : " and p"),
                "a call of '" + ClientText.abbreviate(function.getText()) + "'");
    }

    private void requireArguments(Token function, String expected, int arguments, int count) {
        if (arguments != count) {
            throw text.refusal(function, expected, arguments + (arguments == 1 ? " argument" : " arguments"));
        }
    }

    private static String spelled(NameContext name) {
        String written = name.getText();
        if (name.REGULAR() != null || name.CONTAINS() != null) {
            return written;
        }
        String inside = written.substring(1, written.length() - 1);
        return name.BRACKETED() != null ? inside.replace("]]", "]") : inside.replace("\"\"", "\"");
    }
}
