package dev.jitney.simulation.model.row;

import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleFilter.TrueRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A reader of rule rows as {@code docs/formats.md} describes them. It converts rows and requested rules to the same
 * text form, so that they can be compared.
 */
public final class RuleBytes {
    private static final int CORRELATION_TEXTS = 8;

    private RuleBytes() {}

    /** Returns the name of the rule in a key, in lower case. */
    public static String name(byte[] key) {
        return new String(key, Integer.BYTES, key.length - Integer.BYTES, StandardCharsets.UTF_8);
    }

    /** Returns the name of a rule as its row spells it. */
    public static String spelledName(byte[] value) {
        return text(ByteBuffer.wrap(value).position(1));
    }

    /** Returns the text form of the filter and action in a rule row. */
    public static String words(byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value).position(1);
        text(in); // the name as it was given
        in.getLong();
        StringBuilder words = new StringBuilder();
        int kind = in.get();
        words.append(kind);
        if (kind == 3) {
            words.append(' ').append(text(in));
        } else if (kind == 4) {
            for (int i = 0; i < CORRELATION_TEXTS; i++) {
                words.append(' ').append(text(in));
            }
        }
        if (kind >= 3) {
            values(in, words);
        }
        if (in.get() != 0) {
            words.append(", ").append(text(in));
            values(in, words);
        }
        return words.toString();
    }

    private static void values(ByteBuffer in, StringBuilder words) {
        for (int i = in.getInt(); i > 0; i--) {
            words.append(' ')
                    .append(text(in))
                    .append('=')
                    .append(in.get())
                    .append(':')
                    .append(text(in));
        }
    }

    /** Returns the text form of a requested rule. */
    public static String words(RuleDescription asked) {
        SqlRuleAction action = asked.action();
        String filter = words(asked.filter());
        return action == null ? filter : filter + ", " + action.expression() + values(action.parameters());
    }

    private static String words(RuleFilter asked) {
        if (asked instanceof SqlRuleFilter sql) {
            return "3 " + sql.expression() + values(sql.parameters());
        } else if (asked instanceof CorrelationRuleFilter c) {
            return Stream.concat(
                                    Stream.of("4"),
                                    Arrays.asList(
                                            c.correlationId(),
                                            c.messageId(),
                                            c.to(),
                                            c.replyTo(),
                                            c.label(),
                                            c.sessionId(),
                                            c.replyToSessionId(),
                                            c.contentType())
                                            .stream())
                            .map(String::valueOf)
                            .collect(Collectors.joining(" "))
                    + values(c.properties());
        }
        return asked instanceof TrueRuleFilter ? "1" : "2";
    }

    private static String values(Map<String, RuleValue> values) {
        return values.entrySet().stream()
                .map(value ->
                        " " + value.getKey() + "=" + value.getValue().type().code() + ":"
                                + value.getValue().text())
                .collect(Collectors.joining());
    }

    private static String text(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0) {
            return "null";
        }
        byte[] utf8 = new byte[length];
        in.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
