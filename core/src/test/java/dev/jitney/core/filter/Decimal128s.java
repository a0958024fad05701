package dev.jitney.core.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.qpid.protonj2.types.Decimal128;

/** Decimal128 as specified: sign, 14 bits of exponent with a bias of 6176, 113 bits of coefficient. */
final class Decimal128s {
    private Decimal128s() {}

    static Decimal128 encode(BigDecimal value) {
        BigInteger bits = value.unscaledValue()
                .abs()
                .or(BigInteger.valueOf(6176L - value.scale()).shiftLeft(113));
        if (value.signum() < 0) {
            bits = bits.setBit(127);
        }
        return new Decimal128(bits.shiftRight(64).longValue(), bits.longValue());
    }
}
