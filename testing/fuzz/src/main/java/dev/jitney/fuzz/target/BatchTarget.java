package dev.jitney.fuzz.target;

import dev.jitney.codec.IncomingMessageDecoder;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.OutgoingMessageEncoder;
import dev.jitney.codec.RandomMessages;
import dev.jitney.codec.Views;
import dev.jitney.codec.Wire;
import dev.jitney.fuzz.engine.FuzzTarget;
import dev.jitney.model.IncomingMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Section;

/** The payload of a transfer in the batch format. Each message in it is decoded exactly as it would be alone. */
public final class BatchTarget implements FuzzTarget {
    private final IncomingMessageDecoder decoder = new IncomingMessageDecoder(() -> "fresh");
    private final OutgoingMessageEncoder encoder = new OutgoingMessageEncoder();

    @Override
    public String name() {
        return "batch";
    }

    @Override
    public byte[] generate(Random random) {
        RandomMessages messages = new RandomMessages(random);
        List<Section<?>> sections = new ArrayList<>();
        if (random.nextBoolean()) {
            messages.next().stream()
                    .filter(section -> switch (section.getType()) {
                        case Header, MessageAnnotations, Properties, ApplicationProperties -> true;
                        default -> false;
                    })
                    .forEach(sections::add);
        }
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            sections.add(new Data(Wire.bytes(Wire.encode(messages.next().toArray(new Section<?>[0])))));
        }
        return Wire.bytes(Wire.encode(sections.toArray(new Section<?>[0])));
    }

    @Override
    public void run(byte[] input) throws MessageFormatException {
        List<IncomingMessage> messages;
        try {
            messages = decoder.decode(Wire.reader(input), IncomingMessageDecoder.FORMAT_BATCH);
        } catch (MessageFormatException refused) {
            return;
        }
        if (messages.isEmpty()) {
            throw new AssertionError("Expected messages or a refusal, but got neither.");
        }
        messages.forEach(message -> encoder.encode(Views.delivered(message)));
        List<byte[]> parts = parts(input);
        if (parts == null) {
            return;
        }
        if (parts.size() != messages.size()) {
            throw new AssertionError("Expected " + parts.size() + " messages, but got " + messages.size() + ".");
        }
        for (int i = 0; i < parts.size(); i++) {
            IncomingMessage alone = decoder.decode(Wire.reader(parts.get(i)), IncomingMessageDecoder.FORMAT_SINGLE)
                    .get(0);
            if (!alone.equals(messages.get(i))) {
                throw new AssertionError(
                        "Expected message " + i + " of a batch to be " + alone + ", but got " + messages.get(i) + ".");
            }
        }
    }

    /** Returns the data sections as another codec reads them, or null if that codec refuses them. */
    private static @org.jspecify.annotations.Nullable List<byte[]> parts(byte[] input) {
        try {
            return Wire.decode(Wire.buffer(input)).stream()
                    .filter(Data.class::isInstance)
                    .map(section -> ((Data) section).getBinary().asByteArray())
                    .toList();
        } catch (RuntimeException disliked) {
            return null;
        }
    }
}
