package dev.jitney.core.filter.property;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.Sections;
import dev.jitney.core.filter.value.Ticks;
import dev.jitney.core.filter.value.Value;
import dev.jitney.core.filter.value.Value.Kind;
import dev.jitney.core.filter.value.ValueDecoder;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a message, read from the encoded content.
 *
 * <p>Nothing is read before a filter needs it. The first access to a user property finds the positions of all of them; a
 * value is decoded once, at its first access. The cost is bounded by the size of the message, for any number of rules.
 */
public final class EncodedMessageProperties implements MessageProperties {
    /**
     * The maximum number of names that are compared one by one; above it a map is used, because creating one pays off
     * only then. Names that are not ASCII must be decoded and folded, which is done once, for the map.
     */
    private static final int SCANNED_NAMES_MAX = 16;

    /**
     * The entries for each user property: start of its name, end of its name (negative if not ASCII), start of its value.
     */
    private static final int STRIDE = 3;

    private static final int[] NOT_READ = {};

    private final MessageContent content;
    private final Map<String, EncodedValue> overrides;
    private final BrokerValues broker;

    private final @Nullable Value[] system = new Value[SystemProperty.values().length];
    private @Nullable SystemFields fields;

    private byte[] bytes = {};
    private int limit;
    private int[] places = NOT_READ;
    private int count = -1;

    /** True if all names in the content are ASCII, so that they can be compared without decoding. */
    private boolean asciiOnly = true;

    private @Nullable Value[] values = {};
    private @Nullable Map<String, Integer> byName;

    /**
     * Reads content with properties that were set afterwards.
     *
     * @param overrides user properties that replace properties of the content
     */
    public EncodedMessageProperties(MessageContent content, Map<String, EncodedValue> overrides, BrokerValues broker) {
        this.content = content;
        this.overrides = overrides;
        this.broker = broker;
    }

    /** Returns the properties of a stored message. */
    public static EncodedMessageProperties of(MessageView message) {
        return new EncodedMessageProperties(message.content(), message.propertyOverrides(), BrokerValues.of(message));
    }

    @Override
    public Value system(SystemProperty property) {
        Value value = system[property.ordinal()];
        if (value == null) {
            value = readSystem(property);
            system[property.ordinal()] = value;
        }
        return value;
    }

    private Value readSystem(SystemProperty property) {
        return switch (property) {
            case DELIVERY_COUNT -> Value.ofInt(broker.deliveryCount());
            case SEQUENCE_NUMBER -> Value.ofLong(broker.sequenceNumber());
            case ENQUEUED_SEQUENCE_NUMBER -> Value.ofLong(broker.enqueuedSequenceNumber());
            case SIZE -> Value.ofLong(broker.sizeBytes());
            case ENQUEUED_TIME_UTC -> instant(broker.enqueuedTimeMs());
            case EXPIRES_AT_UTC -> instant(broker.expiresAtMs());
            case SCHEDULED_ENQUEUE_TIME_UTC ->
                broker.scheduledEnqueueTimeMs() == 0 ? Value.NULL : instant(broker.scheduledEnqueueTimeMs());
            case TIME_TO_LIVE -> Value.ofTicks(Kind.TIME_SPAN, Ticks.ofMs(broker.timeToLiveMs()));
            case FORCE_PERSISTENCE -> Value.of(content.durable());
            default -> {
                if (fields == null) {
                    fields = SystemFields.of(content);
                }
                yield fields.read(property);
            }
        };
    }

    private static Value instant(long ms) {
        return Value.ofTicks(Kind.DATE_TIME, Ticks.ofEpochMs(ms));
    }

    @Override
    public Value user(PropertyName name) {
        int index = find(name);
        if (index < 0) {
            return Value.UNKNOWN;
        }
        Value value = values[index];
        if (value == null) {
            value = decode(index);
            values[index] = value;
        }
        return value;
    }

