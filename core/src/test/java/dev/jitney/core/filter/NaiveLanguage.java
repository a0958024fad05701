package dev.jitney.core.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A second implementation of the language, as simple as possible. It parses while it evaluates, uses only Java's own
 * types and BigInteger, and shares no code with the implementation under test.
 *
 * <p>It evaluates every condition and expression, even if the language would skip it, and then drops the results of
 * skipped ones.
 */
final class NaiveLanguage {
    /** The value of a missing property. */
    static final Object UNKNOWN = new Object();

    /** A failed evaluation. */
    static final Object FAILED = new Object();

    /** A number of an unsigned or small type for which Java has no class. */
    record Sized(String type, BigInteger value) {}

    private static final Pattern SPACE = Pattern.compile("\\s*");
    private static final Pattern TOKEN = Pattern.compile("'(?:[^']|'')*'|\\[(?:[^]]|]])*]|\"(?:[^\"]|\"\")*\""
            + "|\\d+(?:\\.\\d+)?[eE][+-]?\\d+|\\d+\\.\\d+|\\d+|<>|!=|>=|<=|[-+*/%()=<>,.]|[A-Za-z]\\w*");

    private final List<String> tokens = new ArrayList<>();
    private final Map<String, @Nullable Object> message;
    private int at;

    NaiveLanguage(String text, Map<String, @Nullable Object> message) {
        this.message = message;
        var matcher = TOKEN.matcher(text);
        int position = 0;
        while (position < text.length()) {
            var space = SPACE.matcher(text).region(position, text.length());
            if (space.lookingAt()) {
                position = space.end();
            }
            if (position < text.length()) {
                if (!matcher.region(position, text.length()).lookingAt()) {
                    throw new IllegalArgumentException("no token at " + position + " of " + text);
                }
                tokens.add(matcher.group());
                position = matcher.end();
            }
        }
        tokens.add("");
    }

    /** Returns T, F, U or E. */
    String result() {
        Object result = or();
        if (!tokens.get(at).isEmpty()) {
            throw new IllegalArgumentException("left over: " + tokens.subList(at, tokens.size()));
        }
        return result == FAILED ? "E" : result == UNKNOWN ? "U" : (boolean) result ? "T" : "F";
    }

    private boolean take(String word) {
        if (tokens.get(at).equalsIgnoreCase(word)) {
            at++;
            return true;
        }
        return false;
    }

    private void need(String word) {
        if (!take(word)) {
            throw new IllegalArgumentException("expected " + word + " at " + tokens.subList(at, tokens.size()));
        }
    }

    private Object or() {
        Object result = and();
        while (take("OR")) {
            Object right = and();
            if (result == FAILED || Boolean.TRUE.equals(result)) {
                continue;
            }
            result = right == FAILED || Boolean.TRUE.equals(right)
                    ? right
                    : result == UNKNOWN || right == UNKNOWN ? UNKNOWN : (Object) false;
        }
        return result;
    }

    private Object and() {
        Object result = not();
        while (take("AND")) {
            Object right = not();
            if (result == FAILED || Boolean.FALSE.equals(result)) {
                continue;
            }
            result = right == FAILED || Boolean.FALSE.equals(right)
                    ? right
                    : result == UNKNOWN || right == UNKNOWN ? UNKNOWN : (Object) true;
        }
        return result;
    }

    private Object not() {
        if (take("NOT")) {
            Object value = not();
            return value instanceof Boolean truth ? !truth : value;
        }
        return test();
    }

    /** Parses "(" as the start of a condition first, and as the start of an expression if that fails. */
    private Object test() {
        if (tokens.get(at).equalsIgnoreCase("EXISTS")) {
            at++;
            need("(");
            Object value = property();
            need(")");
            return value != UNKNOWN;
        }
        int start = at;
        if (take("(")) {
            try {
                Object result = or();
                need(")");
                if (List.of("", ")", "AND", "OR").contains(tokens.get(at).toUpperCase(Locale.ROOT))) {
                    return result;
                }
            } catch (IllegalArgumentException noCondition) {
                // otherwise it is an expression
            }
            at = start;
        }
        Object left = sum();
        String next = tokens.get(at).toUpperCase(Locale.ROOT);
        if (List.of("=", "<>", "!=", ">", ">=", "<", "<=").contains(next)) {
            at++;
            return compare(next, left, sum());
        }
        if (take("IS")) {
            boolean negated = take("NOT");
            need("NULL");
            return left == FAILED ? FAILED : (Object) ((left == null || left == UNKNOWN) != negated);
        }
        boolean negated = take("NOT");
        if (take("IN")) {
            return negate(in(left), negated);
        }
        if (take("LIKE")) {
            Object pattern = sum();
            Object escape = take("ESCAPE") ? sum() : null;
            return negate(like(left, pattern, escape), negated);
        }
        if (left == null) {
            return UNKNOWN;
        }
        return left instanceof Boolean || left == UNKNOWN ? left : FAILED;
    }

    private static Object negate(Object value, boolean negated) {
        return negated && value instanceof Boolean truth ? !truth : value;
    }

    private Object in(@Nullable Object left) {
        need("(");
        Object result = null;
        Object best = false;
        do {
            Object equal = compare("=", left, sum());
            if (result == null && (equal == FAILED || Boolean.TRUE.equals(equal))) {
                result = equal;
            }
            best = equal == UNKNOWN ? UNKNOWN : best;
        } while (take(","));
        need(")");
        if (left == FAILED || left == UNKNOWN) {
            return left;
        }
        return result != null ? result : best;
    }

