package dev.jitney.runtime;

import java.util.List;

/**
 * Options for opening a broker.
 *
 * @param namespaces at least one; the first answers for unknown host names
 * @param maker how namespaces are served that are made at run time
 * @param mailboxBytesMax encoded bytes of messages that may wait for one shard before sends are refused as busy
 * @param mailboxCommandsMax commands that may wait for one shard before sends are refused as busy
 * @param cacheBytesMax message content one shard keeps in memory
 * @param cachedMessagesMax messages one shard keeps track of in memory besides locked ones
 */
public record BrokerOptions(
        List<NamespaceOptions> namespaces,
        NamespaceMaker maker,
        long mailboxBytesMax,
        int mailboxCommandsMax,
        long cacheBytesMax,
        int cachedMessagesMax) {

    /** What memory holds of a message without its content. */
    private static final int TRACKED_MESSAGE_BYTES = 200;

    public BrokerOptions {
        namespaces = List.copyOf(namespaces);
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one namespace, but got none.");
        }
    }

    /** Those made at run time are plain. */
    public BrokerOptions(
            List<NamespaceOptions> namespaces,
            long mailboxBytesMax,
            int mailboxCommandsMax,
            long cacheBytesMax,
            int cachedMessagesMax) {
        this(namespaces, NamespaceMaker.PLAIN, mailboxBytesMax, mailboxCommandsMax, cacheBytesMax, cachedMessagesMax);
    }

    /** The same with another way to serve namespaces that are made at run time. */
    public BrokerOptions with(NamespaceMaker other) {
        return new BrokerOptions(
                namespaces, other, mailboxBytesMax, mailboxCommandsMax, cacheBytesMax, cachedMessagesMax);
    }

    /** Bounds that fit a heap of 512 MiB and more. */
    public static BrokerOptions of(List<NamespaceOptions> namespaces) {
        return forHeap(namespaces, 512L << 20, 1);
    }

    /**
     * Bounds that fit a heap: an eighth of it for messages on their way in, an eighth for cached content, and as many
     * tracked messages as fit another eighth, shared by all shards. A larger heap than 512 MiB brings no larger bounds:
     * they are enough to keep a shard busy, and the rest is better left to the page cache.
     *
     * @param heapBytes largest size of the heap
     * @param shards how many shards share it
     */
    public static BrokerOptions forHeap(List<NamespaceOptions> namespaces, long heapBytes, int shards) {
        long eighth = Math.min(heapBytes, 512L << 20) / 8 / shards;
        return new BrokerOptions(namespaces, eighth, (int) Math.max(1_000, eighth / 320), eighth, (int)
                Math.max(1_000, eighth / TRACKED_MESSAGE_BYTES));
    }
}
