package dev.jitney.codec;

import dev.jitney.model.EncodedValue;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageView;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A parser of one encoded message (message format 0) into the parts of an {@link IncomingMessage}. */
final class MessageParser {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int DEFAULT_PRIORITY = 4;
    private static final int HEADER_FIELDS = 5;
    private static final long TTL_NOT_SET = 0xffff_ffffL;

    private final AmqpReader in;
    private final byte[] bytes;
    private final int from;

    private boolean durable;
    private int priority = DEFAULT_PRIORITY;
    private long headerTtlMs = TTL_NOT_SET;
    private ByteBuffer annotations = NOTHING;
    private @Nullable String partitionKey;
    private @Nullable String viaPartitionKey;
    private long scheduledEnqueueTimeMs;
    private final PropertiesSection properties = new PropertiesSection();
    private ByteBuffer propertiesBytes = NOTHING;
    private ByteBuffer applicationProperties = NOTHING;
    private int headerSize;
    private int largestPropertySize;
    private int bodyFrom = -1;
    private boolean longDescriptors;

    /** True if the array is a private copy of the message, which the parser may change. */
    private final boolean owned;

    private boolean stringKeys;

    /** The start of a footer before the body, or -1. */
    private int footerFrom = -1;

    private int footerTo;

    MessageParser(AmqpReader in) {
        this(in, false);
    }

    private MessageParser(AmqpReader in, boolean owned) {
        this.in = in;
        this.owned = owned;
        this.bytes = in.bytes();
        this.from = in.position();
    }

    IncomingMessage parse(Supplier<String> freshIds) throws MessageFormatException {
        if (!in.hasRemaining()) {
            throw MessageFormatException.decodeError("Expected a message, but got no bytes.");
        }
        SectionOrder order = new SectionOrder();
        while (in.hasRemaining()) {
            int sectionFrom = in.position();
            int section = Sections.enter(in);
            order.next(section);
            readSection(section, sectionFrom);
        }
        if (footerFrom >= 0 && footerTo < in.limit()) {
            byte[] ordered = footerLast();
            return new MessageParser(new AmqpReader(ordered, 0, ordered.length), true).parse(freshIds);
        }
        if (stringKeys && !owned) {
            byte[] copy = Arrays.copyOfRange(bytes, from, in.limit());
            return new MessageParser(new AmqpReader(copy, 0, copy.length), true).parse(freshIds);
        }
        return assemble(freshIds);
    }

    /** Returns the message with its footer at the end, where all clients look for it. */
    private byte[] footerLast() {
        byte[] ordered = new byte[in.limit() - from];
        int before = footerFrom - from;
        int after = in.limit() - footerTo;
        System.arraycopy(bytes, from, ordered, 0, before);
        System.arraycopy(bytes, footerTo, ordered, before, after);
        System.arraycopy(bytes, footerFrom, ordered, before + after, footerTo - footerFrom);
        return ordered;
    }

    private void readSection(int section, int sectionFrom) throws MessageFormatException {
        switch (section) {
            case Codes.HEADER -> readHeader();
            case Codes.DELIVERY_ANNOTATIONS -> skipAnnotations();
            case Codes.MESSAGE_ANNOTATIONS -> readAnnotations();
            case Codes.PROPERTIES -> {
                int valueFrom = in.position();
                properties.read(in);
                propertiesBytes = shortForm(section, sectionFrom, valueFrom);
                headerSize += in.position() - sectionFrom;
            }
            case Codes.APPLICATION_PROPERTIES -> {
                int valueFrom = in.position();
                readApplicationProperties();
                applicationProperties = shortForm(section, sectionFrom, valueFrom);
                headerSize += in.position() - sectionFrom;
            }
            default -> {
                boolean footerFirst = section == Codes.FOOTER && bodyFrom < 0;
                longDescriptors |= !Sections.isShortForm(bytes, sectionFrom);
                readBody(section);
                if (footerFirst) {
                    footerFrom = sectionFrom;
                    footerTo = in.position();
                }
                if (bodyFrom < 0 && !(footerFirst && in.hasRemaining())) {
                    bodyFrom = sectionFrom;
                }
            }
        }
    }

    private void readHeader() throws MessageFormatException {
        int count = in.enterList();
        int end = in.compoundEnd();
        if (count > HEADER_FIELDS) {
            throw MessageFormatException.decodeError(
                    "Expected at most " + HEADER_FIELDS + " fields in header, but got " + count + ".");
        }
        for (int field = 0; field < count; field++) {
            if (in.skipNull()) {
                continue;
            }
            switch (field) {
                case 0 -> durable = in.readBoolean();
                case 1 -> priority = in.readUByte();
                case 2 -> headerTtlMs = in.readUInt();
                case 3 -> in.readBoolean();
                default -> in.readUInt(); // delivery-count: the broker has its own (wire reference 4.2)
            }
        }
        in.checkEnd(end);
    }

