package dev.jitney.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ValuesTest {

    @Test
    @DisplayName("AMQP 1.6: the reader reads every value that the writer writes")
    void writesWhatItReads() throws Exception {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put("text", "ünï");
        map.put("none", null);
        map.put("yes", true);
        map.put("int", -7);
        map.put("long", Long.MIN_VALUE);
        map.put("uuid", new UUID(1, 2));
        map.put("time", Instant.ofEpochMilli(-5));
        for (Unsigned number : List.of(
                Unsigned.ofByte(255),
                Unsigned.ofShort(65_535),
                Unsigned.ofInt(0),
                Unsigned.ofInt(-1),
                Unsigned.ofLong(0),
                Unsigned.ofLong(200),
                Unsigned.ofLong(-1))) {
            map.put(number, Arrays.asList(number, null, List.of(1L)));
        }
        AmqpWriter out = new AmqpWriter(0);
        ValueWriter.write(out, map);
        assertThat(ValueReader.read(Wire.reader(out.toByteArray()))).isEqualTo(map);
    }

    @Test
    void writesArraysBinariesAndSymbols() throws Exception {
        AmqpWriter out = new AmqpWriter(0);
        ValueWriter.write(
                out,
                Arrays.asList(
                        new long[] {1, -1},
                        new Instant[] {Instant.EPOCH},
                        ByteBuffer.wrap(new byte[] {9, 1, 2}, 1, 2),
                        new Symbol("s")));
        List<?> values = (List<?>) ValueReader.read(Wire.reader(out.toByteArray()));
        assertThat(values.get(0)).isEqualTo(List.of(1L, -1L));
        assertThat(values.get(1)).isEqualTo(List.of(Instant.EPOCH));
        assertThat((byte[]) values.get(2)).containsExactly(1, 2);
        assertThat(values.get(3)).isEqualTo("s");
    }

    @Test
    @DisplayName("AMQP 1.6.3 to 1.6.6: unsigned numbers keep type and value")
    void keepsUnsignedTypes() throws Exception {
        Map<Object, Unsigned> numbers = new LinkedHashMap<>();
        numbers.put(UnsignedByte.valueOf((byte) 200), Unsigned.ofByte(200));
        numbers.put(UnsignedShort.valueOf((short) 40_000), Unsigned.ofShort(40_000));
        numbers.put(UnsignedInteger.MAX_VALUE, Unsigned.ofInt(-1));
        numbers.put(UnsignedLong.MAX_VALUE, Unsigned.ofLong(-1));
        for (Map.Entry<Object, Unsigned> number : numbers.entrySet()) {
            byte[] encoded = Wire.encodeValue(number.getKey());
            assertThat(ValueReader.read(Wire.reader(encoded))).isEqualTo(number.getValue());
            AmqpWriter out = new AmqpWriter(16);
            number.getValue().write(out);
            assertThat(out.toByteArray()).isEqualTo(encoded);
            assertThat(number.getValue()).hasToString(number.getKey().toString());
        }
        assertThat(Unsigned.ofLong(-1).doubleValue()).isEqualTo(0x1p64);
        assertThat(Unsigned.ofLong(-1).fitsLong()).isFalse();
        assertThat(Unsigned.ofInt(7)).isNotEqualTo(Unsigned.ofLong(7));
    }

    @Test
    @DisplayName("QUOTA-8: many keys of a map with the same hash do not take quadratic time")
    void limitsKeysThatAreNotText() throws Exception {
        Map<Object, Object> few = keysOfOneHash(256);
        assertThat(ValueReader.read(Wire.reader(encoded(few)))).isEqualTo(few);
        byte[] many = encoded(keysOfOneHash(257));
        assertThatThrownBy(() -> ValueReader.read(Wire.reader(many)))
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("Expected at most 256 keys in a map that are not text");
    }

    @Test
    @DisplayName("QUOTA-8: stored maps have any number of keys, of which the last are replaced by their text")
    void replacesKeysThatAreNotText() throws Exception {
        Map<Object, Object> many = keysOfOneHash(1_000);
        Map<?, ?> read = (Map<?, ?>) ValueReader.readStored(Wire.reader(encoded(many)));
        assertThat(read.keySet().stream().map(String::valueOf))
                .containsExactlyElementsOf(many.keySet().stream().map(String::valueOf)::iterator);
        assertThat(read.keySet().stream().filter(key -> !(key instanceof String)))
                .hasSize(256);
    }

    @Test
    @DisplayName("Unsigned numbers are ordered by their type and then by their value")
    void ordersUnsigned() {
        assertThat(List.of(Unsigned.ofLong(-1), Unsigned.ofLong(7), Unsigned.ofByte(200), Unsigned.ofInt(-1)).stream()
                        .sorted())
                .containsExactly(Unsigned.ofByte(200), Unsigned.ofInt(-1), Unsigned.ofLong(7), Unsigned.ofLong(-1));
        assertThat(Unsigned.ofShort(3)).isEqualByComparingTo(Unsigned.ofShort(3));
    }

    /** Returns a map of different keys of type ulong, which all have the same hash. */
    private static Map<Object, Object> keysOfOneHash(int count) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (long i = 1; i <= count; i++) {
            map.put(Unsigned.ofLong(i << Integer.SIZE | i), true);
        }
        return map;
    }

    private static byte[] encoded(Object value) {
        AmqpWriter out = new AmqpWriter(0);
        ValueWriter.write(out, value);
        return out.toByteArray();
    }
}
