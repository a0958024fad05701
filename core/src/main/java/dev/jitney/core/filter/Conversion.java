package dev.jitney.core.filter;

import dev.jitney.core.filter.value.Arithmetic;
import dev.jitney.core.filter.value.RuleValues;
import dev.jitney.core.filter.value.TimeTexts;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.Value.Kind;
import dev.jitney.core.filter.value.ValueTexts;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The conversion of a value to another type, for SET on a property that already has a type (RULE-7). Texts convert to and
 * from every type; numbers convert to and from each other and booleans. The rules are those of .NET: fractions are
 * rounded to the nearest whole number, half to even, and a value out of range is an error.
 */
final class Conversion {
    private static final int STEPS = 512;
    private static final int DIGITS_PER_STEP = 32;
    private static final BigDecimal ULONG_MAX = new BigDecimal("18446744073709551615");

    private Conversion() {}

    /** Returns the value converted to that type, or an error; null and errors stay unchanged. */
    static Value convert(Value value, Kind target, StepBudget steps) {
        Kind kind = value.kind();
        if (kind == target || kind == Kind.NULL || kind == Kind.ERROR || kind == Kind.UNKNOWN) {
            return value;
        }
        if (!steps.take(steps(value))) {
            return StepBudget.exceeded();
        }
        try {
            Value converted = switch (target) {
                case STRING -> Value.ofString(ValueTexts.format(value));
                case URI -> kind.isText() ? Value.ofText(Kind.URI, value.text()) : failed(value, target);
                case CHAR -> character(value);
                case BOOLEAN -> truth(value);
                case GUID -> kind.isText() ? Value.ofGuid(RuleValues.guid(trimmed(value))) : failed(value, target);
                case DATE_TIME, DATE_TIME_OFFSET -> instant(value, target);
                case TIME_SPAN ->
                    kind.isText()
                            ? Value.ofTicks(Kind.TIME_SPAN, TimeTexts.parseSpan(trimmed(value)))
                            : failed(value, target);
                case FLOAT, DOUBLE -> fraction(value, target);
                case DECIMAL -> Value.ofDecimal(decimal(value));
                case BINARY, OTHER -> failed(value, target);
                default -> integral(value, target);
            };
            return converted.kind() == Kind.STRING && converted.text().length() > Arithmetic.TEXT_LENGTH_MAX
                    ? failed(value, target)
                    : converted;
        } catch (IllegalArgumentException | ArithmeticException unfit) {
            return failed(value, target);
        }
    }

    /**
     * Returns the steps of a conversion: a text is read from both ends, and a decimal can have as many digits as its
     * exponent.
     */
    private static long steps(Value value) {
        if (value.kind() == Kind.DECIMAL) {
            long digits = Math.abs((long) value.asDecimal().scale());
            return STEPS + digits * digits / DIGITS_PER_STEP;
        }
        return value.kind().isText() ? STEPS + value.text().length() : STEPS;
    }

    private static Value failed(Value value, Kind target) {
        return Value.error("Expected a value that can be converted to " + target.words() + ", but got "
                + value.kind().words() + (value.kind().isText() ? " in another format." : "."));
    }

    private static String trimmed(Value value) {
        return value.text().strip();
    }

    private static Value character(Value value) {
        if (value.kind().isText() && value.text().codePointCount(0, value.text().length()) == 1) {
            return Value.ofText(Kind.CHAR, value.text());
        }
        if (value.kind().isIntegral() && value.bits() >= 0 && value.bits() <= Character.MAX_VALUE) {
            return Value.ofText(Kind.CHAR, Character.toString((int) value.bits()));
        }
        return failed(value, Kind.CHAR);
    }

    private static Value truth(Value value) {
        if (value.kind().isText()) {
            String text = trimmed(value);
            boolean truth = text.equalsIgnoreCase("true");
            return truth || text.equalsIgnoreCase("false") ? Value.of(truth) : failed(value, Kind.BOOLEAN);
        }
        return switch (value.kind()) {
            case FLOAT, DOUBLE -> Value.of(value.asDouble() != 0);
            case DECIMAL -> Value.of(value.asDecimal().signum() != 0);
            default -> value.kind().isIntegral() ? Value.of(value.bits() != 0) : failed(value, Kind.BOOLEAN);
        };
    }

    private static Value instant(Value value, Kind target) {
        if (value.kind().isInstant()) {
            return Value.ofTicks(target, value.bits());
        }
        return value.kind().isText()
                ? Value.ofTicks(target, TimeTexts.parseInstant(trimmed(value)))
                : failed(value, target);
    }

    private static Value fraction(Value value, Kind target) {
        double number = switch (value.kind()) {
            case BOOLEAN -> value.isTrue() ? 1 : 0;
            case STRING, CHAR, URI -> ValueTexts.parseDouble(trimmed(value));
            case DECIMAL -> value.asDecimal().doubleValue();
            default -> {
                if (!value.kind().isNumber()) {
                    throw new IllegalArgumentException("Expected a number, but got a value of another type.");
                }
                yield value.asDouble();
            }
        };
        return target == Kind.FLOAT ? Value.ofFloat((float) number) : Value.ofDouble(number);
    }

    private static Value integral(Value value, Kind target) {
        BigDecimal exact = decimal(value);
        if (value.kind().isText() && exact.scale() > 0) {
            return failed(value, target); // a number is rounded, but a text must be a whole number
        }
        BigDecimal number = exact.setScale(0, RoundingMode.HALF_EVEN);
        long min;
        long max;
        switch (target) {
            case BYTE -> {
                min = Byte.MIN_VALUE;
                max = Byte.MAX_VALUE;
            }
            case UBYTE -> {
                min = 0;
                max = 0xff;
            }
            case SHORT -> {
                min = Short.MIN_VALUE;
                max = Short.MAX_VALUE;
            }
            case USHORT -> {
                min = 0;
                max = 0xffff;
            }
            case INT -> {
                min = Integer.MIN_VALUE;
                max = Integer.MAX_VALUE;
            }
            case UINT -> {
                min = 0;
                max = 0xffff_ffffL;
            }
            case ULONG -> {
                return number.signum() < 0 || number.compareTo(ULONG_MAX) > 0
                        ? failed(value, target)
                        : Value.ofIntegral(target, number.longValue());
            }
            default -> {
                min = Long.MIN_VALUE;
                max = Long.MAX_VALUE;
            }
        }
        long whole = number.longValueExact();
        return whole < min || whole > max ? failed(value, target) : Value.ofIntegral(target, whole);
    }

    /** Returns a number, boolean or text as a decimal. */
    private static BigDecimal decimal(Value value) {
        return switch (value.kind()) {
            case BOOLEAN -> value.isTrue() ? BigDecimal.ONE : BigDecimal.ZERO;
            case STRING, CHAR, URI -> RuleValues.decimal(trimmed(value));
            case FLOAT -> new BigDecimal(Float.toString(value.asFloat()));
            case DOUBLE -> new BigDecimal(Double.toString(value.asDouble()));
            default -> {
                if (!value.kind().isNumber()) {
                    throw new IllegalArgumentException("Expected a number, but got a value of another type.");
                }
                yield value.asDecimal();
            }
        };
    }
}