    /** Checks and skips delivery annotations, which are only for this hop (wire reference 4.1). */
    private void skipAnnotations() throws MessageFormatException {
        int count = in.enterMap();
        int end = in.compoundEnd();
        for (int i = 0; i < count; i += 2) {
            enterKey();
            in.skipValue();
        }
        in.checkEnd(end);
    }

    /**
     * Enters the key of an annotation and turns a string into a symbol. Some clients write strings, and others cannot
     * read a message unless the keys of annotations and footer are symbols, as specified (AMQP 1.0 part 3, 3.2.10).
     *
     * @return whether the key was a string
     */
    private boolean enterKey() throws MessageFormatException {
        int at = in.position();
        in.enterAnnotationKey();
        int code = bytes[at] & 0xff;
        boolean string = code == Codes.STR8 || code == Codes.STR32;
        if (string && isAscii(in.valueFrom(), in.position())) {
            stringKeys = true;
            if (owned) {
                bytes[at] = (byte) (code == Codes.STR8 ? Codes.SYM8 : Codes.SYM32);
            }
        }
        return string;
    }

    private boolean isAscii(int first, int end) {
        for (int i = first; i < end; i++) {
            if (bytes[i] < 0) {
                return false;
            }
        }
        return true;
    }

    private void readAnnotations() throws MessageFormatException {
        int count = in.enterMap();
        int end = in.compoundEnd();
        int keptFrom = in.position();
        AmqpWriter pieces = null;
        for (int i = 0; i < count; i += 2) {
            int pairFrom = in.position();
            boolean stringKey = enterKey();
            if (Annotations.isBrokerOwned(in)) {
                in.skipValue();
                if (pieces == null) {
                    pieces = new AmqpWriter(end - keptFrom);
                }
                pieces.writeRaw(bytes, keptFrom, pairFrom - keptFrom);
                keptFrom = in.position();
            } else {
                readAnnotation(stringKey);
            }
        }
        in.checkEnd(end);
        if (pieces == null) {
            annotations = ByteBuffer.wrap(bytes, keptFrom, end - keptFrom);
        } else {
            pieces.writeRaw(bytes, keptFrom, end - keptFrom);
            annotations = pieces.toByteBuffer();
        }
    }

    /**
     * Reads an annotation.
     *
     * @param stringKey true if the key is a string: the client's library then has neither symbols nor timestamps
     */
    private void readAnnotation(boolean stringKey) throws MessageFormatException {
        if (in.isText(Annotations.PARTITION_KEY)) {
            partitionKey = readKey("x-opt-partition-key");
        } else if (in.isText(Annotations.VIA_PARTITION_KEY)) {
            viaPartitionKey = readKey("x-opt-via-partition-key");
        } else if (in.isText(Annotations.SCHEDULED_ENQUEUE_TIME)) {
            if (!in.skipNull()) {
                scheduledEnqueueTimeMs = Math.max(1, readScheduledTime(stringKey)); // 0 would mean "not scheduled"
            }
        } else {
            in.skipValue();
        }
    }

    private long readScheduledTime(boolean stringKey) throws MessageFormatException {
        int code = in.peekCode();
        if (code == Codes.TIMESTAMP) {
            return in.readTimestamp();
        }
        if (stringKey && code == Codes.LONG) {
            if (owned) {
                bytes[in.position()] = (byte) Codes.TIMESTAMP;
            }
            in.readCode();
            return in.rawLong();
        }
        throw MessageFormatException.argument(
                "Expected a timestamp in annotation x-opt-scheduled-enqueue-time, but got another type.");
    }

    private @Nullable String readKey(String annotation) throws MessageFormatException {
        if (in.skipNull()) {
            return null;
        }
        int code = in.peekCode();
        if (code != Codes.STR8 && code != Codes.STR32) {
            throw MessageFormatException.argument(
                    "Expected a string in annotation " + annotation + ", but got another type.");
        }
        return in.readString();
    }

    private void readApplicationProperties() throws MessageFormatException {
        int count = in.enterMap();
        int end = in.compoundEnd();
        for (int i = 0; i < count; i += 2) {
            int pairFrom = in.position();
            in.enterString();
            PropertyValues.check(in, in.valueFrom(), in.position());
            largestPropertySize = Math.max(largestPropertySize, in.position() - pairFrom);
        }
        in.checkEnd(end);
    }