    private Value decode(int index) {
        int from = places[STRIDE * index + 2];
        AmqpReader in;
        if (from < 0) {
            byte[] encoding = override(index).getValue().encoding();
            in = new AmqpReader(encoding, 0, encoding.length);
        } else {
            in = new AmqpReader(bytes, from, limit);
        }
        try {
            return ValueDecoder.read(in);
        } catch (MessageFormatException damaged) {
            throw new IllegalStateException("Expected a readable property value: " + damaged.getMessage(), damaged);
        }
    }

    @Override
    public @Nullable String userSpelling(PropertyName name) {
        int index = find(name);
        return index < 0 ? null : spelling(index);
    }

    @Override
    public int userCount() {
        index();
        return count;
    }

    @Override
    public void forEachUserName(Consumer<PropertyName> names) {
        index();
        for (int i = 0; i < count; i++) {
            names.accept(new PropertyName(spelling(i)));
        }
    }

    /** Returns the index of a property; if several have the same name, the one that was set last. */
    private int find(PropertyName name) {
        index();
        if (count > SCANNED_NAMES_MAX || !asciiOnly) {
            return findInMap(name);
        }
        for (int i = count - 1; i >= 0; i--) {
            if (name.isAscii(bytes, places[STRIDE * i], places[STRIDE * i + 1])) {
                return i;
            }
        }
        return -1;
    }

    private int findInMap(PropertyName name) {
        Map<String, Integer> map = byName;
        if (map == null) {
            map = new HashMap<>(2 * count);
            for (int i = 0; i < count; i++) {
                map.put(PropertyName.fold(spelling(i)), i);
            }
            byName = map;
        }
        return map.getOrDefault(name.folded(), -1);
    }

    private String spelling(int index) {
        if (places[STRIDE * index + 2] < 0) {
            return override(index).getKey();
        }
        int from = places[STRIDE * index];
        return new String(bytes, from, Math.abs(places[STRIDE * index + 1]) - from, StandardCharsets.UTF_8);
    }

    private Map.Entry<String, EncodedValue> override(int index) {
        int skip = -1 - places[STRIDE * index + 2];
        for (Map.Entry<String, EncodedValue> entry : overrides.entrySet()) {
            if (skip-- == 0) {
                return entry;
            }
        }
        throw new IllegalStateException("Expected properties that do not change while filters read them.");
    }

    private void index() {
        if (count >= 0) {
            return;
        }
        try {
            readPlaces();
        } catch (MessageFormatException damaged) {
            throw new IllegalStateException("Expected readable properties: " + damaged.getMessage(), damaged);
        }
    }

    private void readPlaces() throws MessageFormatException {
        ByteBuffer section = content.applicationProperties();
        int found = 0;
        if (section.hasRemaining()) {
            bytes = section.array();
            limit = section.arrayOffset() + section.remaining();
            AmqpReader in = new AmqpReader(bytes, section.arrayOffset(), limit);
            Sections.enter(in);
            int pairs = in.enterMap() / 2;
            places = new int[STRIDE * (pairs + overrides.size())];
            for (; found < pairs; found++) {
                in.enterOctets(in.readCode());
                int nameTo = in.position();
                places[STRIDE * found] = in.valueFrom();
                boolean ascii = isAscii(in.valueFrom(), nameTo);
                asciiOnly &= ascii;
                places[STRIDE * found + 1] = ascii ? nameTo : -nameTo;
                places[STRIDE * found + 2] = nameTo;
                in.skipValue();
            }
        } else {
            places = new int[STRIDE * overrides.size()];
        }
        for (int i = 0; i < overrides.size(); i++) {
            asciiOnly = false;
            places[STRIDE * found + 1] = -1;
            places[STRIDE * found + 2] = -1 - i;
            found++;
        }
        values = new Value[found];
        count = found;
    }

    private boolean isAscii(int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] < 0) {
                return false;
            }
        }
        return true;
    }
}
