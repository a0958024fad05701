package dev.jitney.core.queue.state;

import dev.jitney.core.queue.ExpiryBlocks;
import dev.jitney.model.MessageView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which blocks of 1,024 sequence numbers may hold an expired message: the smallest expiry of each, never too large.
 *
 * <p>A row per message would cost every send a second write. A block's row is written once, when the next block begins;
 * a sweep reads the blocks that are due and learns what is still in them. Ten million waiting messages are ten thousand
 * entries.
 */
final class ExpiryIndex {
    private final TreeMap<Long, Long> earliestByBlock = new TreeMap<>();
    private long openBlock = -1;
    private long openEarliestMs = MessageView.NEVER;
    private long earliestMs = MessageView.NEVER;

    /** The block that was added to last and what the map has for it, or -1. Most messages change nothing there. */
    private long lastBlock = -1;

    private long lastEarliestMs;

    /** The block new messages go to; its row is not written yet. -1 before the first message. */
    long openBlock() {
        return openBlock;
    }

    /** No message of the index expires earlier. */
    long earliestMs() {
        return earliestMs;
    }

    /**
     * What the open block's row has to say once the block ends: the smallest expiry of all its messages, locked ones
     * included, because a restart voids locks.
     */
    long openEarliestMs() {
        return openEarliestMs;
    }

    void openBlock(long block) {
        openBlock = block;
        openEarliestMs = MessageView.NEVER;
    }

    /** Nothing in the open block, locked or not, expires earlier. */
    void openEarliestMs(long earliestExpiryMs) {
        openEarliestMs = earliestExpiryMs;
    }

    /** A message of that number may expire then. */
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

    /** What is known of a block from now on. */
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

    /** Blocks that may hold messages expired at that time, ascending. */
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

    /** Blocks that lie wholly before a number, to be forgotten because nothing is left there. */
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
