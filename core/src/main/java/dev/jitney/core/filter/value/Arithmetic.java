package dev.jitney.core.filter.value;

import dev.jitney.core.filter.value.Value.Kind;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The five operators on two values (FILTER-15 to 17). Integers are checked for overflow and never wrap around.
 * Floating-point numbers follow IEEE 754, and decimals have 34 digits.
 */
public enum Arithmetic {
    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    DIVIDE("/"),
    REMAINDER("%");

    public static final int TEXT_LENGTH_MAX = 32_767;

    /** The largest power of ten of a decimal128; it also keeps the results of multiplications small. */
    private static final int EXPONENT_MAX = 6_144;

    /** The characters that are copied in one step. */
    private static final int CHARACTERS_PER_STEP = 8;

    private static final int DECIMAL_STEPS = 512;
    private static final int DIGITS_PER_STEP = 32;

    private static final long UINT_MAX = 0xffff_ffffL;

    private final String symbol;

    Arithmetic(String symbol) {
        this.symbol = symbol;
    }

    /** Returns the result: unknown if an operand is unknown, null if one is null, or an error. */
    public Value apply(Value left, Value right) {
        Kind leftKind = left.kind();
        Kind rightKind = right.kind();
        if (leftKind.isNumber() && rightKind.isNumber()) {
            return numbers(left, right);
        }
        if (leftKind == Kind.ERROR) {
            return left;
        }
        if (rightKind == Kind.ERROR) {
            return right;
        }
        if (leftKind == Kind.UNKNOWN || rightKind == Kind.UNKNOWN) {
            return Value.UNKNOWN;
        }
        if (leftKind == Kind.NULL || rightKind == Kind.NULL) {
            return Value.NULL;
        }
        if (this == ADD && leftKind.isText() && rightKind.isText()) {
            return concatenate(left.text(), right.text());
        }
        return times(left, right);
    }

    /**
     * Returns the steps that {@link #apply} takes for long values; 0 if they are negligible. The remainder of two
     * decimals costs as much as that of integers with as many digits as the exponents differ.
     */
    public long steps(Value left, Value right) {
        Kind leftKind = left.kind();
        Kind rightKind = right.kind();
        if (leftKind == Kind.DECIMAL && rightKind == Kind.DECIMAL && this == REMAINDER) {
            long digits =
                    Math.abs((long) left.asDecimal().scale() - right.asDecimal().scale());
            return DECIMAL_STEPS + digits + digits * digits / DIGITS_PER_STEP;
        }
        if (leftKind == Kind.DECIMAL || rightKind == Kind.DECIMAL) {
            long scale = leftKind == Kind.DECIMAL
                    ? left.asDecimal().scale()
                    : right.asDecimal().scale();
            return this == REMAINDER ? DECIMAL_STEPS + scale * scale / DIGITS_PER_STEP : DECIMAL_STEPS;
        }
        return this == ADD && leftKind.isText() && rightKind.isText()
                ? (left.text().length() + right.text().length()) / CHARACTERS_PER_STEP
                : 0;
    }

    /** Returns the value with the opposite sign; not possible for a ulong. */
    public static Value negate(Value value) {
        return switch (value.kind()) {
            case UNKNOWN, NULL, ERROR -> value;
            case FLOAT -> Value.ofFloat(-value.asFloat());
            case DOUBLE -> Value.ofDouble(-value.asDouble());
            case DECIMAL -> Value.ofDecimal(value.asDecimal().negate());
            case BYTE, UBYTE, SHORT, USHORT, INT -> SUBTRACT.integral(Kind.INT, 0, value.bits());
            case UINT, LONG -> SUBTRACT.integral(Kind.LONG, 0, value.bits());
            case TIME_SPAN -> SUBTRACT.ticks(Kind.TIME_SPAN, 0, value.bits());
            default -> wrongSign("-", value);
        };
    }

    /** Returns the value itself if it is a number or time span; small integers become ints. */
    public static Value plus(Value value) {
        return switch (value.kind()) {
            case BYTE, UBYTE, SHORT, USHORT -> Value.ofIntegral(Kind.INT, value.bits());
            case UNKNOWN, NULL, ERROR, INT, UINT, LONG, ULONG, FLOAT, DOUBLE, DECIMAL, TIME_SPAN -> value;
            default -> wrongSign("+", value);
        };
    }

    private static Value wrongSign(String sign, Value value) {
        return Value.error("Expected a signed number after '" + sign + "', but got "
                + value.kind().words() + ".");
    }

    private Value numbers(Value left, Value right) {
        return switch (Promotion.of(left.kind(), right.kind())) {
            case INT -> integral(Kind.INT, left.bits(), right.bits());
            case UINT -> integral(Kind.UINT, left.bits(), right.bits());
            case LONG -> integral(Kind.LONG, left.bits(), right.bits());
            case ULONG ->
                Promotion.isNegative(left) || Promotion.isNegative(right)
                        ? mismatch(left, right)
                        : unsigned(left.bits(), right.bits());
            case FLOAT -> Value.ofFloat(fraction(left.asFloat(), right.asFloat()));
            case DOUBLE -> Value.ofDouble(fraction(left.asDouble(), right.asDouble()));
            case DECIMAL -> decimal(left.asDecimal(), right.asDecimal());
            case NONE -> mismatch(left, right);
        };
    }

