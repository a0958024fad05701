package dev.jitney.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.codec.ContentReader.BodyKind;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.UnsignedByte;
import org.apache.qpid.protonj2.types.UnsignedInteger;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.apache.qpid.protonj2.types.messaging.AmqpSequence;
import org.apache.qpid.protonj2.types.messaging.AmqpValue;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Footer;
import org.apache.qpid.protonj2.types.messaging.MessageAnnotations;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ContentReaderTest {

    @Test
    @DisplayName("AMQP 3.2.4, 3.2.3: fields and annotations by name, without the absent ones")
    void readsPropertiesAndAnnotations() throws Exception {
        Properties properties = new Properties();
        properties.setMessageId(new UUID(1, 2));
        properties.setSubject("s");
        properties.setContentType("text/plain");
        properties.setGroupId("g");
        properties.setGroupSequence(7);
        properties.setCreationTime(5);
        ContentReader content = read(
                new MessageAnnotations(Map.of(
                        Symbol.valueOf("x-opt-partition-key"), "g", Symbol.valueOf("x-opt-sequence-number"), 3L)),
                properties);
        assertThat(content.properties())
                .containsOnly(
                        Map.entry(PropertyField.MESSAGE_ID, new UUID(1, 2)),
                        Map.entry(PropertyField.SUBJECT, "s"),
                        Map.entry(PropertyField.CONTENT_TYPE, "text/plain"),
                        Map.entry(PropertyField.GROUP_ID, "g"),
                        Map.entry(PropertyField.CREATION_TIME, Instant.ofEpochMilli(5)),
                        Map.entry(PropertyField.GROUP_SEQUENCE, Unsigned.ofInt(7)));
        assertThat(content.annotations()).containsOnly(Map.entry("x-opt-partition-key", "g"));
    }

    @Test
    @DisplayName("the values of a message are counted with those inside lists, maps and arrays, before they exist")
    void countsValues() throws Exception {
        assertThat(read(new Data(new Binary(new byte[1_000]))).valueCount()).isZero();
        assertThat(read(new AmqpValue<>("one text")).valueCount()).isOne();
        assertThat(read(new AmqpValue<>(List.of(1, List.of(2, 3), Map.of("a", 4))))
                        .valueCount())
                .as("the list, 1, the inner list with 2 values, and the map with 2")
                .isEqualTo(8);
        assertThat(read(new AmqpValue<>(new int[] {1, 2, 3})).valueCount()).isGreaterThanOrEqualTo(4);
        assertThat(read(new AmqpSequence<>(List.of(1, 2)), new AmqpSequence<>(List.of(3)))
                        .valueCount())
                .isEqualTo(5);
        assertThat(read(
                                new MessageAnnotations(Map.of(Symbol.valueOf("a"), List.of(1, 2))),
                                new ApplicationProperties(Map.of("p", 5)))
                        .valueCount())
                .as("the list with 2 values, and the map with a name and its value")
                .isEqualTo(6);
    }

    private static Map<String, Object> typed(String type, Object value) {
        Map<String, Object> typed = new LinkedHashMap<>();
        typed.put("type", type);
        typed.put("value", value);
        return typed;
    }

    @Test
    @DisplayName("a typed reader names the AMQP type of each value that is neither text nor a boolean")
    void readsTypedValues() throws Exception {
        Map<String, Object> sent = new LinkedHashMap<>();
        sent.put("text", "t");
        sent.put("true", true);
        sent.put("none", null);
        sent.put("byte", (byte) -1);
        sent.put("ubyte", UnsignedByte.valueOf((byte) -1));
        sent.put("short", (short) -2);
        sent.put("ushort", UnsignedShort.valueOf((short) -1));
        sent.put("int", -3);
        sent.put("uint", UnsignedInteger.valueOf(-1));
        sent.put("long", 9_007_199_254_740_993L);
        sent.put("ulong", UnsignedLong.valueOf(-1));
        sent.put("float", 1.5f);
        sent.put("double", Double.NaN);
        sent.put("char", 'c');
        sent.put("timestamp", new Date(9));
        sent.put("uuid", new UUID(1, 2));
        sent.put("symbol", Symbol.valueOf("s"));
        sent.put("binary", new Binary(new byte[] {1, 2}));
        sent.put("span", new UnknownDescribedType(Symbol.valueOf(Described.TIME_SPAN), 10_000_000L));
        sent.put("uri", new UnknownDescribedType(Symbol.valueOf(Described.URI), "http://a/"));
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("text", "t");
        expected.put("true", true);
        expected.put("none", null);
        expected.put("byte", typed("byte", -1));
        expected.put("ubyte", typed("ubyte", 255));
        expected.put("short", typed("short", -2));
        expected.put("ushort", typed("ushort", 65_535));
        expected.put("int", typed("int", -3));
        expected.put("uint", typed("uint", 4_294_967_295L));
        expected.put("long", typed("long", "9007199254740993"));
        expected.put("ulong", typed("ulong", "18446744073709551615"));
        expected.put("float", typed("float", new BigDecimal("1.5")));
        expected.put("double", typed("double", "NaN"));
        expected.put("char", typed("char", "c"));
        expected.put("timestamp", typed("timestamp", "1970-01-01T00:00:00.009Z"));
        expected.put("uuid", typed("uuid", "00000000-0000-0001-0000-000000000002"));
        expected.put("symbol", typed("symbol", "s"));
        expected.put("binary", typed("binary", "AQI="));
        expected.put("span", typed("duration", "PT1S"));
        expected.put("uri", typed("uri", "http://a/"));

        assertThat(ContentReader.typed(content(new ApplicationProperties(sent))).applicationProperties(Map.of()))
                .isEqualTo(expected);
    }

    @Test
    @DisplayName("a typed reader shows lists, arrays and maps with their elements")
    void readsTypedCompounds() throws Exception {
        Map<String, Object> odd = typed("described", "no ticks");
        odd.put("descriptor", typed("symbol", Described.TIME_SPAN));
        assertThat(ContentReader.typed(content(new AmqpValue<>(
                                new UnknownDescribedType(Symbol.valueOf(Described.TIME_SPAN), "no ticks"))))
                        .body()
                        .values())
                .isEqualTo(List.of(odd));
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put(1, List.of("a"));
        assertThat(ContentReader.typed(content(new AmqpValue<>(map))).body().values())
                .isEqualTo(List.of(typed("map", List.of(List.of(typed("int", 1), typed("list", List.of("a")))))));
        assertThat(ContentReader.typed(content(new AmqpValue<>(new long[] {1, 2})))
                        .body()
                        .values())
                .isEqualTo(List.of(typed("list", List.of(typed("long", "1"), typed("long", "2")))));
    }

    @Test
    @DisplayName("Wire 4.5: application properties keep their types, and overrides replace them")
    void readsApplicationProperties() throws Exception {
        Map<String, Object> sent = new LinkedHashMap<>();
        sent.put("int", 1);
        sent.put("uint", UnsignedInteger.valueOf(2));
        sent.put("date", new Date(9));
        sent.put("span", new UnknownDescribedType(Symbol.valueOf(Described.TIME_SPAN), 10_000_000L));
        sent.put("none", null);
        sent.put("old", "o");
        Map<String, Object> read = read(new ApplicationProperties(sent))
                .applicationProperties(
                        Map.of("old", EncodedValue.ofString("n"), "DeadLetterReason", EncodedValue.ofString("r")));
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("int", 1);
        expected.put("uint", Unsigned.ofInt(2));
        expected.put("date", Instant.ofEpochMilli(9));
        expected.put("span", new Described(Described.TIME_SPAN, 10_000_000L));
        expected.put("none", null);
        expected.put("old", "n");
        expected.put("DeadLetterReason", "r");
        assertThat(read).isEqualTo(expected);
    }

    @Test
    @DisplayName("Wire 4.5: properties of stored messages have any descriptor, because outcomes could set them")
    void readsPropertiesWithAnyDescriptor() throws Exception {
        EncodedValue numbered = new EncodedValue(Wire.hex("00 53 05 a1 01 78"));
        EncodedValue nested = new EncodedValue(Wire.hex("00 00 a3 01 61 a1 01 62 40"));
        Map<String, Object> read =
                read(new Properties()).applicationProperties(Map.of("numbered", numbered, "nested", nested));
        assertThat(read).isEqualTo(Map.of("numbered", new Described("5", "x"), "nested", new Described("b", null)));
    }

    @Test
    @DisplayName("AMQP 3.2.6 to 3.2.8: every kind of body, without the footer")
    void readsBodies() throws Exception {
        ContentReader.Body data = read(
                        new Data(new byte[] {1}),
                        new Data(new byte[] {2, 3}),
                        new Footer(Map.of(Symbol.valueOf("f"), 1)))
                .body();
        assertThat(data.kind()).isEqualTo(BodyKind.DATA);
        assertThat(data.data()).containsExactly(1, 2, 3);
        assertThat(read(new AmqpValue<>("text")).body().values()).isEqualTo(List.of("text"));
        assertThat(read(new AmqpValue<>(new Binary(new byte[] {4}))).body().kind())
                .isEqualTo(BodyKind.VALUE);
        assertThat(read(new AmqpSequence<>(List.of(1, "b"))).body().values()).isEqualTo(List.of(List.of(1, "b")));
        assertThat(read(new Properties()).body().kind()).isEqualTo(BodyKind.NONE);
    }

    @Test
    @DisplayName("Wire 4: every accepted message can be shown, also with invalid texts, characters and names")
    void showsWhateverWasTaken() throws Exception {
        String noText = "a1 01 ff";
        String noCharacter = "73 7fffffff";
        String listAsKey = "c1 06 02 c0 02 01 40 41";
        String nothings = "e0 02 64 40"; // a hundred nulls in four bytes

        assertThat(value(noText)).isEqualTo("\ufffd");
        assertThat(value("a3 01 ff")).isEqualTo("\ufffd");
        assertThat(value(noCharacter)).isEqualTo("\ufffd");
        assertThat(value(listAsKey)).isEqualTo(Map.of("key 1", true));
        assertThat((List<?>) value(nothings)).hasSize(16);
        assertThat(value(nested(AmqpReader.MAX_DEPTH, noText))).isInstanceOf(List.class);
        ContentReader properties = read(Wire.hex("00 53 74 c1 09 02 a1 01 6e 73 7fffffff"));
        assertThat(properties.applicationProperties(Map.of())).isEqualTo(Map.of("n", "\ufffd"));
        ContentReader annotations = read(Wire.hex("00 53 72 c1 0a 02 a3 01 78 c0 04 01 a1 01 ff"));
        assertThat(annotations.annotations()).isEqualTo(Map.of("x", List.of("\ufffd")));
    }

    private static Object value(String encoded) throws MessageFormatException {
        return read(Wire.hex("00 53 77 " + encoded)).body().values().get(0);
    }

    private static String nested(int levels, String innermost) {
        String value = innermost.replace(" ", "");
        for (int i = 0; i < levels; i++) {
            value = String.format("d0%08x00000001", value.length() / 2 + 4) + value;
        }
        return value;
    }

    private static ContentReader read(Section<?>... sections) throws MessageFormatException {
        return read(Wire.bytes(Wire.encode(sections)));
    }

    private static ContentReader read(byte[] message) throws MessageFormatException {
        return new ContentReader(content(message));
    }

    private static MessageContent content(Section<?>... sections) throws MessageFormatException {
        return content(Wire.bytes(Wire.encode(sections)));
    }

    private static MessageContent content(byte[] message) throws MessageFormatException {
        return new IncomingMessageDecoder(() -> "fresh")
                .decode(Wire.reader(message), 0)
                .get(0)
                .content();
    }
}
