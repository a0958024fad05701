package dev.jitney.runtime.rows;

import dev.jitney.core.FragmentId;
import dev.jitney.core.MessageChange;
import dev.jitney.core.RowWriter.FragmentRow;
import dev.jitney.core.SharedBody;
import dev.jitney.core.StoredMessage;
import dev.jitney.model.EncodedValue;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.runtime.store.StoreException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values of MESSAGES, MESSAGE_STATES and FRAGMENTS ({@code docs/formats.md}).
 *
 * <table>
 * <caption>message row, version 4; version 3 has no flag for scheduled messages, version 2 also has no transfers, version 1
 * also has no shared bodies</caption>
 * <tr><th>size</th><th>meaning</th></tr>
 * <tr><td>1</td><td>version</td></tr>
 * <tr><td>1</td><td>flags: 1 session id, 2 dead-letter source, 4 property overrides follow, 8 the
 * content is shared, 16 transfers follow, 32 the message was scheduled</td></tr>
 * <tr><td>8</td><td>enqueued sequence number</td></tr>
 * <tr><td>8</td><td>enqueued time, ms</td></tr>
 * <tr><td>8</td><td>expiry, ms, or largest; in the scheduled lane the time to live</td></tr>
 * <tr><td>8</td><td>scheduled enqueue time, ms, or 0</td></tr>
 * <tr><td>4</td><td>delivery count</td></tr>
 * <tr><td>as flagged</td><td>texts: length 4, UTF-8; overrides: count 4, then name and value each with length 4</td></tr>
 * <tr><td>1 if flagged</td><td>number of transfers so far</td></tr>
 * <tr><td>24 if shared</td><td>topic's entity 4 and fragment 4, number in the topic 8, initial number of copies 4, size of the
 * content 4</td></tr>
 * <tr><td>rest</td><td>content, if not shared</td></tr>
 * </table>
 */
final class MessageRows {
    private static final int OLDEST_MESSAGE_VERSION = 1;
    private static final int MESSAGE_VERSION = 4;
    private static final int OLDEST_FRAGMENT_VERSION = 1;
    private static final int FRAGMENT_VERSION = 2;
    private static final int VERSION = 1;
    private static final int FIXED = 38;
    private static final int REFERENCE = 24;
    private static final int HAS_SESSION = 1;
    private static final int HAS_SOURCE = 2;
    private static final int HAS_OVERRIDES = 4;
    private static final int SHARED = 8;
    private static final int HAS_HOPS = 16;
    private static final int WAS_SCHEDULED = 32;

    /** The known flags of each version, indexed from 0. */
    private static final int[] KNOWN_FLAGS = {0, 7, 15, 31, 63};

    private static final byte[] NO_BYTES = {};

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final MessageContent NO_CONTENT =
            MessageContent.of(false, 0, false, NOTHING, NOTHING, NOTHING, NOTHING);

    /** Returns the content of copies that share one body. */
    interface Bodies {
        MessageContent of(SharedBody body) throws StoreException;
    }

    private MessageRows() {}

    /**
     * Returns the first part of the row of a message. The content follows, which is not copied here because it can be large.
     */
    static byte[] head(StoredMessage message) {
        String session = message.sessionId();
        String source = message.deadLetterSource();
        Map<String, EncodedValue> overrides = message.propertyOverrides();
        SharedBody shared = message.sharedBody();
        int flags = (session == null ? 0 : HAS_SESSION)
                | (source == null ? 0 : HAS_SOURCE)
                | (overrides.isEmpty() ? 0 : HAS_OVERRIDES)
                | (shared == null ? 0 : SHARED)
                | (message.hops() == 0 ? 0 : HAS_HOPS)
                | (message.wasScheduled() ? WAS_SCHEDULED : 0);
        RowOutput out = new RowOutput(FIXED + (shared == null ? 0 : REFERENCE));
        out.u8(MESSAGE_VERSION).u8(flags);
        out.i64(message.enqueuedSequenceNumber()).i64(message.enqueuedTimeMs());
        out.i64(message.expiresAtMs()).i64(message.scheduledEnqueueTimeMs());
        out.i32(message.deliveryCount());
        if (session != null) {
            out.text(session);
        }
        if (source != null) {
            out.text(source);
        }
        if (!overrides.isEmpty()) {
            out.properties(overrides);
        }
        if (message.hops() != 0) {
            out.u8(message.hops());
        }
        if (shared != null) {
            out.i32((int) shared.topic().entityId())
                    .i32(shared.topic().fragment())
                    .i64(shared.number())
                    .i32(shared.copies())
                    .i32(shared.sizeBytes());
        }
        return out.toBytes();
    }

    /** Returns the content of the row of a message, behind its head; empty if the message shares the body of a topic. */
    static byte[] content(StoredMessage message) {
        return message.sharedBody() == null ? message.content().bytes() : NO_BYTES;
    }