    private static Object like(@Nullable Object left, @Nullable Object pattern, @Nullable Object escape) {
        if (left == FAILED || pattern == FAILED || escape == FAILED) {
            return FAILED;
        }
        if (left == UNKNOWN || pattern == UNKNOWN || escape == UNKNOWN) {
            return UNKNOWN;
        }
        if (left != null && !(left instanceof String) || pattern != null && !(pattern instanceof String)) {
            return FAILED;
        }
        if (left == null || pattern == null) {
            return false;
        }
        StringBuilder regex = new StringBuilder();
        boolean escaped = false;
        for (char character : ((String) pattern).toCharArray()) {
            if (!escaped && escape != null && ((String) escape).charAt(0) == character) {
                escaped = true;
                continue;
            }
            regex.append(
                    !escaped && character == '%'
                            ? ".*"
                            : !escaped && character == '_' ? "." : Pattern.quote(String.valueOf(character)));
            escaped = false;
        }
        return !escaped
                && Pattern.compile(regex.toString(), Pattern.DOTALL)
                        .matcher((String) left)
                        .matches();
    }

    private static Object compare(String operator, @Nullable Object left, @Nullable Object right) {
        if (left == FAILED || right == FAILED) {
            return FAILED;
        }
        if (left == UNKNOWN || right == UNKNOWN) {
            return UNKNOWN;
        }
        boolean ordering = operator.startsWith(">") || operator.equals("<") || operator.equals("<=");
        if (left == null || right == null) {
            return !ordering && (left == right) == operator.equals("=");
        }
        int sign;
        if (left instanceof String a && right instanceof String b) {
            sign = a.compareTo(b);
        } else if (left instanceof Boolean && right instanceof Boolean && !ordering) {
            sign = left.equals(right) ? 0 : 1;
        } else {
            NaiveNumbers.Pair pair = NaiveNumbers.promote(left, right);
            if (pair == null) {
                return FAILED;
            }
            if (pair.isNotANumber()) {
                return operator.equals("<>") || operator.equals("!=");
            }
            sign = pair.sign();
        }
        return switch (operator) {
            case "=" -> sign == 0;
            case "<>", "!=" -> sign != 0;
            case ">" -> sign > 0;
            case ">=" -> sign >= 0;
            case "<" -> sign < 0;
            default -> sign <= 0;
        };
    }

    private @Nullable Object sum() {
        Object result = product();
        while (tokens.get(at).equals("+") || tokens.get(at).equals("-")) {
            String operator = tokens.get(at++);
            result = calculate(operator, result, product());
        }
        return result;
    }

    private @Nullable Object product() {
        Object result = unary();
        while (List.of("*", "/", "%").contains(tokens.get(at))) {
            String operator = tokens.get(at++);
            result = calculate(operator, result, unary());
        }
        return result;
    }

    private static @Nullable Object calculate(String operator, @Nullable Object left, @Nullable Object right) {
        if (left == FAILED || right == FAILED) {
            return FAILED;
        }
        if (left == UNKNOWN || right == UNKNOWN) {
            return UNKNOWN;
        }
        if (left == null || right == null) {
            return null;
        }
        if (operator.equals("+") && left instanceof String && right instanceof String) {
            return (String) left + right;
        }
        NaiveNumbers.Pair pair = NaiveNumbers.promote(left, right);
        return pair == null ? FAILED : pair.calculate(operator);
    }

    private @Nullable Object unary() {
        boolean minus = tokens.get(at).equals("-");
        if (!minus && !tokens.get(at).equals("+")) {
            return atom();
        }
        at++;
        if (minus && tokens.get(at).matches("\\d+")) {
            return Long.parseLong("-" + tokens.get(at++));
        }
        Object value = atom();
        if (value == FAILED || value == UNKNOWN || value == null) {
            return value;
        }
        return NaiveNumbers.signed(value, minus);
    }

    private @Nullable Object atom() {
        String token = tokens.get(at);
        if (take("(")) {
            Object value = sum();
            need(")");
            return value;
        }
        if (token.startsWith("'")) {
            at++;
            return token.substring(1, token.length() - 1).replace("''", "'");
        }
        if (token.matches("\\d+")) {
            at++;
            return Long.parseLong(token);
        }
        if (token.matches("\\d.*")) {
            at++;
            return Double.parseDouble(token);
        }
        if (token.matches("(?i)TRUE|FALSE")) {
            at++;
            return Boolean.parseBoolean(token);
        }
        if (take("NULL")) {
            return null;
        }
        if (token.matches("(?i)p|property") && tokens.get(at + 1).equals("(")) {
            at += 2;
            Object name = sum();
            need(")");
            return name == FAILED || name == UNKNOWN ? name : name instanceof String text ? lookup(text) : FAILED;
        }
        return property();
    }

    private @Nullable Object property() {
        String name = tokens.get(at++);
        if (name.equalsIgnoreCase("user") && take(".")) {
            name = tokens.get(at++);
        }
        if (!name.matches("[A-Za-z]\\w*|\\[.*]|\".*\"") || name.matches("(?i)AND|OR|NOT|IN|IS|LIKE|ESCAPE|EXISTS")) {
            throw new IllegalArgumentException("no property: " + name);
        }
        if (name.startsWith("[")) {
            name = name.substring(1, name.length() - 1).replace("]]", "]");
        } else if (name.startsWith("\"")) {
            name = name.substring(1, name.length() - 1).replace("\"\"", "\"");
        }
        return lookup(name);
    }

    private @Nullable Object lookup(String name) {
        for (Map.Entry<String, @Nullable Object> entry : message.entrySet()) {
            if (entry.getKey().equalsIgnoreCase(name)) {
                return entry.getValue();
            }
        }
        return UNKNOWN;
    }

    static BigDecimal decimal(Object value) {
        return value instanceof BigDecimal decimal ? decimal : new BigDecimal(NaiveNumbers.whole(value));
    }
}