    private void readBody(int section) throws MessageFormatException {
        switch (section) {
            case Codes.DATA -> in.enterBinary();
            case Codes.AMQP_SEQUENCE -> {
                int code = in.peekCode();
                if (code != Codes.LIST0 && code != Codes.LIST8 && code != Codes.LIST32) {
                    throw AmqpReader.unexpected("a list", code);
                }
                in.skipValue();
            }
            case Codes.AMQP_VALUE -> in.skipValue();
            default -> skipAnnotations(); // the footer has the same encoding as annotations
        }
    }

    private IncomingMessage assemble(Supplier<String> freshIds) throws MessageFormatException {
        if (properties.messageId == null) {
            propertiesBytes = withMessageId(freshIds.get()); // for receivers; the sender did not set one (DUP-7)
        }
        long timeToLiveMs = timeToLiveMs();
        boolean expiryInProperties =
                timeToLiveMs != MessageView.NEVER && timeToLiveMs > 0 && properties.lifetimeMs() == timeToLiveMs;
        MessageContent content = MessageContent.of(
                durable,
                priority,
                expiryInProperties,
                annotations,
                propertiesBytes,
                applicationProperties,
                body(),
                ExpiryFields.note(propertiesBytes));
        return IncomingMessage.of(content)
                .messageId(properties.messageId)
                .partitionKey(partitionKey)
                .viaPartitionKey(viaPartitionKey)
                .replyToSessionId(properties.replyToGroupId)
                .timeToLiveMs(timeToLiveMs)
                .ping(properties.ping)
                .sizes(in.limit() - from, headerSize, largestPropertySize)
                .sent(properties.groupId, scheduledEnqueueTimeMs)
                .build();
    }

    /**
     * Returns the time to live (MSG-7). Uses header.ttl if it is finite, and otherwise absolute-expiry-time minus
     * creation-time, because a time to live beyond a uint appears only there. A ttl of zero stays zero and is refused
     * later (TTL-2).
     *
     * <p>A difference of exactly the largest ttl of the header also means no expiry: SDKs compute it when they copy a
     * message that does not expire.
     */
    private long timeToLiveMs() {
        if (headerTtlMs != TTL_NOT_SET) {
            return headerTtlMs;
        }
        long lifetimeMs = properties.lifetimeMs();
        return lifetimeMs > 0 && lifetimeMs != TTL_NOT_SET ? lifetimeMs : MessageView.NEVER;
    }

    /** Returns the section that ends at the current position, with its descriptor in the short form. */
    private ByteBuffer shortForm(int section, int sectionFrom, int valueFrom) {
        if (Sections.isShortForm(bytes, sectionFrom)) {
            return ByteBuffer.wrap(bytes, sectionFrom, in.position() - sectionFrom);
        }
        int valueSize = in.position() - valueFrom;
        return ByteBuffer.allocate(Sections.PREFIX_SIZE + valueSize)
                .put(Sections.prefix(section))
                .put(bytes, valueFrom, valueSize)
                .flip();
    }

    private ByteBuffer body() throws MessageFormatException {
        if (bodyFrom < 0) {
            return NOTHING;
        }
        if (!longDescriptors) {
            return ByteBuffer.wrap(bytes, bodyFrom, in.limit() - bodyFrom);
        }
        AmqpWriter out = new AmqpWriter(in.limit() - bodyFrom);
        AmqpReader again = new AmqpReader(bytes, bodyFrom, in.limit());
        while (again.hasRemaining()) {
            out.writeSection(Sections.enter(again));
            int valueFrom = again.position();
            again.skipValue();
            out.writeRaw(bytes, valueFrom, again.position() - valueFrom);
        }
        return out.toByteBuffer();
    }

    /** Returns the properties as sent with this message id, which the sender did not set (wire reference 4.3). */
    private ByteBuffer withMessageId(String messageId) {
        byte[] id = EncodedValue.ofString(messageId).encoding();
        int others = properties.fieldsTo - properties.secondFieldFrom;
        int count = Math.max(1, properties.count);
        AmqpWriter out = new AmqpWriter(id.length + others + 16);
        out.writeSection(Codes.PROPERTIES);
        out.writeListHead(id.length + others, count);
        out.writeRaw(id, 0, id.length);
        out.writeRaw(bytes, properties.secondFieldFrom, others);
        return out.toByteBuffer();
    }
}
