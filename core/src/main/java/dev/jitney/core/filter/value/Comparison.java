package dev.jitney.core.filter.value;

import dev.jitney.core.filter.value.Value.Kind;
import java.util.Arrays;

/** The six comparisons with their rules for every pair of types (FILTER-8, 10, 15, 17 to 19). */
public enum Comparison {
    EQUAL,
    NOT_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    LESS,
    LESS_OR_EQUAL;

    /**
     * Compares two values. Returns true, false, unknown if one of them is unknown, or an error if they cannot be
     * compared. Null equals only null, and is neither greater nor less than any value (FILTER-10).
     */
    public Value apply(Value left, Value right) {
        Kind leftKind = left.kind();
        Kind rightKind = right.kind();
        if (leftKind.fitsLong() && rightKind.fitsLong()) {
            return holds(Long.compare(left.bits(), right.bits()));
        }
        if (leftKind == Kind.STRING && rightKind == Kind.STRING) {
            return text(left.text(), right.text());
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
            return isEquality() ? equality(leftKind == rightKind) : Value.FALSE;
        }
        if (leftKind.isNumber() && rightKind.isNumber()) {
            return numbers(left, right);
        }
        return others(left, right);
    }

    private Value text(String left, String right) {
        return switch (this) {
            case EQUAL -> Value.of(left.equals(right));
            case NOT_EQUAL -> Value.of(!left.equals(right));
            default -> holds(left.compareTo(right));
        };
    }

    private Value numbers(Value left, Value right) {
        Kind leftKind = left.kind();
        Kind rightKind = right.kind();
        switch (Promotion.of(leftKind, rightKind)) {
            case DECIMAL -> {
                return holds(left.asDecimal().compareTo(right.asDecimal()));
            }
            case DOUBLE -> {
                return doubles(left.asDouble(), right.asDouble());
            }
            case FLOAT -> {
                return doubles(left.asFloat(), right.asFloat());
            }
            case ULONG -> {
                return Promotion.isNegative(left) || Promotion.isNegative(right)
                        ? incomparable(left, right)
                        : holds(Long.compareUnsigned(left.bits(), right.bits()));
            }
            case NONE -> {
                return incomparable(left, right);
            }
            default -> {
                return holds(Long.compare(left.bits(), right.bits()));
            }
        }
    }

    /** Compares by IEEE 754: not-a-number equals nothing, not even itself. */
    private Value doubles(double left, double right) {
        return Value.of(
                switch (this) {
                    case EQUAL -> left == right;
                    case NOT_EQUAL -> left != right;
                    case GREATER -> left > right;
                    case GREATER_OR_EQUAL -> left >= right;
                    case LESS -> left < right;
                    case LESS_OR_EQUAL -> left <= right;
                });
    }

    private Value others(Value left, Value right) {
        Kind leftKind = left.kind();
        Kind rightKind = right.kind();
        if (leftKind.isText() && rightKind.isText()) {
            return text(left.text(), right.text());
        }
        if (leftKind.isInstant() && rightKind.isInstant()
                || leftKind == Kind.TIME_SPAN && rightKind == Kind.TIME_SPAN) {
            return holds(Long.compare(left.bits(), right.bits()));
        }
        if (leftKind == rightKind && isEquality()) {
            switch (leftKind) {
                case BOOLEAN -> {
                    return equality(left.isTrue() == right.isTrue());
                }
                case GUID -> {
                    return equality(left.guid().equals(right.guid()));
                }
                case BINARY -> {
                    return equality(Arrays.equals(left.octets(), right.octets()));
                }
                default -> {
                    return incomparable(left, right);
                }
            }
        }
        return incomparable(left, right);
    }

    private boolean isEquality() {
        return this == EQUAL || this == NOT_EQUAL;
    }

    private Value equality(boolean equal) {
        return Value.of(equal == (this == EQUAL));
    }

    private Value holds(int sign) {
        return Value.of(
                switch (this) {
                    case EQUAL -> sign == 0;
                    case NOT_EQUAL -> sign != 0;
                    case GREATER -> sign > 0;
                    case GREATER_OR_EQUAL -> sign >= 0;
                    case LESS -> sign < 0;
                    case LESS_OR_EQUAL -> sign <= 0;
                });
    }

    private Value incomparable(Value left, Value right) {
        return Value.error("Expected values that can be " + (isEquality() ? "compared" : "ordered") + ", but got "
                + left.kind().words() + " and " + right.kind().words() + ".");
    }
}
