package dev.jitney.core.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Numbers for {@link NaiveLanguage}: the promotions of C# as its specification lists them (12.4.7.3), with ranges. */
final class NaiveNumbers {
    private static final BigInteger TWO = BigInteger.TWO;
    private static final Map<String, BigInteger[]> RANGES = Map.of(
            "int", range(31, true),
            "uint", range(32, false),
            "long", range(63, true),
            "ulong", range(64, false));

    private NaiveNumbers() {}

    private static BigInteger[] range(int bits, boolean signed) {
        return new BigInteger[] {
            signed ? TWO.pow(bits).negate() : BigInteger.ZERO, TWO.pow(bits).subtract(BigInteger.ONE)
        };
    }

    /** Two numbers, converted to their common type. */
    record Pair(String type, Object left, Object right) {
        boolean isNotANumber() {
            return left instanceof Double a && a.isNaN() || right instanceof Double b && b.isNaN();
        }

        int sign() {
            return left instanceof Double a
                    ? a < (Double) right ? -1 : a > (Double) right ? 1 : 0
                    : NaiveLanguage.decimal(left).compareTo(NaiveLanguage.decimal(right));
        }

        Object calculate(String operator) {
            if (type.equals("double")) {
                return fraction(operator, (Double) left, (Double) right);
            }
            if (type.equals("float")) {
                float a = ((Double) left).floatValue();
                float b = ((Double) right).floatValue();
                return switch (operator) {
                    case "+" -> a + b;
                    case "-" -> a - b;
                    case "*" -> a * b;
                    case "/" -> a / b;
                    default -> a % b;
                };
            }
            boolean divides = operator.equals("/") || operator.equals("%");
            if (divides && NaiveLanguage.decimal(right).signum() == 0) {
                return NaiveLanguage.FAILED;
            }
            if (type.equals("decimal")) {
                BigDecimal a = NaiveLanguage.decimal(left);
                BigDecimal b = NaiveLanguage.decimal(right);
                MathContext digits = MathContext.DECIMAL128;
                return switch (operator) {
                    case "+" -> a.add(b, digits);
                    case "-" -> a.subtract(b, digits);
                    case "*" -> a.multiply(b, digits);
                    case "/" -> a.divide(b, digits);
                    default -> a.remainder(b).round(digits);
                };
            }
            BigInteger a = whole(left);
            BigInteger b = whole(right);
            return sized(
                    type,
                    switch (operator) {
                        case "+" -> a.add(b);
                        case "-" -> a.subtract(b);
                        case "*" -> a.multiply(b);
                        case "/" -> a.divide(b);
                        default -> a.remainder(b);
                    });
        }
    }

    private static double fraction(String operator, double a, double b) {
        return switch (operator) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> a / b;
            default -> a % b;
        };
    }

    /** Returns two numbers in their common type, or null if there is none or one of them is not a number. */
    static @Nullable Pair promote(Object left, Object right) {
        String a = type(left);
        String b = type(right);
        List<String> both = List.of(a, b);
        if (both.contains("")) {
            return null;
        }
        if (both.contains("decimal")) {
            return both.contains("double") || both.contains("float") ? null : new Pair("decimal", left, right);
        }
        if (both.contains("double")) {
            return new Pair("double", toDouble(left), toDouble(right));
        }
        if (both.contains("float")) {
            return new Pair("float", (double) toFloat(left), (double) toFloat(right));
        }
        if (both.contains("ulong")) {
            return whole(left).signum() < 0 || whole(right).signum() < 0 ? null : new Pair("ulong", left, right);
        }
        if (both.contains("long")) {
            return new Pair("long", left, right);
        }
        if (both.contains("uint")) {
            boolean signed = both.contains("sbyte") || both.contains("short") || both.contains("int");
            return new Pair(signed ? "long" : "uint", left, right);
        }
        return new Pair("int", left, right);
    }

    private static double toDouble(Object value) {
        return value instanceof Float || value instanceof Double
                ? ((Number) value).doubleValue()
                : whole(value).doubleValue();
    }

    private static float toFloat(Object value) {
        return value instanceof Float number ? number : whole(value).floatValue();
    }

    static Object signed(Object value, boolean minus) {
        String type = type(value);
        if (type.isEmpty()) {
            return NaiveLanguage.FAILED;
        }
        if (!minus) {
            return List.of("sbyte", "byte", "short", "ushort").contains(type)
                    ? whole(value).intValue()
                    : value;
        }
        return switch (type) {
            case "double" -> -(Double) value;
            case "float" -> -(Float) value;
            case "decimal" -> ((BigDecimal) value).negate();
            case "ulong" -> NaiveLanguage.FAILED;
            case "uint", "long" -> sized("long", whole(value).negate());
            default -> sized("int", whole(value).negate());
        };
    }

    private static Object sized(String type, BigInteger value) {
        BigInteger[] range = RANGES.get(type);
        if (value.compareTo(range[0]) < 0 || value.compareTo(range[1]) > 0) {
            return NaiveLanguage.FAILED;
        }
        return switch (type) {
            case "int" -> value.intValue();
            case "long" -> value.longValue();
            default -> new NaiveLanguage.Sized(type, value);
        };
    }

    static BigInteger whole(Object value) {
        return value instanceof NaiveLanguage.Sized sized
                ? sized.value()
                : BigInteger.valueOf(((Number) value).longValue());
    }

    private static String type(Object value) {
        if (value instanceof NaiveLanguage.Sized sized) {
            return sized.type();
        }
        return Map.<Class<?>, String>of(
                        Byte.class, "sbyte",
                        Short.class, "short",
                        Integer.class, "int",
                        Long.class, "long",
                        Float.class, "float",
                        Double.class, "double",
                        BigDecimal.class, "decimal")
                .getOrDefault(value.getClass(), "");
    }
}
