package dev.jitney.core.duplicate;

import dev.jitney.codec.AmqpReader;
import dev.jitney.codec.Codes;
import dev.jitney.codec.MessageFormatException;
import dev.jitney.codec.Sections;
import dev.jitney.core.DuplicateKey;
import dev.jitney.core.DuplicateKey.Type;
import dev.jitney.model.IncomingMessage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The ids of incoming messages, with their types. */
final class SentIds {

    private SentIds() {}

    /** Returns the id that the sender set, or null if it is missing or empty (DUP-7). */
    static @Nullable DuplicateKey of(IncomingMessage message) {
        String text = message.messageId();
        return text == null || text.isEmpty()
                ? null
                : new DuplicateKey(typeOf(message.content().properties()), text);
    }

    /** Returns the type of the first field of a properties section. */
    private static Type typeOf(ByteBuffer section) {
        if (!section.hasRemaining()) {
            return Type.STRING;
        }
        int from = section.arrayOffset();
        try {
            AmqpReader in = new AmqpReader(section.array(), from, from + section.remaining());
            Sections.enter(in);
            return in.enterList() == 0
                    ? Type.STRING
                    : switch (in.peekCode()) {
                        case Codes.ULONG0, Codes.SMALL_ULONG, Codes.ULONG -> Type.ULONG;
                        case Codes.UUID -> Type.UUID;
                        case Codes.VBIN8, Codes.VBIN32 -> Type.BINARY;
                        default -> Type.STRING;
                    };
        } catch (MessageFormatException damaged) {
            throw new IllegalStateException("Expected readable properties: " + damaged.getMessage(), damaged);
        }
    }
}
