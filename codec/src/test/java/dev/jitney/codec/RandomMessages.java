package dev.jitney.codec;

import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Decimal128;
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
import org.apache.qpid.protonj2.types.messaging.DeliveryAnnotations;
import org.apache.qpid.protonj2.types.messaging.Footer;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.MessageAnnotations;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Section;

/** Random messages of a sender: every section and every value type occurs. */
public final class RandomMessages {
    private final Random random;

    /** Takes the source of randomness. */
    public RandomMessages(Random random) {
        this.random = random;
    }

    /** Returns the sections of another message. */
    public List<Section<?>> next() {
        List<Section<?>> sections = new ArrayList<>();
        if (random.nextBoolean()) {
            sections.add(header());
        }
        if (random.nextInt(4) == 0) {
            sections.add(new DeliveryAnnotations(Map.of(Symbol.valueOf("x-opt-hop"), something(1))));
        }
        if (random.nextBoolean()) {
            sections.add(new MessageAnnotations(annotations()));
        }
        if (random.nextInt(4) != 0) {
            sections.add(properties());
        }
        if (random.nextInt(4) != 0) {
            Map<String, Object> properties = new LinkedHashMap<>();
            for (int i = random.nextInt(random.nextInt(10) == 0 ? 300 : 6); i > 0; i--) {
                properties.put(text(12), property());
            }
            sections.add(new ApplicationProperties(properties));
        }
        addBody(sections);
        if (sections.isEmpty()) {
            sections.add(new Data(new byte[0]));
        }
        return sections;
    }

    private void addBody(List<Section<?>> sections) {
        switch (random.nextInt(4)) {
            case 0 -> {
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    sections.add(new Data(octets(random.nextInt(10) == 0 ? 3_000 : 100)));
                }
            }
            case 1 -> {
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    sections.add(new AmqpSequence<>(List.of(something(2), something(2))));
                }
            }
            case 2 -> sections.add(new AmqpValue<>(value(4)));
            default -> {
                return;
            }
        }
        if (random.nextInt(4) == 0) {
            sections.add(new Footer(Map.of(Symbol.valueOf("f"), something(2))));
        }
    }

    private Header header() {
        Header header = new Header();
        if (random.nextBoolean()) {
            header.setDurable(random.nextBoolean());
        }
        if (random.nextBoolean()) {
            header.setPriority((byte) random.nextInt(10));
        }
        if (random.nextBoolean()) {
            header.setTimeToLive(1 + random.nextInt(1 << random.nextInt(31)));
        }
        if (random.nextBoolean()) {
            header.setDeliveryCount(random.nextInt(400));
        }
        return header;
    }

    private Properties properties() {
        Properties properties = new Properties();
        if (random.nextInt(4) != 0) {
            properties.setMessageId(id());
        }
        if (random.nextBoolean()) {
            properties.setUserId(new Binary(octets(20)));
            properties.setTo(text(20));
        }
        if (random.nextBoolean()) {
            properties.setSubject(text(300));
            properties.setCorrelationId(id());
            properties.setContentType("text/plain");
        }
        if (random.nextBoolean()) {
            properties.setCreationTime(random.nextInt(1_000_000));
        }
        if (random.nextBoolean()) {
            properties.setAbsoluteExpiryTime(random.nextInt(3_000_000));
        }
        if (random.nextBoolean()) {
            properties.setGroupId(text(20));
            properties.setGroupSequence(random.nextInt(1_000));
            properties.setReplyToGroupId(text(5));
        }
        return properties;
    }

    private Object id() {
        return switch (random.nextInt(4)) {
            case 0 -> text(40);
            case 1 -> UnsignedLong.valueOf(random.nextLong());
            case 2 -> uuid();
            default -> new Binary(octets(30));
        };
    }

    private Map<Symbol, Object> annotations() {
        Map<Symbol, Object> annotations = new LinkedHashMap<>();
        if (random.nextBoolean()) {
            annotations.put(Symbol.valueOf("x-opt-partition-key"), text(20));
        }
        if (random.nextBoolean()) {
            annotations.put(Symbol.valueOf("x-opt-scheduled-enqueue-time"), new Date(1 + random.nextInt()));
        }
        if (random.nextBoolean()) {
            annotations.put(Symbol.valueOf("x-opt-enqueued-time"), new Date(random.nextInt()));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            annotations.put(Symbol.valueOf("x-opt-" + i), value(3));
        }
        return annotations;
    }

    /** Returns a value that is valid for an application property. */
    Object property() {
        return switch (random.nextInt(22)) {
            case 0 -> new UnknownDescribedType(Symbol.valueOf("com.microsoft:uri"), text(30));
            case 1 -> new UnknownDescribedType(Symbol.valueOf("com.microsoft:timespan"), random.nextLong());
            case 2 -> new UnknownDescribedType(Symbol.valueOf("com.microsoft:datetime-offset"), random.nextLong());
            default -> simple();
        };
    }

    private Object something(int depth) {
        Object value = value(depth);
        return value == null ? "" : value;
    }

    private Object value(int depth) {
        if (depth == 0 || random.nextBoolean()) {
            return simple();
        }
        return switch (random.nextInt(4)) {
            case 0 -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    list.add(something(depth - 1)); // protonj2 writes no nulls in lists
                }
                yield list;
            }
            case 1 -> {
                Map<Object, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    map.put(text(8), value(depth - 1));
                }
                yield map;
            }
            case 2 -> new long[] {random.nextLong(), random.nextInt(), 1};
            default -> new UUID[] {uuid(), uuid()};
        };
    }

    private Object simple() {
        return switch (random.nextInt(20)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> UnsignedByte.valueOf((byte) random.nextInt());
            case 3 -> (byte) random.nextInt();
            case 4 -> UnsignedShort.valueOf((short) random.nextInt());
            case 5 -> (short) random.nextInt();
            case 6 -> UnsignedInteger.valueOf(random.nextInt() >>> random.nextInt(32));
            case 7 -> random.nextInt() >> random.nextInt(32);
            case 8 -> UnsignedLong.valueOf(random.nextLong() >>> random.nextInt(64));
            case 9 -> random.nextLong() >> random.nextInt(64);
            case 10 -> random.nextFloat();
            case 11 -> random.nextDouble();
            case 12 -> new Decimal128(random.nextLong(), random.nextLong());
            case 13 -> (char) ('a' + random.nextInt(26));
            case 14 -> new Date(random.nextInt());
            case 15 -> uuid();
            case 16 -> new Binary(octets(40));
            case 17 -> Symbol.valueOf("symbol" + random.nextInt(10));
            default -> text(random.nextInt(10) == 0 ? 400 : 20);
        };
    }

    private UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private byte[] octets(int most) {
        byte[] octets = new byte[random.nextInt(most + 1)];
        random.nextBytes(octets);
        return octets;
    }

    private String text(int most) {
        int length = random.nextInt(most + 1);
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append(random.nextInt(20) == 0 ? "ß€😀" : Character.toString('a' + random.nextInt(26)));
        }
        return text.toString();
    }
}