    static StoredMessage message(long sequenceNumber, byte[] value, Bodies bodies) throws StoreException {
        RowInput in = new RowInput(value, OLDEST_MESSAGE_VERSION, MESSAGE_VERSION, "message");
        int flags = in.flags(KNOWN_FLAGS[in.version()]);
        long enqueuedSequenceNumber = in.i64();
        long enqueuedTimeMs = in.i64();
        long expiresAtMs = in.i64();
        long scheduledMs = in.i64();
        int deliveryCount = in.i32();
        @Nullable String session = (flags & HAS_SESSION) != 0 ? in.text() : null;
        @Nullable String source = (flags & HAS_SOURCE) != 0 ? in.text() : null;
        Map<String, EncodedValue> overrides = (flags & HAS_OVERRIDES) != 0 ? in.properties() : Map.of();
        int hops = (flags & HAS_HOPS) != 0 ? in.u8() : 0;
        if ((flags & HAS_OVERRIDES) != 0 && overrides.isEmpty() || (flags & HAS_HOPS) != 0 && hops == 0) {
            throw in.corrupt("flags of parts that are missing");
        }
        SharedBody shared = (flags & SHARED) != 0 ? shared(in) : null;
        MessageContent content = shared == null ? content(in) : bodies.of(shared);
        MessageEnvelope envelope = MessageEnvelope.builder()
                .sequenceNumber(sequenceNumber)
                .enqueuedSequenceNumber(enqueuedSequenceNumber)
                .enqueuedTimeMs(enqueuedTimeMs)
                .expiresAtMs(expiresAtMs)
                .scheduledEnqueueTimeMs(scheduledMs)
                .deliveryCount(deliveryCount)
                .sessionId(session)
                .deadLetterSource(source)
                .propertyOverrides(overrides)
                .hops(hops)
                .wasScheduled((flags & WAS_SCHEDULED) != 0)
                .build();
        return new StoredMessage(envelope, content, shared);
    }

    /** Returns the reference to the shared body of a message, or null if the row itself has the content. */
    static @Nullable SharedBody sharedBody(byte[] value) throws StoreException {
        return message(0, value, body -> NO_CONTENT).sharedBody();
    }

    private static SharedBody shared(RowInput in) throws StoreException {
        FragmentId topic = new FragmentId(in.i32() & 0xffff_ffffL, in.i32());
        if (topic.entityId() > RowKeys.ENTITY_MAX || (topic.fragment() & ~RowKeys.FRAGMENT_MAX) != 0) {
            throw in.corrupt("a shared body of the invalid topic " + topic);
        }
        SharedBody shared = new SharedBody(topic, in.i64(), in.i32(), in.i32());
        in.end();
        return shared;
    }

    private static MessageContent content(RowInput in) throws StoreException {
        try {
            return MessageContent.wrap(in.rest());
        } catch (IllegalArgumentException e) {
            throw in.corrupt("invalid content: " + e.getMessage());
        }
    }

    static byte[] change(MessageChange change) {
        return new RowOutput(16)
                .u8(VERSION)
                .bool(change.deferred())
                .i32(change.deliveryCount())
                .properties(change.propertyOverrides())
                .toBytes();
    }

    static MessageChange change(byte[] value) throws StoreException {
        RowInput in = new RowInput(value, VERSION, "message state");
        boolean deferred = in.bool();
        int deliveryCount = in.i32();
        MessageChange change = new MessageChange(deliveryCount, deferred, in.properties());
        in.end();
        return change;
    }

    /**
     * Encodes a fragment row. The encoding is short because a fragment row is written with every commit, and eleven of
     * them for a message to ten subscriptions.
     */
    static byte[] fragment(FragmentRow row) {
        return new RowOutput(32)
                .u8(FRAGMENT_VERSION)
                .number(row.lastSequenceNumber())
                .number(row.mainHead())
                .number(row.deadLetterHead())
                .number(row.active())
                .number(row.deferred())
                .number(row.scheduled())
                .number(row.deadLetter())
                .number(row.transferDeadLetter())
                .number(row.sizeBytes())
                .number(row.accessedAtMs())
                .toBytes();
    }

    static FragmentRow fragment(byte[] value) throws StoreException {
        RowInput in = new RowInput(value, OLDEST_FRAGMENT_VERSION, FRAGMENT_VERSION, "fragment");
        FragmentRow row = in.version() == OLDEST_FRAGMENT_VERSION
                ? new FragmentRow(
                        in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(),
                        in.i64())
                : new FragmentRow(
                        in.number(),
                        in.number(),
                        in.number(),
                        in.number(),
                        in.number(),
                        in.number(),
                        in.number(),
                        in.number(),
                        in.number(),
                        in.number());
        in.end();
        return row;
    }
}
