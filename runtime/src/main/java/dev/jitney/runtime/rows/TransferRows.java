package dev.jitney.runtime.rows;

import dev.jitney.core.Transfer;
import dev.jitney.model.IncomingMessage;
import dev.jitney.model.MessageContent;
import dev.jitney.runtime.store.StoreException;

/**
 * Rows of the outboxes ({@code docs/formats.md}).
 *
 * <table>
 * <caption>transfer, version 1</caption>
 * <tr><th>size</th><th>meaning</th></tr>
 * <tr><td>1</td><td>version</td></tr>
 * <tr><td>texts</td><td>message id, session id, partition key; each may be missing</td></tr>
 * <tr><td>8</td><td>time to live, ms, or largest</td></tr>
 * <tr><td>8</td><td>scheduled enqueue time, ms, or 0</td></tr>
 * <tr><td>4, 4, 4</td><td>encoded size, size of properties, size of the largest property, as it was sent</td></tr>
 * <tr><td>rest</td><td>content</td></tr>
 * </table>
 */
final class TransferRows {
    private static final int VERSION = 1;
    private static final int FIXED = 41;

    private TransferRows() {}

    static byte[] transfer(Transfer transfer) {
        IncomingMessage message = transfer.message();
        return new RowOutput(FIXED + message.content().sizeBytes())
                .u8(VERSION)
                .text(message.messageId())
                .text(message.sessionId())
                .text(message.partitionKey())
                .i64(message.timeToLiveMs())
                .i64(message.scheduledEnqueueTimeMs())
                .i32(message.encodedSizeBytes())
                .i32(message.headerSizeBytes())
                .i32(message.largestPropertySizeBytes())
                .raw(message.content().bytes())
                .toBytes();
    }

    static Transfer transfer(long number, long destinationId, byte[] value) throws StoreException {
        RowInput in = new RowInput(value, VERSION, "transfer");
        String messageId = in.textOrNull();
        String sessionId = in.textOrNull();
        String partitionKey = in.textOrNull();
        long timeToLiveMs = in.i64();
        long scheduledMs = in.i64();
        int encodedSizeBytes = in.i32();
        int headerSizeBytes = in.i32();
        int largestPropertySizeBytes = in.i32();
        MessageContent content;
        try {
            content = MessageContent.wrap(in.rest());
        } catch (IllegalArgumentException e) {
            throw in.corrupt("broken content: " + e.getMessage());
        }
        return new Transfer(
                number,
                destinationId,
                new IncomingMessage(
                        messageId,
                        sessionId,
                        partitionKey,
                        timeToLiveMs,
                        scheduledMs,
                        false,
                        encodedSizeBytes,
                        headerSizeBytes,
                        largestPropertySizeBytes,
                        content));
    }
}
