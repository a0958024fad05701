package dev.jitney.fuzz.target;

import dev.jitney.codec.ContentReader;
import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.OutgoingMessageEncoder;
import dev.jitney.codec.RandomMessages;
import dev.jitney.codec.Views;
import dev.jitney.codec.Wire;
import dev.jitney.core.filter.property.BrokerValues;
import dev.jitney.core.filter.property.EncodedMessageProperties;
import dev.jitney.core.filter.property.SystemProperty;
import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.types.messaging.ApplicationProperties;
import org.apache.qpid.protonj2.types.messaging.Footer;
import org.apache.qpid.protonj2.types.messaging.Section;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a transfer. Every message that the codec accepts can be delivered, shown over HTTP and evaluated by
 * filters. Another codec reads the same application properties and body from the delivered message as from the sent
 * one.
 */
public final class MessageTarget implements FuzzTarget {
    private final IncomingMessageDecoder decoder = new IncomingMessageDecoder(() -> "fresh");
    private final OutgoingMessageEncoder encoder = new OutgoingMessageEncoder();

    @Override
    public String name() {
        return "message";
    }

    @Override
    public byte[] generate(Random random) {
        return Wire.bytes(Wire.encode(new RandomMessages(random).next().toArray(new Section<?>[0])));
    }

    @Override
    public void run(byte[] input) {
        List<IncomingMessage> messages;
        try {
            messages = decoder.decode(Wire.reader(input), IncomingMessageDecoder.FORMAT_SINGLE);
        } catch (MessageFormatException refused) {
            return;
        }
        IncomingMessage message = messages.get(0);
        if (!MessageContent.wrap(message.content().bytes()).equals(message.content())) {
            throw new AssertionError(
                    "Expected the same content after the message was stored and read, but it differs.");
        }
        ByteBuffer delivered = encoder.encode(Views.delivered(message));
        useProperties(message.content());
        List<Section<?>> sent = sections(Wire.buffer(input));
        if (sent != null) {
            List<Section<?>> received = sections(Wire.buffer(delivered));
            if (received == null) {
                throw new AssertionError(
                        "Expected another codec to read the delivered message as it reads the sent one, but it"
                                + " cannot.");
            }
            same(body(sent), body(received), "the body");
            same(properties(sent), properties(received), "the application properties");
        }
    }

    /** Reads every property of accepted content. */
    private static void useProperties(MessageContent content) {
        ContentReader reader = new ContentReader(content);
        reader.properties();
        reader.annotations();
        reader.applicationProperties(Map.of());
        reader.body();
        EncodedMessageProperties filtered = new EncodedMessageProperties(
                content, Map.of(), new BrokerValues(1, 1, 1, MessageView.NEVER, MessageView.NEVER, 0, 0, 1));
        for (SystemProperty property : SystemProperty.values()) {
            filtered.system(property);
        }
        filtered.forEachUserName(filtered::user);
    }

    /** Returns the sections as another codec reads them, or null if that codec refuses them. */
    private static @Nullable List<Section<?>> sections(org.apache.qpid.protonj2.buffer.ProtonBuffer encoded) {
        try {
            return Wire.decode(encoded);
        } catch (RuntimeException disliked) {
            return null;
        }
    }

    private static byte @Nullable [] body(List<Section<?>> sections) {
        return encoded(sections.stream()
                .filter(section -> switch (section.getType()) {
                    case Data, AmqpSequence, AmqpValue, Footer -> true;
                    default -> false;
                })
                .filter(section -> !(section instanceof Footer footer) || footer.getValue() != null)
                // a footer may come first (wire 4.1)
                .sorted(Comparator.comparing(section -> section instanceof Footer)));
    }

    private static byte @Nullable [] properties(List<Section<?>> sections) {
        return encoded(sections.stream()
                .filter(section -> section instanceof ApplicationProperties properties
                        && properties.getValue() != null
                        && !properties.getValue().isEmpty()));
    }

    /**
     * Returns an encoding to compare, or null if the other codec reads values that it cannot write, such as arrays of
     * nothing.
     */
    private static byte @Nullable [] encoded(Stream<Section<?>> sections) {
        try {
            return Wire.bytes(Wire.encode(sections.toArray(Section<?>[]::new)));
        } catch (RuntimeException cannotWrite) {
            return null;
        }
    }

    private static void same(byte @Nullable [] sent, byte @Nullable [] received, String what) {
        // Values that the other codec cannot write are not compared, such as string keys of a footer, which return as
        // symbols.
        if (sent != null && !Arrays.equals(sent, received)) {
            throw new AssertionError("Expected " + what + " to be delivered as sent, but another codec reads "
                    + Arrays.toString(received) + " instead of " + Arrays.toString(sent) + ".");
        }
    }
}
