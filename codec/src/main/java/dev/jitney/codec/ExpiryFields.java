package dev.jitney.codec;

import dev.jitney.model.MessageContent;
import org.jspecify.annotations.Nullable;

/**
 * The fields absolute-expiry-time and creation-time inside a stored properties section, and how the section reads with
 * others in their place.
 *
 * <p>.NET and the older Java client compute the time to live of a received message from nothing else (wire reference
 * 4.3), so whenever a message expires both fields have to be there and to differ by its effective time to live.
 */
final class ExpiryFields {
    /** 9999-12-31T23:59:59.999Z, the last instant that .NET can express. */
    static final long LATEST_MS = 253_402_300_799_999L;

    private static final int EXPIRY = 8;
    private static final int BEHIND_CREATION = 10;
    private static final int TIMES_SIZE = 18;

    private final byte[] bytes;
    private int count;
    private int headFrom;
    private int headTo;
    private int tailFrom;
    private int tailTo;
    private boolean hasExpiry;
    private boolean hasCreation;
    private long expiryMs;
    private long creationMs;

    private ExpiryFields(byte[] bytes) {
        this.bytes = bytes;
    }

    static ExpiryFields of(MessageContent content) throws MessageFormatException {
        var section = content.properties();
        ExpiryFields fields = new ExpiryFields(section.array());
        if (section.hasRemaining()) {
            int from = section.arrayOffset();
            fields.read(new AmqpReader(section.array(), from, from + section.remaining()));
        }
        return fields;
    }

    private void read(AmqpReader in) throws MessageFormatException {
        Sections.enter(in);
        count = in.enterList();
        tailTo = in.compoundEnd();
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

    /**
     * The section to be sent for a message that lives that long, or null if it already says so.
     *
     * @param enqueuedTimeMs taken as creation time if the sender gave none of use
     */
    @Nullable
    AmqpWriter rewritten(long timeToLiveMs, long enqueuedTimeMs) {
        if (hasExpiry && hasCreation && expiryMs - creationMs == timeToLiveMs) {
            return null;
        }
        boolean keepsCreation = hasCreation && creationMs >= 0 && creationMs <= LATEST_MS - timeToLiveMs;
        long creation = keepsCreation ? creationMs : enqueuedTimeMs;
        long expiry = timeToLiveMs > LATEST_MS - creation ? LATEST_MS : creation + timeToLiveMs;
        int headSize = headTo - headFrom;
        int padding = Math.max(0, EXPIRY - count);
        int tailSize = tailTo - tailFrom;
        int fieldsSize = headSize + padding + TIMES_SIZE + tailSize;
        int newCount = Math.max(count, BEHIND_CREATION);
        AmqpWriter out =
                new AmqpWriter(Sections.PREFIX_SIZE + AmqpWriter.sizeOfCompoundHead(fieldsSize, newCount) + fieldsSize);
        out.writeSection(Codes.PROPERTIES);
        out.writeListHead(fieldsSize, newCount);
        out.writeRaw(bytes, headFrom, headSize);
        for (int i = 0; i < padding; i++) {
            out.writeNull();
        }
        out.writeTimestamp(expiry);
        out.writeTimestamp(creation);
        out.writeRaw(bytes, tailFrom, tailSize);
        return out;
    }
}
