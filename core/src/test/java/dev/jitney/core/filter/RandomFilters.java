package dev.jitney.core.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.jspecify.annotations.Nullable;

/** Random filters, and random messages with the properties that the filters use, from a seed. */
final class RandomFilters {
    private static final String[] NAMES = {"a", "B", "[c d]", "\"E]\"", "f", "user.g", "p('h')", "i", "missing"};
    private static final String[] KEYS = {"A", "b", "c d", "e]", "f", "G", "h", "i"};
    private static final String[] TEXTS = {"'a'", "''", "'Abc'", "'a%c'", "'it''s'", "'b'"};
    private static final String[] PATTERNS = {"'a%'", "'%'", "'_'", "'%b%'", "'!%!'", "'A_c'", "'%!%c'", "''"};
    private static final String[] NUMBERS = {
        "0",
        "1",
        "2",
        "-1",
        "255",
        "2147483647",
        "-2147483648",
        "4294967295",
        "9223372036854775807",
        "-9223372036854775808",
        "0.5",
        "2.5",
        "1e3",
        "0.0"
    };

    private final Random random;

    RandomFilters(long seed) {
        this.random = new Random(seed);
    }

    private <T> T one(T[] of) {
        return of[random.nextInt(of.length)];
    }

    /** Returns a condition with at most that many levels. */
    String condition(int depth) {
        if (depth == 0) {
            return random.nextInt(4) == 0 ? one(NAMES) : test(0);
        }
        return switch (random.nextInt(9)) {
            case 0, 1 -> condition(depth - 1) + " AND " + condition(depth - 1);
            case 2, 3 -> condition(depth - 1) + " or " + condition(depth - 1);
            case 4 -> "NOT " + test(depth - 1);
            case 5 -> "(" + condition(depth - 1) + ")";
            case 6 -> "NOT (" + condition(depth - 1) + ")";
            default -> test(depth - 1);
        };
    }

    private String test(int depth) {
        return switch (random.nextInt(9)) {
            case 0 -> "EXISTS(" + NAMES[random.nextInt(6)] + ")";
            case 1 -> one(NAMES) + " IS " + (random.nextBoolean() ? "NOT " : "") + "NULL";
            case 2 -> expression(depth) + (random.nextBoolean() ? " NOT" : "") + " IN (" + list(depth) + ")";
            case 3 ->
                (random.nextBoolean() ? one(NAMES) : one(TEXTS)) + (random.nextBoolean() ? " not" : "") + " LIKE "
                        + (random.nextInt(6) == 0 ? one(NAMES) : one(PATTERNS))
                        + (random.nextInt(3) == 0 ? " ESCAPE '!'" : "");
            default ->
                expression(depth) + one(new String[] {"=", "<>", " != ", ">", ">=", "<", " <= "}) + expression(depth);
        };
    }

    private String list(int depth) {
        List<String> elements = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            elements.add(expression(depth));
        }
        return String.join(", ", elements);
    }

    private String expression(int depth) {
        if (depth == 0 || random.nextInt(3) == 0) {
            return switch (random.nextInt(10)) {
                case 0, 1, 2, 3, 4 -> one(NAMES);
                case 5, 6, 7 -> one(NUMBERS);
                case 8 -> one(TEXTS);
                default -> one(new String[] {"TRUE", "false", "NULL"});
            };
        }
        return switch (random.nextInt(8)) {
            case 0 -> "-" + one(NAMES);
            case 1 -> "(" + expression(depth - 1) + ")";
            case 2 -> "+(" + expression(depth - 1) + ")";
            case 3 -> "-(" + expression(depth - 1) + ")";
            default ->
                expression(depth - 1) + one(new String[] {" + ", " - ", "*", "/", " % "}) + expression(depth - 1);
        };
    }

    /** Returns properties for the naive evaluator; {@link #encodable} converts them to the form that a sender encodes. */
    Map<String, @Nullable Object> properties() {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        for (String key : KEYS) {
            if (random.nextInt(7) > 0) {
                properties.put(key, value());
            }
        }
        return properties;
    }

    private @Nullable Object value() {
        return switch (random.nextInt(18)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> (byte) random.nextInt();
            case 3 -> (short) random.nextInt();
            case 4 -> random.nextInt(3);
            case 5 -> one(new Integer[] {Integer.MAX_VALUE, Integer.MIN_VALUE, 255, -1});
            case 6 -> (long) random.nextInt(3);
            case 7 -> one(new Long[] {Long.MAX_VALUE, Long.MIN_VALUE, 4294967295L});
            case 8 -> new NaiveLanguage.Sized("byte", BigInteger.valueOf(random.nextInt(256)));
            case 9 -> new NaiveLanguage.Sized("ushort", BigInteger.valueOf(random.nextInt(65536)));
            case 10 -> new NaiveLanguage.Sized("uint", BigInteger.valueOf(random.nextInt() & 0xffff_ffffL));
            case 11 ->
                new NaiveLanguage.Sized(
                        "ulong",
                        random.nextBoolean() ? BigInteger.valueOf(random.nextInt(4)) : new BigInteger(64, random));
            case 12 -> one(new Float[] {0.5f, 0.1f, 1f, Float.NaN, 16777216f});
            case 13 -> one(new Double[] {0.5, 0.1, 2.5, Double.NaN, Double.POSITIVE_INFINITY, -0.0});
            case 14 -> one(new BigDecimal[] {new BigDecimal("0.5"), new BigDecimal("1"), new BigDecimal("-12.50")});
            default -> one(new String[] {"a", "", "Abc", "a%c", "it's", "b", "!%"});
        };
    }

    /** Returns the same properties in the classes of the codec that encodes them. */
    static Map<String, @Nullable Object> encodable(Map<String, @Nullable Object> properties) {
        Map<String, @Nullable Object> encodable = new LinkedHashMap<>();
        properties.forEach((name, value) -> encodable.put(name, encodable(value)));
        return encodable;
    }

    static @Nullable Object encodable(@Nullable Object value) {
        if (value instanceof NaiveLanguage.Sized sized) {
            long number = sized.value().longValue();
            return switch (sized.type()) {
                case "byte" -> UnsignedByte.valueOf((byte) number);
                case "ushort" -> UnsignedShort.valueOf((short) number);
                case "uint" -> UnsignedInteger.valueOf((int) number);
                default -> UnsignedLong.valueOf(number);
            };
        }
        return value instanceof BigDecimal decimal ? Decimal128s.encode(decimal) : value;
    }
}
