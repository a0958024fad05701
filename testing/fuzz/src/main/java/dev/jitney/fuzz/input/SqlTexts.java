package dev.jitney.fuzz.input;

import java.util.Random;

/** Filters and actions from the grammar of the language, with every operator, type and function. */
public final class SqlTexts {
    private static final String[] PROPERTIES = {
        "a",
        "b",
        "c",
        "d",
        "s",
        "n",
        "g",
        "t",
        "long",
        "[c d]",
        "\"c d\"",
        "missing",
        "user.a",
        "sys.Label",
        "sys.To",
        "sys.MessageId",
        "sys.EnqueuedTimeUtc",
        "sys.SequenceNumber",
        "sys.TimeToLive",
        "sys.Size",
        "property('a')",
        "p('c d')",
        "[]]]",
        "Label"
    };
    private static final String[] CONSTANTS = {
        "0",
        "1",
        "-1",
        "9223372036854775807",
        "99999999999999999999",
        "0.5",
        "1e308",
        "1E-400",
        "'a'",
        "''",
        "'it''s'",
        "TRUE",
        "false",
        "NULL",
        "@p",
        "@q",
        "newid()",
        "'%a%a%a%a%a%ab'",
        "12345678901234567890123456789.5"
    };
    private static final String[] COMPARISONS = {"=", "<>", "!=", ">", ">=", "<", "<="};
    private static final String[] ARITHMETIC = {"+", "-", "*", "/", "%"};

    private final Random random;

    public SqlTexts(Random random) {
        this.random = random;
    }

    public String filter() {
        return condition(random.nextInt(5));
    }

    public String action() {
        StringBuilder out = new StringBuilder();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            out.append(random.nextInt(3) == 0 ? "REMOVE " + property() : "SET " + property() + " = " + sum(2));
            out.append(random.nextBoolean() ? ";" : "").append(' ');
        }
        return out.toString();
    }

    private String one(String[] of) {
        return of[random.nextInt(of.length)];
    }

    private String property() {
        return one(PROPERTIES);
    }

    private String condition(int depth) {
        if (depth == 0) {
            return test(1);
        }
        return switch (random.nextInt(6)) {
            case 0 -> condition(depth - 1) + " AND " + condition(depth - 1);
            case 1 -> condition(depth - 1) + " OR " + condition(depth - 1);
            case 2 -> "NOT " + condition(depth - 1);
            case 3 -> "(" + condition(depth - 1) + ")";
            default -> test(depth);
        };
    }

    private String test(int depth) {
        String not = random.nextBoolean() ? " NOT" : "";
        return switch (random.nextInt(6)) {
            case 0 -> "EXISTS (" + property() + ")";
            case 1 -> property() + " IS" + not + " NULL";
            case 2 -> sum(depth) + not + " IN (" + sum(1) + "," + sum(0) + ")";
            case 3 -> sum(0) + not + " LIKE " + sum(0) + (random.nextInt(3) == 0 ? " ESCAPE '!'" : "");
            default -> sum(depth) + one(COMPARISONS) + sum(depth);
        };
    }

    private String sum(int depth) {
        if (depth <= 0) {
            return random.nextBoolean() ? property() : one(CONSTANTS);
        }
        return switch (random.nextInt(5)) {
            case 0 -> "(" + sum(depth - 1) + ")";
            case 1 -> "-" + sum(0);
            case 2 -> sum(0);
            default -> sum(depth - 1) + one(ARITHMETIC) + sum(depth - 1);
        };
    }
}