    private Value integral(Kind kind, long left, long right) {
        long result;
        boolean overflow = false;
        switch (this) {
            case ADD -> {
                result = left + right;
                overflow = ((left ^ result) & (right ^ result)) < 0;
            }
            case SUBTRACT -> {
                result = left - right;
                overflow = ((left ^ right) & (left ^ result)) < 0;
            }
            case MULTIPLY -> {
                result = left * right;
                overflow = Math.multiplyHigh(left, right) != result >> 63;
            }
            default -> {
                if (right == 0) {
                    return divisionByZero();
                }
                result = this == DIVIDE ? left / right : left % right;
                overflow = this == DIVIDE && left == Long.MIN_VALUE && right == -1;
            }
        }
        if (kind == Kind.INT) {
            overflow = result != (int) result;
        } else if (kind == Kind.UINT) {
            overflow = overflow || result < 0 || result > UINT_MAX;
        }
        return overflow ? overflow(kind) : Value.ofIntegral(kind, result);
    }

    private Value unsigned(long left, long right) {
        long result;
        boolean overflow = false;
        switch (this) {
            case ADD -> {
                result = left + right;
                overflow = Long.compareUnsigned(result, left) < 0;
            }
            case SUBTRACT -> {
                result = left - right;
                overflow = Long.compareUnsigned(left, right) < 0;
            }
            case MULTIPLY -> {
                result = left * right;
                overflow = Math.multiplyHigh(left, right) + (left >> 63 & right) + (right >> 63 & left) != 0;
            }
            default -> {
                if (right == 0) {
                    return divisionByZero();
                }
                result = this == DIVIDE ? Long.divideUnsigned(left, right) : Long.remainderUnsigned(left, right);
            }
        }
        return overflow ? overflow(Kind.ULONG) : Value.ofIntegral(Kind.ULONG, result);
    }

    private double fraction(double left, double right) {
        return switch (this) {
            case ADD -> left + right;
            case SUBTRACT -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / right;
            case REMAINDER -> left % right;
        };
    }

    /** Computes a float directly, because a double result that is rounded again is not always the nearest float. */
    private float fraction(float left, float right) {
        return switch (this) {
            case ADD -> left + right;
            case SUBTRACT -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / right;
            case REMAINDER -> left % right;
        };
    }

    private Value decimal(BigDecimal left, BigDecimal right) {
        if ((this == DIVIDE || this == REMAINDER) && right.signum() == 0) {
            return divisionByZero();
        }
        BigDecimal result = switch (this) {
            case ADD -> left.add(right, MathContext.DECIMAL128);
            case SUBTRACT -> left.subtract(right, MathContext.DECIMAL128);
            case MULTIPLY -> left.multiply(right, MathContext.DECIMAL128);
            case DIVIDE -> left.divide(right, MathContext.DECIMAL128);
            case REMAINDER -> left.remainder(right).round(MathContext.DECIMAL128);
        };
        long exponent = (long) result.precision() - result.scale();
        if (result.signum() == 0 || exponent < -EXPONENT_MAX) {
            return Value.ofDecimal(BigDecimal.ZERO);
        }
        return exponent > EXPONENT_MAX ? overflow(Kind.DECIMAL) : Value.ofDecimal(result);
    }

    private static Value concatenate(String left, String right) {
        return left.length() + right.length() > TEXT_LENGTH_MAX
                ? Value.error("Expected a text of at most " + TEXT_LENGTH_MAX + " characters, but the result of '+'"
                        + " has "
                        + (left.length() + right.length()) + ".")
                : Value.ofString(left + right);
    }

    /** Adds or subtracts date and span, span and span, or date and date. */
    private Value times(Value left, Value right) {
        boolean known = this == ADD || this == SUBTRACT;
        if (known && right.kind() == Kind.TIME_SPAN) {
            if (left.kind().isInstant() || left.kind() == Kind.TIME_SPAN) {
                return ticks(left.kind(), left.bits(), right.bits());
            }
        } else if (this == SUBTRACT && left.kind().isInstant() && right.kind().isInstant()) {
            return ticks(Kind.TIME_SPAN, left.bits(), right.bits());
        }
        return mismatch(left, right);
    }

    private Value ticks(Kind kind, long left, long right) {
        Value result = integral(Kind.LONG, left, right);
        if (result.isError() || kind.isInstant() && !Ticks.isInstant(result.bits())) {
            return overflow(kind);
        }
        return Value.ofTicks(kind, result.bits());
    }

    private Value divisionByZero() {
        return Value.error("Expected a divisor other than zero, but '" + symbol + "' got 0.");
    }

    private Value overflow(Kind kind) {
        return Value.error("Expected " + kind.words() + " as the result of '" + symbol + "', but it is out of range.");
    }

    private Value mismatch(Value left, Value right) {
        return Value.error("Expected values with a type that '" + symbol + "' supports, but got "
                + left.kind().words() + " and " + right.kind().words() + ".");
    }
}
