package dev.jitney.codec;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Turns the payload of a transfer into messages for the core.
 *
 * <p>Any payload gives messages or a {@link MessageFormatException}, in time linear in its size and with memory
 * bounded by it. Properties, application properties, body and footer are kept byte for byte; annotations that only the
 * broker may set are dropped (MSG-5). Only descriptors in a long form are replaced by the short one, without which some
 * clients do not find a section (wire reference 1.5).
 *
 * <p>Any thread may call it.
 */
public final class IncomingMessageDecoder {
    /** Message format of an ordinary AMQP message. */
    public static final int FORMAT_SINGLE = 0;

    /** Message format of a Service Bus batch (wire reference 4.7). */
    public static final int FORMAT_BATCH = 0x8001_3700;

    private final Supplier<String> freshMessageIds;

    /**
     * Takes the ids for messages that come without one.
     *
     * @param freshMessageIds at most 128 characters each, called on the thread that decodes
     */
    public IncomingMessageDecoder(Supplier<String> freshMessageIds) {
        this.freshMessageIds = freshMessageIds;
    }

    /**
     * Reads one message, or the messages of a batch in order.
     *
     * @param payload the transfer whole; nothing of its array is kept
     * @param messageFormat as the transfer says, 0 if it says nothing
     * @return at least one message
     * @throws MessageFormatException if the payload is not what the format promises
     */
    public List<IncomingMessage> decode(AmqpReader payload, int messageFormat) throws MessageFormatException {
        return switch (messageFormat) {
            case FORMAT_SINGLE -> List.of(new MessageParser(payload).parse(freshMessageIds));
            case FORMAT_BATCH -> decodeBatch(payload);
            default ->
                throw new MessageFormatException(new Rejection(
                        ErrorCode.NOT_IMPLEMENTED,
                        String.format(
                                "Expected message format 0 or 0x%08x, but got 0x%08x.", FORMAT_BATCH, messageFormat)));
        };
    }

    /**
     * A batch is a message whose data sections are messages. Its other sections repeat, not always rightly, what the
     * first message says (wire reference 4.7), and are only stepped over.
     */
    private List<IncomingMessage> decodeBatch(AmqpReader in) throws MessageFormatException {
        List<IncomingMessage> messages = new ArrayList<>();
        SectionOrder order = new SectionOrder();
        while (in.hasRemaining()) {
            int section = Sections.enter(in);
            order.next(section);
            if (section == Codes.DATA) {
                in.enterBinary();
                AmqpReader inner = new AmqpReader(in.bytes(), in.valueFrom(), in.position());
                messages.add(new MessageParser(inner).parse(freshMessageIds));
            } else if (section == Codes.AMQP_SEQUENCE || section == Codes.AMQP_VALUE) {
                throw MessageFormatException.decodeError("Expected data sections in a batch, but got another body.");
            } else {
                in.skipValue();
            }
        }
        if (messages.isEmpty()) {
            throw MessageFormatException.decodeError("Expected at least one message in a batch, but got none.");
        }
        return messages;
    }
}
