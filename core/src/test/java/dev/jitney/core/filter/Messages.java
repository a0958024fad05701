package dev.jitney.core.filter;

import dev.jitney.core.filter.property.BrokerValues;
import dev.jitney.core.filter.property.EncodedMessageProperties;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnknownDescribedType;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.jspecify.annotations.Nullable;

/** Messages of senders, encoded by an independent codec. */
final class Messages {
    static final long ENQUEUED_MS = 1_700_000_000_000L;
    static final BrokerValues BROKER = new BrokerValues(7, 5, ENQUEUED_MS, ENQUEUED_MS + 60_000, 60_000, 0, 0, 1_024);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private Messages() {}

    /** Returns the properties of the message in the reference's golden cases. */
    static Map<String, @Nullable Object> golden() {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        properties.put("a", 1);
        properties.put("d", 2.5);
        properties.put("s", "Abc");
        properties.put("b", true);
        properties.put("n", null);
        return properties;
    }

    static Evaluation with(Map<String, ? extends @Nullable Object> properties) {
        return with(properties, system -> {});
    }

    /** Returns the evaluation of a message with those user properties and that properties section. */
    static Evaluation with(Map<String, ? extends @Nullable Object> user, Consumer<Properties> system) {
        return evaluation(content(user, system), Map.of(), BROKER);
    }

    static Evaluation evaluation(MessageContent content, Map<String, EncodedValue> overrides, BrokerValues broker) {
        long[] ids = {0};
        return new Evaluation(
                new EncodedMessageProperties(content, overrides, broker), () -> new UUID(0x4000, ++ids[0]));
    }

    static MessageContent content(Map<String, ? extends @Nullable Object> user, Consumer<Properties> system) {
        Properties properties = new Properties();
        properties.setMessageId("m-1");
        system.accept(properties);
        return content(
                NOTHING,
                encode(properties),
                user.isEmpty() ? NOTHING : encode(new ApplicationProperties(new LinkedHashMap<String, Object>(user))));
    }

    static MessageContent content(ByteBuffer annotations, ByteBuffer properties, ByteBuffer applicationProperties) {
        return MessageContent.of(true, 4, false, annotations, properties, applicationProperties, NOTHING);
    }

    /** Returns the encoding of any AMQP value or section. */
    static ByteBuffer encode(Object value) {
        ProtonBuffer out = ProtonByteArrayBufferAllocator.allocator().allocate();
        Encoder encoder = CodecFactory.getEncoder();
        encoder.writeObject(out, encoder.newEncoderState(), value);
        byte[] bytes = new byte[out.getReadableBytes()];
        out.copyInto(out.getReadOffset(), bytes, 0, bytes.length);
        return ByteBuffer.wrap(bytes);
    }

    /** Returns a value of one of .NET's own types (wire reference 4.5). */
    static Object described(String symbol, Object value) {
        return new UnknownDescribedType(Symbol.valueOf(symbol), value);
    }

    static Object timeSpan(long ticks) {
        return described("com.microsoft:timespan", ticks);
    }

    static Object uri(String text) {
        return described("com.microsoft:uri", text);
    }

    static Object dateTimeOffset(long ticks) {
        return described("com.microsoft:datetime-offset", ticks);
    }

    static long never() {
        return MessageView.NEVER;
    }
}
