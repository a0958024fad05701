package dev.jitney.codec;

import dev.jitney.model.MessageView;
import java.nio.ByteBuffer;

/**
 * The fields absolute-expiry-time and creation-time of a stored properties section, and the section with the values for
 * the receiver.
 *
 * <p>.NET and the older Java client compute the time to live of a received message only from these fields, and the newer
 * Java client computes the expiry from both (wire reference 4.2, 4.3). Therefore the broker always sends both fields: the
 * expiry by its own clock (MSG-11), and, for a message that expires, a creation time such that the difference is the time
 * to live.
 */
final class ExpiryFields {
    /** 9999-12-31T23:59:59.999Z, the last instant that .NET can express. */
    static final long LATEST_MS = 253_402_300_799_999L;

    /**
     * From this instant on, an absolute-expiry-time means that a message does not expire. SDKs cap it at the latest
     * instant or up to a day before.
     */
    static final long NEVER_FROM_MS = LATEST_MS - 2 * 86_400_000L;

    private static final int EXPIRY = 8;
    private static final int BEHIND_CREATION = 10;
    private static final int TIMES_SIZE = 18;

    // A note: the number of fields, the bytes before the first field, and the bytes of the fields before the expiry.
    private static final int NOTE_PART_BITS = 4;
    private static final int NOTE_PART_MAX = 15;
    private static final int NOTED_HEAD_SIZE_MAX = (1 << 23) - 1;

    private final byte[] bytes;
    private int from;
    private int to;
    private int count;
    private int headFrom;
    private int headTo;
    private int tailFrom;
    private boolean hasExpiry;
    private boolean hasCreation;
    private long expiryMs;
    private long creationMs;

    private long toldExpiryMs;
    private long toldCreationMs;
    private boolean asStored;

    private ExpiryFields(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Reads the fields of a message and determines the values for the receiver. */
    static ExpiryFields of(MessageView message) throws MessageFormatException {
        ExpiryFields fields = at(message.content().properties());
        int note = message.content().propertiesNote();
        if (note != 0) {
            fields.recall(note);
        } else if (fields.to > fields.from) {
            fields.read();
        }
        fields.decide(message);
        return fields;
    }

    /**
     * Returns a note on a section that has neither field, and 0 for other sections. Clients send such sections with
     * messages that do not expire. With the note the section need not be read again
     * ({@link dev.jitney.model.MessageContent#propertiesNote}).
     */
    static int note(ByteBuffer section) throws MessageFormatException {
        if (!section.hasRemaining()) {
            return 0;
        }
        ExpiryFields fields = at(section);
        fields.read();
        int before = fields.headFrom - fields.from;
        int headSize = fields.headTo - fields.headFrom;
        boolean fits = fields.count <= NOTE_PART_MAX && before <= NOTE_PART_MAX && headSize <= NOTED_HEAD_SIZE_MAX;
        return fields.hasExpiry || fields.hasCreation || !fits
                ? 0
                : fields.count | before << NOTE_PART_BITS | headSize << 2 * NOTE_PART_BITS;
    }

    private void recall(int note) {
        count = note & NOTE_PART_MAX;
        headFrom = from + (note >> NOTE_PART_BITS & NOTE_PART_MAX);
        headTo = headFrom + (note >> 2 * NOTE_PART_BITS);
        tailFrom = headTo + Math.min(Math.max(0, count - EXPIRY), 2); // after a null for each field
    }

    private static ExpiryFields at(ByteBuffer section) {
        ExpiryFields fields = new ExpiryFields(section.array());
        fields.from = section.arrayOffset() + section.position();
        fields.to = fields.from + section.remaining();
        fields.tailFrom = fields.to; // no fields until they are read
        return fields;
    }

    private void read() throws MessageFormatException {
        AmqpReader in = new AmqpReader(bytes, from, to);
        Sections.enter(in);
        count = in.enterList();
        headFrom = in.position();
        for (int i = 0; i < Math.min(count, EXPIRY); i++) {
            in.skipValue();
        }
        headTo = in.position();
        if (count > EXPIRY && !in.skipNull()) {
            expiryMs = in.readTimestamp();
            hasExpiry = true;
        }
        if (count > EXPIRY + 1 && !in.skipNull()) {
            creationMs = in.readTimestamp();
            hasCreation = true;
        }
        tailFrom = in.position();
    }

    private void decide(MessageView message) {
        boolean expires = message.expiresAtMs() != MessageView.NEVER;
        toldExpiryMs = expires ? Math.min(message.expiresAtMs(), LATEST_MS) : LATEST_MS;
        // The smaller of the two, so that the difference is never negative.
        toldCreationMs = expires || !hasCreation ? Math.min(message.enqueuedTimeMs(), toldExpiryMs) : creationMs;
        asStored = hasExpiry && hasCreation && expiryMs == toldExpiryMs && creationMs == toldCreationMs;
    }

    /** Returns the size of the section for the receiver, in bytes. */
    int sizeBytes() {
        int fields = fieldsSize();
        return asStored ? to - from : Sections.PREFIX_SIZE + AmqpWriter.sizeOfCompoundHead(fields, newCount()) + fields;
    }

    private int newCount() {
        return Math.max(count, BEHIND_CREATION);
    }

    private int padding() {
        return Math.max(0, EXPIRY - count);
    }

    private int fieldsSize() {
        return headTo - headFrom + padding() + TIMES_SIZE + to - tailFrom;
    }

    /** Writes the section for the receiver. */
    void write(AmqpWriter out) {
        if (asStored) {
            out.writeRaw(bytes, from, to - from);
            return;
        }
        out.writeSection(Codes.PROPERTIES);
        out.writeListHead(fieldsSize(), newCount());
        out.writeRaw(bytes, headFrom, headTo - headFrom);
        for (int i = padding(); i > 0; i--) {
            out.writeNull();
        }
        out.writeTimestamp(toldExpiryMs);
        out.writeTimestamp(toldCreationMs);
        out.writeRaw(bytes, tailFrom, to - tailFrom);
    }
}
