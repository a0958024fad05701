package dev.jitney.core.filter.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * Decimals in the binary integer encoding of IEEE 754-2008 (AMQP 1.0 part 1, 1.6.13 to 1.6.15).
 *
 * <p>There are two layouts. The first is sign, exponent, coefficient. In the second, the two bits after the sign are set
 * and precede the exponent, and the coefficient starts with an implied 100. In a decimal128, a coefficient of the second
 * layout always has more than 34 digits and therefore means zero. Infinities and not-a-number have no value here.
 */
public final class Decimals {
    private static final int BIAS_128 = 6_176;
    private static final int EXPONENT_128_MAX = 12_287;
    private static final BigInteger COEFFICIENT_128_MAX = BigInteger.TEN.pow(34).subtract(BigInteger.ONE);

    private Decimals() {}

    static Value of32(int bits) {
        return small(Integer.toUnsignedLong(bits) << 32, 8, 101, 32, 9_999_999L);
    }

    public static Value of64(long bits) {
        return small(bits, 10, 398, 0, 9_999_999_999_999_999L);
    }

    /** Returns a decimal of at most 64 bits that starts at the highest bit and is followed by {@code unused} bits. */
    private static Value small(long bits, int exponentBits, int bias, int unused, long coefficientMax) {
        boolean negative = bits < 0;
        boolean steered = (bits >>> 61 & 3) == 3;
        if (steered && (bits >>> 59 & 0xf) == 0xf) {
            return Value.OTHER;
        }
        int skipped = steered ? 3 : 1;
        long exponent = bits << skipped >>> Long.SIZE - exponentBits;
        long coefficient = bits << skipped + exponentBits >>> skipped + exponentBits + unused;
        if (steered) {
            coefficient |= 4L << Long.SIZE - skipped - exponentBits - unused;
        }
        return decimal(negative, coefficient > coefficientMax ? 0 : coefficient, exponent - bias);
    }

    private static Value decimal(boolean negative, long coefficient, long exponent) {
        BigDecimal magnitude = BigDecimal.valueOf(coefficient, (int) -exponent);
        return Value.ofDecimal(negative ? magnitude.negate() : magnitude);
    }

    public static Value of128(long high, long low) {
        boolean steered = (high >>> 61 & 3) == 3;
        if (steered && (high >>> 59 & 0xf) == 0xf) {
            return Value.OTHER;
        }
        int exponent = (int) (high >>> (steered ? 47 : 49)) & 0x3fff;
        BigInteger coefficient = steered
                ? BigInteger.ZERO
                : BigInteger.valueOf(high & 0x1_ffff_ffff_ffffL)
                        .shiftLeft(Long.SIZE)
                        .or(new BigInteger(Long.toUnsignedString(low)));
        if (coefficient.compareTo(COEFFICIENT_128_MAX) > 0) {
            coefficient = BigInteger.ZERO;
        }
        return Value.ofDecimal(new BigDecimal(high < 0 ? coefficient.negate() : coefficient, BIAS_128 - exponent));
    }

    /**
     * Returns the 16 bytes of a decimal128 as two numbers, rounded to 34 digits; numbers that are too small become zero.
     */
    public static long[] to128(BigDecimal value) {
        BigDecimal rounded = value.round(MathContext.DECIMAL128);
        if (rounded.scale() > BIAS_128) {
            rounded = rounded.setScale(BIAS_128, MathContext.DECIMAL128.getRoundingMode());
        } else if (rounded.scale() < BIAS_128 - EXPONENT_128_MAX) {
            rounded = rounded.setScale(BIAS_128 - EXPONENT_128_MAX);
        }
        BigInteger coefficient = rounded.unscaledValue().abs();
        long exponent = (long) BIAS_128 - rounded.scale();
        long sign = rounded.signum() < 0 ? Long.MIN_VALUE : 0;
        return new long[] {
            sign | exponent << 49 | coefficient.shiftRight(Long.SIZE).longValue(), coefficient.longValue()
        };
    }
}
