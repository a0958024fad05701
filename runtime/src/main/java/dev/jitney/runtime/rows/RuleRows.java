package dev.jitney.runtime.rows;

import dev.jitney.model.rule.Rule;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.model.rule.RuleFilter;
import dev.jitney.model.rule.RuleFilter.CorrelationRuleFilter;
import dev.jitney.model.rule.RuleFilter.FalseRuleFilter;
import dev.jitney.model.rule.RuleFilter.SqlRuleFilter;
import dev.jitney.model.rule.RuleFilter.TrueRuleFilter;
import dev.jitney.model.rule.RuleValue;
import dev.jitney.model.rule.SqlRuleAction;
import dev.jitney.runtime.store.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of RULES ({@code docs/formats.md}). */
final class RuleRows {
    private static final int VERSION = 1;
    private static final int FILTER_TRUE = 1;
    private static final int FILTER_FALSE = 2;
    private static final int FILTER_SQL = 3;
    private static final int FILTER_CORRELATION = 4;

    private RuleRows() {}

    static byte[] write(Rule row) {
        RowOutput out = new RowOutput(128).u8(VERSION);
        out.text(row.description().name()).i64(row.createdAtMs());
        filter(out, row.description().filter());
        SqlRuleAction action = row.description().action();
        out.bool(action != null);
        if (action != null) {
            out.text(action.expression());
            values(out, action.parameters());
        }
        return out.toBytes();
    }

    static Rule read(byte[] value) throws StoreException {
        RowInput in = new RowInput(value, VERSION, VERSION, "rule");
        String name = in.text();
        long createdAtMs = in.i64();
        RuleFilter filter = filter(in);
        SqlRuleAction action = in.bool() ? new SqlRuleAction(in.text(), values(in)) : null;
        in.end();
        return new Rule(new RuleDescription(name, filter, action), createdAtMs);
    }

    private static void filter(RowOutput out, RuleFilter filter) {
        if (filter instanceof TrueRuleFilter) {
            out.u8(FILTER_TRUE);
        } else if (filter instanceof FalseRuleFilter) {
            out.u8(FILTER_FALSE);
        } else if (filter instanceof SqlRuleFilter sql) {
            out.u8(FILTER_SQL).text(sql.expression());
            values(out, sql.parameters());
        } else if (filter instanceof CorrelationRuleFilter c) {
            out.u8(FILTER_CORRELATION);
            out.text(c.correlationId()).text(c.messageId()).text(c.to()).text(c.replyTo());
            out.text(c.label()).text(c.sessionId()).text(c.replyToSessionId()).text(c.contentType());
            values(out, c.properties());
        }
    }

    private static RuleFilter filter(RowInput in) throws StoreException {
        int kind = in.u8();
        return switch (kind) {
            case FILTER_TRUE -> TrueRuleFilter.INSTANCE;
            case FILTER_FALSE -> new FalseRuleFilter();
            case FILTER_SQL -> new SqlRuleFilter(in.text(), values(in));
            case FILTER_CORRELATION ->
                new CorrelationRuleFilter(
                        in.textOrNull(),
                        in.textOrNull(),
                        in.textOrNull(),
                        in.textOrNull(),
                        in.textOrNull(),
                        in.textOrNull(),
                        in.textOrNull(),
                        in.textOrNull(),
                        values(in));
            default -> throw in.corrupt("a filter of unknown kind " + kind);
        };
    }

    private static void values(RowOutput out, Map<String, RuleValue> values) {
        out.i32(values.size());
        values.forEach((name, value) -> out.text(name).u8(value.type().code()).text(value.text()));
    }

    private static Map<String, RuleValue> values(RowInput in) throws StoreException {
        int count = in.count();
        Map<String, RuleValue> out = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = in.text();
            int code = in.u8();
            RuleValue.Type type = type(code);
            if (type == null) {
                throw in.corrupt("a value of unknown type " + code);
            }
            if (out.put(name, new RuleValue(type, in.text())) != null) {
                throw in.corrupt("a duplicate value");
            }
        }
        return out;
    }

    private static RuleValue.@Nullable Type type(int code) {
        for (RuleValue.Type type : RuleValue.Type.values()) {
            if (type.code() == code) {
                return type;
            }
        }
        return null;
    }
}
