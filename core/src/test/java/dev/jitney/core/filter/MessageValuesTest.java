package dev.jitney.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.filter.property.BrokerValues;
import dev.jitney.core.filter.value.Decimals;
import dev.jitney.core.filter.value.Value;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import dev.jitney.model.rule.RuleValue;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Decimal32;
import org.apache.qpid.protonj2.types.Decimal64;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The input of filters from messages: all property types, names without case, system properties. */
final class MessageValuesTest {
    private static final UUID GUID = UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10");

    /** 2023-11-14T22:13:20Z in ticks of .NET. */
    private static final long ENQUEUED_TICKS = 638_355_968_000_000_000L;

    private static Map<String, Object> allTypes() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("text", "it's");
        properties.put("symbol", Symbol.valueOf("it's"));
        properties.put("char", 'x');
        properties.put("guid", GUID);
        properties.put("time", new Date(Messages.ENQUEUED_MS));
        properties.put("span", Messages.timeSpan(600_000_000L));
        properties.put("uri", Messages.uri("http://a/b"));
        properties.put("offset", Messages.dateTimeOffset(ENQUEUED_TICKS));
        properties.put("binary", new Binary(new byte[] {1, 2}));
        properties.put("d128", Decimal128s.encode(new BigDecimal("-12.50")));
        properties.put("d64", new Decimal64(398L - 2 << 53 | 1_250));
        properties.put("d32", new Decimal32(101 - 2 << 23 | 1_250));
        properties.put("nothing", null);
        return properties;
    }

    private static final Map<String, RuleValue> PARAMETERS = Map.of(
            "@guid", new RuleValue(RuleValue.Type.GUID, "01020304-0506-0708-090A-0B0C0D0E0F10"),
            "@time", new RuleValue(RuleValue.Type.DATE_TIME, "2023-11-14T22:13:20Z"),
            "@later", new RuleValue(RuleValue.Type.DATE_TIME, "2023-11-15T00:13:20.0000001+01:00"),
            "@minute", new RuleValue(RuleValue.Type.DURATION, "PT1M"),
            "@binary", new RuleValue(RuleValue.Type.BASE64_BINARY, "AQI="),
            "@uri", new RuleValue(RuleValue.Type.ANY_URI, "http://a/b"),
            "@decimal", new RuleValue(RuleValue.Type.DECIMAL, "12.5"));

    @ParameterizedTest(name = "FILTER-17: {0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            text = 'it''s' AND symbol = text          | T
            char = 'x' AND char + 'y' LIKE '_y'       | T
            guid = @guid                              | T
            guid <> newid()                           | T
            guid > @guid                              | E
            guid = 'x'                                | E
            time = @time AND offset = time            | T
            time + span > @time                       | T
            time + @minute - @minute = time           | T
            @later - time - @minute > @minute         | T
            (@later - time) = span                    | F
            time - time + span = @minute              | T
            time + time = time                        | E
            span + time = time                        | E
            span * 2 = span                           | E
            -span + span + span = @minute             | T
            span < @minute                            | F
            time > 1                                  | E
            uri = @uri AND uri = 'http://a/b'         | T
            binary = @binary                          | T
            binary < @binary                          | E
            d128 = -@decimal                          | T
            d64 = @decimal AND d32 = d64              | T
            d128 + d64 = 0                            | T
            nothing IS NULL AND EXISTS(nothing)       | T
            """)
    void readsEveryType(String filter, String expected) {
        Map<String, RuleValue> used = new LinkedHashMap<>(PARAMETERS);
        used.keySet().removeIf(name -> !filter.contains(name));

        assertThat(Filters.result(filter, used, Messages.with(allTypes()))).isEqualTo(expected);
    }

    @Test
    @DisplayName("FILTER-5: names are compared without case, also in other alphabets and among many names")
    void namesHaveNoCase() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("Größe", 1);
        properties.put("ΣΑΣ", 2);
        properties.put("weird]name", 3);
        properties.put("", 4);
        String filter = "[GRÖßE]=1 AND größe=1 AND [σας]=2 AND [WEIRD]]name]=3 AND []=4";

        assertThat(Filters.result(filter, Messages.with(properties))).isEqualTo("T");
        for (int i = 0; i < 100; i++) {
            properties.put("Other" + i, i);
        }
        assertThat(Filters.result(filter + " AND oTHER99=99", Messages.with(properties)))
                .isEqualTo("T");
    }

    @Test
    @DisplayName("FILTER-6: system properties of the sender are read from the message, and ids of all types become"
            + " text")
    void readsSystemPropertiesOfTheSender() {
        Evaluation evaluation = Messages.with(Map.of(), properties -> {
            properties.setMessageId(UnsignedLong.valueOf(-1L));
            properties.setCorrelationId(GUID);
            properties.setTo("to");
            properties.setReplyTo("reply");
            properties.setSubject("label");
            properties.setGroupId("session");
            properties.setReplyToGroupId("reply-session");
            properties.setContentType("text/plain");
        });

        assertThat(Filters.result(
                        "sys.MessageId='18446744073709551615' AND sys.CorrelationId='" + GUID + "' AND sys.To='to'"
                                + " AND sys.ReplyTo='reply' AND sys.Label='label' AND sys.Subject='label'"
                                + " AND sys.SessionId='session' AND sys.ReplyToSessionId='reply-session'"
                                + " AND sys.ContentType='text/plain' AND sys.ForcePersistence"
                                + " AND EXISTS(sys.To) AND NOT EXISTS(sys.PartitionKey)",
                        evaluation))
                .isEqualTo("T");
    }

    @Test
    @DisplayName("FILTER-6: partition keys are annotations; a message without properties has no other system"
            + " properties of the sender")
    void readsAnnotations() {
        ByteBuffer annotations = ByteBuffer.allocate(200);
        for (Object value : new Object[] {
            Symbol.valueOf("x-opt-other"),
            5,
            Symbol.valueOf("x-opt-via-partition-key"),
            "via",
            Symbol.valueOf("x-opt-partition-key"),
            "key"
        }) {
            annotations.put(Messages.encode(value));
        }
        ByteBuffer nothing = ByteBuffer.allocate(0);
        MessageContent content = Messages.content(annotations.flip(), nothing, nothing);
        Evaluation evaluation = Messages.evaluation(content, Map.of(), Messages.BROKER);

        assertThat(Filters.result(
                        "sys.PartitionKey='key' AND sys.ViaPartitionKey='via' AND sys.Label IS NULL AND m IS NULL",
                        evaluation))
                .isEqualTo("T");
    }

    @Test
    @DisplayName("FILTER-6: system properties that the broker sets have the right types")
    void readsBrokerValues() {
        Map<String, RuleValue> parameters = Map.of(
                "@enqueued", new RuleValue(RuleValue.Type.DATE_TIME, "2023-11-14T22:13:20"),
                "@minute", new RuleValue(RuleValue.Type.DURATION, "PT1M"));

        assertThat(Filters.result(
                        "sys.SequenceNumber=7 AND sys.EnqueuedSequenceNumber=5 AND sys.DeliveryCount=0 AND sys.Size=1024"
                                + " AND sys.EnqueuedTimeUtc=@enqueued AND sys.ExpiresAtUtc=@enqueued+@minute"
                                + " AND sys.TimeToLive=@minute AND sys.ScheduledEnqueueTimeUtc IS NULL",
                        parameters,
                        Messages.with(Map.of())))
                .isEqualTo("T");
    }

    @Test
    @DisplayName("FILTER-6: a message without an expiry has the largest time to live")
    void neverIsTheLargestSpan() {
        BrokerValues forEver =
                new BrokerValues(1, 1, 0, Messages.never(), Messages.never(), Messages.ENQUEUED_MS, 3, 10);
        Map<String, RuleValue> parameters =
                Map.of("@max", new RuleValue(RuleValue.Type.DURATION, "P10675199DT2H48M5.4775807S"));
        MessageContent content = Messages.content(Map.of(), properties -> {});

        assertThat(Filters.result(
                        "sys.TimeToLive = @max AND sys.ExpiresAtUtc > sys.ScheduledEnqueueTimeUtc AND sys.DeliveryCount=3",
                        parameters,
                        Messages.evaluation(content, Map.of(), forEver)))
                .isEqualTo("T");
    }

    @Test
    @DisplayName("STATE-10: properties set later replace the properties of the sender")
    void overridesWin() {
        MessageContent content = Messages.content(Map.of("a", 1, "b", 2), Properties::getMessageId);
        Map<String, EncodedValue> overrides =
                Map.of("A", EncodedValue.ofString("new"), "DeadLetterReason", EncodedValue.ofString("why"));

        assertThat(Filters.result(
                        "a = 'new' AND b = 2 AND deadletterreason = 'why'",
                        Messages.evaluation(content, overrides, Messages.BROKER)))
                .isEqualTo("T");
    }

    @Test
    @DisplayName("FILTER-17: a text of more than 32,767 characters is an error")
    void limitsConcatenation() {
        Evaluation evaluation = Messages.with(Map.of("s", "x".repeat(16_384)));

        assertThat(Filters.result("s + s <> ''", evaluation)).isEqualTo("E");
        assertThat(Filters.result("s + p('s') LIKE 'x%'", evaluation)).isEqualTo("E");
    }

    @Test
    @DisplayName("FILTER-15: decimals of all sizes survive encoding and decoding")
    void decimalsRoundTrip() {
        for (String text : new String[] {
            "0",
            "1",
            "-1",
            "0.1",
            "79228162514264337593543950335",
            "-0.0000000000000000000000000001",
            "9999999999999999999999999999999999",
            "1E+6111",
            "1E-6176",
            "123E-10"
        }) {
            BigDecimal number = new BigDecimal(text);
            long[] halves = Decimals.to128(number);
            assertThat(Decimals.of128(halves[0], halves[1]).asDecimal()).isEqualByComparingTo(number);
            assertThat(Decimal128s.encode(number).getMostSignificantBits()).isEqualTo(halves[0]);
        }
        assertThat(Decimals.of128(0x7800_0000_0000_0000L, 0)).isEqualTo(Value.OTHER);
        assertThat(Decimals.of64(0x6000_0000_0000_0000L | 398L << 51 | 3).asDecimal())
                .isEqualByComparingTo(new BigDecimal("9007199254740995"));
    }
}
