package dev.jitney.core.queue.state;

import dev.jitney.core.queue.ExpiryBlocks;
import dev.jitney.model.MessageView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The smallest expiry of each block of 1,024 sequence numbers, never too large. It shows which blocks may contain expired
 * messages.
 *
 * <p>A row per message would add a second write to every send. Instead, a block's row is written once, when the next
 * block begins. The removal of expired messages reads the due blocks and updates their expiry. Ten million waiting
 * messages need ten thousand entries.
 */
final class ExpiryIndex {
    private final TreeMap<Long, Long> earliestByBlock = new TreeMap<>();
    private long openBlock = -1;
    private long openEarliestMs = MessageView.NEVER;
    private long earliestMs = MessageView.NEVER;

    /** The block of the last addition and its entry in the map, or -1. Most messages change nothing there. */
    private long lastBlock = -1;

    private long lastEarliestMs;

    /** Returns the block for new messages, whose row is not written yet; -1 before the first message. */
    long openBlock() {
        return openBlock;
    }

    /** Returns a lower bound of the expiry of all messages in the index. */
    long earliestMs() {
        return earliestMs;
    }

    /**
     * Returns the smallest expiry of all messages in the open block, which its row gets when the block ends. Locked
     * messages are included, because a restart voids locks.
     */
    long openEarliestMs() {
        return openEarliestMs;
    }

    void openBlock(long block) {
        openBlock = block;
        openEarliestMs = MessageView.NEVER;
    }

    /** Sets a lower bound of the expiry of all messages in the open block, locked or not. */
    void openEarliestMs(long earliestExpiryMs) {
        openEarliestMs = earliestExpiryMs;
    }

    /** Adds the expiry of a message. */
    void add(long sequenceNumber, long expiresAtMs) {
        if (expiresAtMs != MessageView.NEVER) {
            long block = ExpiryBlocks.blockOf(sequenceNumber);
            if (block != lastBlock || expiresAtMs < lastEarliestMs) {
                lastEarliestMs = earliestByBlock.merge(block, expiresAtMs, Math::min);
                lastBlock = block;
                earliestMs = Math.min(earliestMs, expiresAtMs);
            }
            if (block == openBlock) {
                openEarliestMs = Math.min(openEarliestMs, expiresAtMs);
            }
        }
    }

    /** Sets the expiry of a block. */
    void set(long block, long earliestExpiryMs) {
        lastBlock = -1;
        if (earliestExpiryMs == MessageView.NEVER) {
            earliestByBlock.remove(block);
        } else {
            earliestByBlock.put(block, earliestExpiryMs);
        }
        recompute();
    }

    /** Loads a row without recomputing; call {@link #recompute} afterwards. */
    void load(long block, long earliestExpiryMs) {
        lastBlock = -1;
        earliestByBlock.put(block, earliestExpiryMs);
    }

    void recompute() {
        long min = MessageView.NEVER;
        for (long value : earliestByBlock.values()) {
            min = Math.min(min, value);
        }
        earliestMs = min;
    }

    /** Returns the blocks that may contain messages expired at that time, ascending. */
    List<Long> due(long nowMs, int countMax) {
        if (earliestMs > nowMs) {
            return List.of();
        }
        return earliestByBlock.entrySet().stream()
                .filter(e -> e.getValue() <= nowMs)
                .limit(countMax)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the blocks that are completely before a number, to be deleted because they contain no messages. */
    List<Long> before(long sequenceNumber) {
        return List.copyOf(earliestByBlock
                .headMap(ExpiryBlocks.blockOf(sequenceNumber), false)
                .keySet());
    }

    void forget(List<Long> blocks) {
        lastBlock = -1;
        blocks.forEach(earliestByBlock::remove);
        recompute();
    }
}
