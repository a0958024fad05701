package dev.jitney.runtime.rows;

import dev.jitney.core.Lane;
import dev.jitney.core.Transfer;
import dev.jitney.core.Transfer.Origin;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.model.MessageEnvelope;
import dev.jitney.runtime.store.StoreException;
import java.util.Arrays;

/**
 * Rows of the outboxes ({@code docs/formats.md}).
 *
 * <table>
 * <caption>transfer, version 2; version 1 has no flags nor what they tell of</caption>
 * <tr><th>size</th><th>meaning</th></tr>
 * <tr><td>1</td><td>version</td></tr>
 * <tr><td>1</td><td>flags: 1 a history, 2 an origin follow</td></tr>
 * <tr><td>texts</td><td>message id, session id, partition key; each may be missing</td></tr>
 * <tr><td>8</td><td>time to live, ms, or largest</td></tr>
 * <tr><td>8</td><td>scheduled enqueue time, ms, or 0</td></tr>
 * <tr><td>4, 4, 4</td><td>encoded size, size of properties, size of the largest property, as it was sent</td></tr>
 * <tr><td>if flagged</td><td>history: transfers with this one 1, first sequence number 8, dead-letter source as text that
 * may be missing</td></tr>
 * <tr><td>if flagged</td><td>origin: lane 1, sequence number 8, enqueued time 8, expiry 8, delivery count 4, dead-letter
 * source as text that may be missing</td></tr>
 * <tr><td>rest</td><td>content</td></tr>
 * </table>
 */
final class TransferRows {
    private static final int OLDEST_VERSION = 1;
    private static final int VERSION = 3;
    private static final int FIXED = 96;
    private static final int HANDED_ON = 1;
    private static final int HAS_ORIGIN = 2;

    private TransferRows() {}

    static byte[] transfer(Transfer transfer) {
        IncomingMessage message = transfer.message();
        MessageEnvelope envelope = message.envelope();
        Origin origin = transfer.origin();
        RowOutput out = new RowOutput(FIXED + message.content().sizeBytes())
                .u8(VERSION)
                .u8((envelope.isHandedOn() ? HANDED_ON : 0) | (origin == null ? 0 : HAS_ORIGIN))
                .text(message.messageId())
                .text(message.sessionId())
                .text(message.partitionKey())
                .i64(message.timeToLiveMs())
                .i64(message.scheduledEnqueueTimeMs())
                .i32(message.encodedSizeBytes())
                .i32(message.headerSizeBytes())
                .i32(message.largestPropertySizeBytes());
        if (envelope.isHandedOn()) {
            out.u8(envelope.hops()).i64(envelope.enqueuedSequenceNumber()).text(envelope.deadLetterSource()).i64(envelope.firstEnqueuedTimeMs());
        }
        if (origin != null) {
            MessageEnvelope there = origin.envelope();
            out.u8(origin.lane().id())
                    .i64(there.sequenceNumber())
                    .i64(there.enqueuedTimeMs())
                    .i64(there.expiresAtMs())
                    .i32(there.deliveryCount())
                    .text(there.deadLetterSource());
        }
        return out.raw(message.content().bytes()).toBytes();
    }

    static Transfer transfer(long number, long destinationId, byte[] value) throws StoreException {
        RowInput in = new RowInput(value, OLDEST_VERSION, VERSION, "transfer");
        int flags = in.version() == OLDEST_VERSION ? 0 : in.flags(HANDED_ON | HAS_ORIGIN);
        String messageId = in.textOrNull();
        String sessionId = in.textOrNull();
        String partitionKey = in.textOrNull();
        long timeToLiveMs = in.i64();
        long scheduledMs = in.i64();
        int encodedSizeBytes = in.i32();
        int headerSizeBytes = in.i32();
        int largestPropertySizeBytes = in.i32();
        MessageEnvelope envelope = MessageEnvelope.sent(sessionId, scheduledMs);
        if ((flags & HANDED_ON) != 0) {
            envelope = envelope.handedOn(in.u8(), in.i64(), in.textOrNull()).toBuilder()
                    .firstEnqueuedTimeMs(in.version() < 3 ? 0 : in.i64())
                    .build();
        }
        Origin origin = (flags & HAS_ORIGIN) == 0 ? null : origin(in);
        MessageContent content;
        try {
            content = MessageContent.wrap(in.rest());
        } catch (IllegalArgumentException e) {
            throw in.corrupt("broken content: " + e.getMessage());
        }
        IncomingMessage message = IncomingMessage.of(content)
                .messageId(messageId)
                .partitionKey(partitionKey)
                .timeToLiveMs(timeToLiveMs)
                .sizes(encodedSizeBytes, headerSizeBytes, largestPropertySizeBytes)
                .envelope(envelope)
                .build();
        return new Transfer(number, destinationId, message, origin);
    }

    private static Origin origin(RowInput in) throws StoreException {
        int id = in.u8();
        Lane lane = Arrays.stream(Lane.values())
                .filter(one -> one.id() == id)
                .findFirst()
                .orElseThrow(() -> in.corrupt("the unknown lane " + id));
        MessageEnvelope there = MessageEnvelope.builder()
                .sequenceNumber(in.i64())
                .enqueuedTimeMs(in.i64())
                .expiresAtMs(in.i64())
                .deliveryCount(in.i32())
                .deadLetterSource(in.textOrNull())
                .build();
        return new Origin(lane, there);
    }
}
