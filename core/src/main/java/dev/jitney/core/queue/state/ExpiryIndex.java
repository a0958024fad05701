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
 *
 * <p>A message that waits for long keeps later blocks in the index, although their messages are gone. So blocks are looked at when there are
 * more of them than messages, and the empty ones are removed.
 */
final class ExpiryIndex {
    /** The number of blocks beyond that of messages at which blocks are looked at. */
    static final int SURPLUS = 64;

    /** The number of blocks that are looked at for each new block, if there are too many. */
    private static final int LOOKS_PER_BLOCK = 32;

    private final TreeMap<Long, Long> earliestByBlock = new TreeMap<>();
    private long openBlock = -1;
    private long openEarliestMs = MessageView.NEVER;
    private long earliestMs = MessageView.NEVER;

    /** The block of the last addition and its entry in the map, or -1. Most messages change nothing there. */
    private long lastBlock = -1;

    private long lastEarliestMs;

    /** The block that was looked at last; the next look begins behind it. */
    private long lookedAt = -1;

    /** The number of blocks that may be looked at until the next block begins. */
    private long looksLeft;

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
        looksLeft = Math.max(looksLeft, LOOKS_PER_BLOCK);
    }

    /** Returns the number of blocks. */
    int size() {
        return earliestByBlock.size();
    }

    /** Returns whether blocks must be looked at, because many of them are empty. */
    boolean hasSurplus(long messages) {
        return earliestByBlock.size() > messages + SURPLUS && looksLeft > 0;
    }

    /** Returns the next blocks to look at, except the open one. */
    List<Long> toLookAt(int countMax) {
        List<Long> behind = earliestByBlock.tailMap(lookedAt, false).keySet().stream()
                .filter(block -> block != openBlock)
                .limit(countMax)
                .toList();
        return behind.isEmpty()
                ? earliestByBlock.keySet().stream()
                        .filter(block -> block != openBlock)
                        .limit(countMax)
                        .toList()
                : behind;
    }

    /** Returns the expiry of a block. */
    long of(long block) {
        return earliestByBlock.getOrDefault(block, MessageView.NEVER);
    }

    /** Notes that a block was looked at. */
    void lookedAt(long block) {
        lookedAt = block;
        looksLeft--;
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
        Long before = earliestExpiryMs == MessageView.NEVER
                ? earliestByBlock.remove(block)
                : earliestByBlock.put(block, earliestExpiryMs);
        if (before != null && before == earliestMs && before < earliestExpiryMs) {
            recompute();
        } else {
            earliestMs = Math.min(earliestMs, earliestExpiryMs);
        }
    }

    /** Loads a row without recomputing; call {@link #recompute} afterwards. */
    void load(long block, long earliestExpiryMs) {
        lastBlock = -1;
        looksLeft++;
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
