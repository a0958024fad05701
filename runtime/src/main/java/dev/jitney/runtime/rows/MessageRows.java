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
 * <caption>message row, version 5; version 4 does not know when the first entity stored it, version 3 does not tell what was scheduled, version 2 has no transfers either, version 1 no
 * shared bodies either</caption>
 * <tr><th>size</th><th>meaning</th></tr>
 * <tr><td>1</td><td>version</td></tr>
 * <tr><td>1</td><td>flags: 1 session id, 2 dead-letter source, 4 property overrides follow, 8 the
 * content is shared, 16 transfers follow, 32 the message was scheduled, 64 a first time follows</td></tr>
 * <tr><td>8</td><td>enqueued sequence number</td></tr>
 * <tr><td>8</td><td>enqueued time, ms</td></tr>
 * <tr><td>8</td><td>expiry, ms, or largest; in the scheduled lane the time to live</td></tr>
 * <tr><td>8</td><td>scheduled enqueue time, ms, or 0</td></tr>
 * <tr><td>4</td><td>delivery count</td></tr>
 * <tr><td>as flagged</td><td>texts: length 4, UTF-8; overrides: count 4, then name and value each with length 4</td></tr>
 * <tr><td>1 if flagged</td><td>transfers that have brought it here</td></tr>
 * <tr><td>8 if flagged</td><td>time at which the first entity stored it, ms; since version 5</td></tr>
 * <tr><td>24 if shared</td><td>topic's entity 4 and fragment 4, number in the topic 8, copies at first 4, size of the
 * content 4</td></tr>
 * <tr><td>rest</td><td>content, if not shared</td></tr>
 * </table>
 */
final class MessageRows {
    private static final int OLDEST_MESSAGE_VERSION = 1;
    private static final int MESSAGE_VERSION = 5;
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
    private static final int HAS_FIRST_TIME = 64;

    /** The flags of each version, from 0. */
    private static final int[] KNOWN_FLAGS = {0, 7, 15, 31, 63, 127};

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final MessageContent NO_CONTENT =
            MessageContent.of(false, 0, false, NOTHING, NOTHING, NOTHING, NOTHING);

    /** Finds the content of copies that share one. */
    interface Bodies {
        MessageContent of(SharedBody body) throws StoreException;
    }

    private MessageRows() {}

    static byte[] message(StoredMessage message) {
        String session = message.sessionId();
        String source = message.deadLetterSource();
        Map<String, EncodedValue> overrides = message.propertyOverrides();
        SharedBody shared = message.sharedBody();
        long firstMs = message.envelope().firstEnqueuedTimeMs();
        int flags = (session == null ? 0 : HAS_SESSION)
                | (source == null ? 0 : HAS_SOURCE)
                | (overrides.isEmpty() ? 0 : HAS_OVERRIDES)
                | (shared == null ? 0 : SHARED)
                | (message.hops() == 0 ? 0 : HAS_HOPS)
                | (message.wasScheduled() ? WAS_SCHEDULED : 0)
                | (firstMs == 0 ? 0 : HAS_FIRST_TIME);
        RowOutput out =
                new RowOutput(FIXED + (shared == null ? message.content().sizeBytes() : REFERENCE));
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
        if (firstMs != 0) {
            out.i64(firstMs);
        }
        if (shared != null) {
            out.i32((int) shared.topic().entityId())
                    .i32(shared.topic().fragment())
                    .i64(shared.number())
                    .i32(shared.copies())
                    .i32(shared.sizeBytes());
            return out.toBytes();
        }
        return out.raw(message.content().bytes()).toBytes();
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
        long firstMs = (flags & HAS_FIRST_TIME) != 0 ? in.i64() : 0;
        if ((flags & HAS_OVERRIDES) != 0 && overrides.isEmpty() || (flags & HAS_HOPS) != 0 && hops == 0) {
            throw in.corrupt("flags of what is not there");
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
                .firstEnqueuedTimeMs(firstMs)
                .wasScheduled((flags & WAS_SCHEDULED) != 0)
                .build();
        return new StoredMessage(envelope, content, shared);
    }

    /** Where a message's content is, if not in the row itself. */
    static @Nullable SharedBody sharedBody(byte[] value) throws StoreException {
        return message(0, value, body -> NO_CONTENT).sharedBody();
    }

    private static SharedBody shared(RowInput in) throws StoreException {
        FragmentId topic = new FragmentId(in.i32() & 0xffff_ffffL, in.i32());
        if (topic.entityId() > RowKeys.ENTITY_MAX || (topic.fragment() & ~RowKeys.FRAGMENT_MAX) != 0) {
            throw in.corrupt("a body of " + topic);
        }
        SharedBody shared = new SharedBody(topic, in.i64(), in.i32(), in.i32());
        in.end();
        return shared;
    }

    private static MessageContent content(RowInput in) throws StoreException {
        try {
            return MessageContent.wrap(in.rest());
        } catch (IllegalArgumentException e) {
            throw in.corrupt("broken content: " + e.getMessage());
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

    /** Written with every commit, eleven times for a message to ten subscriptions: worth being short. */
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
