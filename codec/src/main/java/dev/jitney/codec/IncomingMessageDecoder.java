package dev.jitney.codec;

import dev.jitney.model.ErrorCode;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A decoder of the payload of a transfer into messages for the core.
 *
 * <p>Any payload results in messages or a {@link MessageFormatException}, in time linear in its size and with memory
 * bounded by it. Properties, application properties, body and footer are kept byte for byte. Annotations that only the
 * broker sets are dropped (MSG-5). Long descriptors are replaced by short ones, because some clients do not recognize
 * sections with long descriptors (wire reference 1.5).
 *
 * <p>Any thread may call it.
 */
public final class IncomingMessageDecoder {
    /** The message format of an ordinary AMQP message. */
    public static final int FORMAT_SINGLE = 0;

    /** The message format of a Service Bus batch (wire reference 4.7). */
    public static final int FORMAT_BATCH = 0x8001_3700;

    private final Supplier<String> freshMessageIds;
    private final long batchBytesMax;

    /**
     * Creates a decoder.
     *
     * @param freshMessageIds supplies ids of at most 128 characters for messages without an id; called on the thread that
     *     decodes
     */
    public IncomingMessageDecoder(Supplier<String> freshMessageIds) {
        this(freshMessageIds, Long.MAX_VALUE);
    }

    /**
     * Creates a decoder that refuses batches that take too much memory.
     *
     * @param freshMessageIds as above
     * @param batchBytesMax limit of the encoding and the objects of the messages of a batch together, in bytes. Without it,
     *     a batch of tiny messages takes more than thirty times its size.
     */
    public IncomingMessageDecoder(Supplier<String> freshMessageIds, long batchBytesMax) {
        this.freshMessageIds = freshMessageIds;
        this.batchBytesMax = batchBytesMax;
    }

    /**
     * Decodes one message, or the messages of a batch in order.
     *
     * @param payload the whole transfer; the result keeps no reference to its array
     * @param messageFormat the format in the transfer, 0 if not set
     * @return at least one message
     * @throws MessageFormatException if the payload does not have that format
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
     * Decodes a batch: a message whose data sections are messages. Its other sections repeat the values of the first
     * message, not always correctly, and are skipped (wire reference 4.7).
     */
    private List<IncomingMessage> decodeBatch(AmqpReader in) throws MessageFormatException {
        List<IncomingMessage> messages = new ArrayList<>();
        SectionOrder order = new SectionOrder();
        long bytes = in.limit() - in.position();
        while (in.hasRemaining()) {
            int section = Sections.enter(in);
            order.next(section);
            if (section == Codes.DATA) {
                in.enterBinary();
                bytes += IncomingMessage.OBJECT_BYTES;
                if (bytes > batchBytesMax) {
                    throw tooLarge(messages.size());
                }
                AmqpReader inner = new AmqpReader(in.bytes(), in.valueFrom(), in.position());
                messages.add(new MessageParser(inner).parse(freshMessageIds));
            } else if (section == Codes.AMQP_SEQUENCE || section == Codes.AMQP_VALUE) {
                throw MessageFormatException.decodeError(
                        "Expected data sections in a batch, but got another kind of" + " body.");
            } else {
                in.skipValue();
            }
        }
        if (messages.isEmpty()) {
            throw MessageFormatException.decodeError("Expected at least one message in a batch, but got none.");
        }
        return messages;
    }

    private MessageFormatException tooLarge(int count) {
        return new MessageFormatException(new Rejection(
                ErrorCode.MESSAGE_SIZE_EXCEEDED,
                "Expected a batch that takes at most " + batchBytesMax
                        + " bytes of memory, but the messages after the first " + count
                        + " exceed that. Send smaller batches, or start the server with a larger heap."));
    }
}
