package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.filter.property.PropertyName;
import dev.jitney.core.filter.value.Arithmetic;
import dev.jitney.core.filter.value.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** FILTER-15: the common type of two numbers, for each pair of the eleven types. */
final class PromotionMatrixTest {
    private static final String[] TYPES = {
        "sbyte", "byte", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "decimal"
    };

    /** Rows and columns in the order above: i int, u uint, l long, U ulong, f float, d double, m decimal, x an error. */
    private static final String[] MATRIX = {
        "iiiiillUfdm", // sbyte
        "iiiiiulUfdm", // byte
        "iiiiillUfdm", // short
        "iiiiiulUfdm", // ushort
        "iiiiillUfdm", // int
        "lulululUfdm", // uint
        "lllllllUfdm", // long
        "UUUUUUUUfdm", // ulong
        "fffffffffdx", // float
        "ddddddddddx", // double
        "mmmmmmmmxxm", // decimal
    };

    private static final Map<String, Object> TWOS = new LinkedHashMap<>();

    static {
        TWOS.put("sbyte", (byte) 2);
        TWOS.put("byte", UnsignedByte.valueOf((byte) 2));
        TWOS.put("short", (short) 2);
        TWOS.put("ushort", UnsignedShort.valueOf((short) 2));
        TWOS.put("int", 2);
        TWOS.put("uint", UnsignedInteger.valueOf(2));
        TWOS.put("long", 2L);
        TWOS.put("ulong", UnsignedLong.valueOf(2));
        TWOS.put("float", 2f);
        TWOS.put("double", 2.0);
        TWOS.put("decimal", Decimal128s.encode(new BigDecimal("2")));
    }

    static List<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        for (int row = 0; row < TYPES.length; row++) {
            for (int column = 0; column < TYPES.length; column++) {
                pairs.add(Arguments.of(TYPES[row], TYPES[column], MATRIX[row].charAt(column)));
            }
        }
        return pairs;
    }

    @ParameterizedTest(name = "FILTER-15: the common type of {0} and {1} is {2}")
    @MethodSource("pairs")
    void promotes(String left, String right, char expected) {
        Evaluation evaluation = Messages.with(TWOS);
        Value sum = Arithmetic.ADD.apply(
                evaluation.message().user(new PropertyName(left)),
                evaluation.message().user(new PropertyName(right)));

        assertThat(sum.kind()).isEqualTo(kind(expected));
        String equal = expected == 'x' ? "E" : "T";
        assertThat(Filters.result(left + " = " + right, evaluation)).isEqualTo(equal);
        assertThat(Filters.result(left + " >= " + right, evaluation)).isEqualTo(equal);
        assertThat(Filters.result(left + " * " + right + " = " + left + " + " + right, evaluation))
                .isEqualTo(equal);
    }

    private static Value.Kind kind(char letter) {
        return switch (letter) {
            case 'i' -> Value.Kind.INT;
            case 'u' -> Value.Kind.UINT;
            case 'l' -> Value.Kind.LONG;
            case 'U' -> Value.Kind.ULONG;
            case 'f' -> Value.Kind.FLOAT;
            case 'd' -> Value.Kind.DOUBLE;
            case 'm' -> Value.Kind.DECIMAL;
            default -> Value.Kind.ERROR;
        };
    }

    @ParameterizedTest(name = "FILTER-15, 16: {0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ulong > -1                        | E
            ulong = sneg                      | E
            ulong - 3 = 0                     | E
            ulongmax + 1 = 0                  | E
            ulongmax * 2 = 0                  | E
            ulongmax / 2 = 9223372036854775807 | T
            ulongmax % 10 = 5                 | T
            ulongmax > 9223372036854775807    | T
            -ulong = -2                       | E
            ushort / uint - byte = -1         | E
            +ushort / uint - byte = -1        | T
            +byte - uint - uint = -2          | T
            uint - uint - uint = 0            | E
            -uint = -2                        | T
            uint + sneg = 1                   | T
            imax + int > 0                    | E
            imax + 1 = 2147483648             | T
            imin / sneg = 0                   | E
            imin % sneg = 0                   | T
            -imin = 0                         | E
            sbyte + byte = 4                  | T
            byte * byte * byte = 8            | T
            float / 3 = 0.6666667             | F
            f = 0.1                           | F
            f < 0.11 AND f > 0.09             | T
            decimal + 0.5 = 1                 | E
            decimal / 3 > 0                   | T
            decimal / 0 = 0                   | E
            decimal * decimal - 4 = 0         | T
            long * 4611686018427387904 = 0    | E
            nan = nan                         | F
            nan <> nan                        | T
            nan < 1 OR nan >= 1               | F
            """)
    void calculates(String filter, String expected) {
        Map<String, Object> properties = new LinkedHashMap<>(TWOS);
        properties.put("sneg", (byte) -1);
        properties.put("imax", Integer.MAX_VALUE);
        properties.put("imin", Integer.MIN_VALUE);
        properties.put("ulongmax", UnsignedLong.valueOf(-1L));
        properties.put("f", 0.1f);
        properties.put("nan", Double.NaN);

        assertThat(Filters.result(filter, Messages.with(properties))).isEqualTo(expected);
    }

    @Test
    @DisplayName("FILTER-18: a string and a number have no common type")
    void stringsAreNoNumbers() {
        Map<String, Object> properties = new LinkedHashMap<>(TWOS);
        properties.put("s", "2");
        Evaluation evaluation = Messages.with(properties);

        Arrays.stream(TYPES).forEach(type -> {
            assertThat(Filters.result(type + " = s", evaluation)).isEqualTo("E");
            assertThat(Filters.result("s + " + type + " = 1", evaluation)).isEqualTo("E");
        });
    }
}
