package dev.jitney.fuzz.input;

import dev.jitney.codec.Wire;
import dev.jitney.core.filter.Evaluation;
import dev.jitney.core.filter.property.BrokerValues;
import dev.jitney.core.filter.property.EncodedMessageProperties;
import dev.jitney.model.MessageContent;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.qpid.protonj2.types.Decimal128;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;

/** Messages for rules: an empty one, one with many properties, and one with a text of the maximum length. */
public final class SampleMessages {
    public static final String[] NAMES = {"a", "b", "c", "d", "s", "n", "g", "t", "long", "c d"};
    private static final int LONG_TEXT = 32_000;
    private static final BrokerValues BROKER =
            new BrokerValues(7, 5, 1_700_000_000_000L, 1_700_000_060_000L, 60_000, 0, 3, 1_024);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final MessageContent rich = content(rich());
    private final MessageContent empty = MessageContent.of(false, 4, false, NOTHING, NOTHING, NOTHING, NOTHING);
    private final MessageContent lengthy = content(Map.of("long", "a".repeat(LONG_TEXT), "s", "aaaaaaaaaaaaaaaaaaab"));

    /** Returns each message, with no property decoded yet. */
    public List<Evaluation> all() {
        return List.of(evaluation(empty), evaluation(rich), evaluation(lengthy));
    }

    private static Evaluation evaluation(MessageContent content) {
        return new Evaluation(new EncodedMessageProperties(content, Map.of(), BROKER), () -> new UUID(0x4000, 1));
    }

    private static Map<String, Object> rich() {
        Map<String, Object> user = new LinkedHashMap<>();
        user.put("a", 1);
        user.put("b", true);
        user.put("c", Long.MIN_VALUE);
        user.put("d", 2.5);
        user.put("s", "Abc");
        user.put("n", null);
        user.put("g", new UUID(1, 2));
        user.put("t", new UnknownDescribedType(Symbol.valueOf("com.microsoft:timespan"), 600_000_000L));
        user.put("c d", new Decimal128(0x3040_0000_0000_0000L, 12));
        user.put("u", UnsignedLong.valueOf(-1));
        user.put("f", Float.NaN);
        return user;
    }

    private static MessageContent content(Map<String, Object> user) {
        Properties properties = new Properties();
        properties.setMessageId("m-1");
        properties.setSubject("Red");
        properties.setGroupId("group");
        return MessageContent.of(
                true, 4, false, NOTHING, encode(properties), encode(new ApplicationProperties(user)), NOTHING);
    }

    private static ByteBuffer encode(Section<?> section) {
        return ByteBuffer.wrap(Wire.bytes(Wire.encode(section)));
    }
}
