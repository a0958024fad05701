package dev.jitney.core.filter.value;

import dev.jitney.core.filter.value.Value.Kind;

/** The common type of two numbers by the rules of C# (binary numeric promotion; FILTER-15). */
enum Promotion {
    INT,
    UINT,
    LONG,
    /** Signed numbers are allowed if they are not negative. */
    ULONG,
    FLOAT,
    DOUBLE,
    DECIMAL,
    /** A decimal and a floating-point number have no common type. */
    NONE;

    public static Promotion of(Kind left, Kind right) {
        if (left == Kind.DECIMAL || right == Kind.DECIMAL) {
            return isBinaryFraction(left) || isBinaryFraction(right) ? NONE : DECIMAL;
        }
        if (left == Kind.DOUBLE || right == Kind.DOUBLE) {
            return DOUBLE;
        }
        if (left == Kind.FLOAT || right == Kind.FLOAT) {
            return FLOAT;
        }
        if (left == Kind.ULONG || right == Kind.ULONG) {
            return ULONG;
        }
        if (left == Kind.LONG || right == Kind.LONG) {
            return LONG;
        }
        if (left == Kind.UINT || right == Kind.UINT) {
            return isSigned(left) || isSigned(right) ? LONG : UINT;
        }
        return INT;
    }

    /** Returns whether an integer is negative, which is not allowed together with a ulong. */
    static boolean isNegative(Value number) {
        return number.kind() != Kind.ULONG && number.bits() < 0;
    }

    private static boolean isBinaryFraction(Kind kind) {
        return kind == Kind.FLOAT || kind == Kind.DOUBLE;
    }

    private static boolean isSigned(Kind kind) {
        return kind == Kind.BYTE || kind == Kind.SHORT || kind == Kind.INT;
    }
}
