package dev.jitney.runtime;

import dev.jitney.runtime.store.FormatLevels;
import java.util.List;

/**
 * Options for opening a broker.
 *
 * @param namespaces         at least one; the first one also serves unknown host names
 * @param maker              the options of namespaces that are created at run time
 * @param mailboxBytesMax    encoded bytes of messages that may wait for one shard before sends are refused as busy
 * @param mailboxCommandsMax commands that may wait for one shard before sends are refused as busy
 * @param cacheBytesMax      bytes of message content that one shard caches
 * @param cachedMessagesMax  messages that one shard tracks in memory, in addition to locked messages
 * @param levels             the levels that this release supports (CL-60)
 * @param seal               encrypts the keys of access rules in stores
 * @param slowTurnNanos      the shortest turn of a shard that is logged, in nanoseconds; 0 for none
 * @param underTest          whether tests control the broker, which then keeps a history of messages
 */
public record BrokerOptions(
        List<NamespaceOptions> namespaces,
        NamespaceMaker maker,
        long mailboxBytesMax,
        int mailboxCommandsMax,
        long cacheBytesMax,
        int cachedMessagesMax,
        FormatLevels levels,
        KeySeal seal,
        long slowTurnNanos,
        boolean underTest) {

    /** The approximate heap size of a tracked message without its content. */
    private static final int TRACKED_MESSAGE_BYTES = 200;

    public BrokerOptions {
        namespaces = List.copyOf(namespaces);
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one namespace, but got none.");
        }
    }

    /** Creates options whose run-time namespaces are {@link NamespaceMaker#PLAIN}. */
    public BrokerOptions(
            List<NamespaceOptions> namespaces,
            long mailboxBytesMax,
            int mailboxCommandsMax,
            long cacheBytesMax,
            int cachedMessagesMax) {
        this(
                namespaces,
                NamespaceMaker.PLAIN,
                mailboxBytesMax,
                mailboxCommandsMax,
                cacheBytesMax,
                cachedMessagesMax,
                FormatLevels.OF_THIS_RELEASE,
                KeySeal.NONE,
                0,
                false);
    }

    /** Returns a copy with other options for namespaces that are created at run time. */
    public BrokerOptions with(NamespaceMaker other) {
        return new BrokerOptions(
                namespaces,
                other,
                mailboxBytesMax,
                mailboxCommandsMax,
                cacheBytesMax,
                cachedMessagesMax,
                levels,
                seal,
                slowTurnNanos,
                underTest);
    }

    /** Returns a copy with other supported levels. */
    public BrokerOptions with(FormatLevels other) {
        return new BrokerOptions(
                namespaces,
                maker,
                mailboxBytesMax,
                mailboxCommandsMax,
                cacheBytesMax,
                cachedMessagesMax,
                other,
                seal,
                slowTurnNanos,
                underTest);
    }

    /** Returns a copy that encrypts the keys of access rules in stores. */
    public BrokerOptions with(KeySeal other) {
        return new BrokerOptions(
                namespaces,
                maker,
                mailboxBytesMax,
                mailboxCommandsMax,
                cacheBytesMax,
                cachedMessagesMax,
                levels,
                other,
                slowTurnNanos,
                underTest);
    }

    /**
     * Returns a copy that logs slow turns of shards.
     *
     * @param nanos the shortest turn that is logged, in nanoseconds; 0 for none
     */
    public BrokerOptions withSlowTurns(long nanos) {
        return new BrokerOptions(
                namespaces,
                maker,
                mailboxBytesMax,
                mailboxCommandsMax,
                cacheBytesMax,
                cachedMessagesMax,
                levels,
                seal,
                nanos,
                underTest);
    }

    /** Returns a copy for a broker that tests control. */
    public BrokerOptions forTests() {
        return new BrokerOptions(
                namespaces,
                maker,
                mailboxBytesMax,
                mailboxCommandsMax,
                cacheBytesMax,
                cachedMessagesMax,
                levels,
                seal,
                slowTurnNanos,
                true);
    }

    /** Returns options with bounds for a heap of 512 MiB or more. */
    public static BrokerOptions of(List<NamespaceOptions> namespaces) {
        return forHeap(namespaces, 512L << 20, 1);
    }

    /**
     * Returns options with bounds for a heap: an eighth of the heap for incoming messages, an eighth for cached
     * content, and as many tracked messages as fit in another eighth. All shards share them. A heap above 512 MiB
     * does not raise the bounds: they are enough to keep a shard busy, and the page cache makes better use of the
     * rest.
     *
     * @param heapBytes largest size of the heap in bytes
     * @param shards    number of shards that share the heap
     */
    public static BrokerOptions forHeap(List<NamespaceOptions> namespaces, long heapBytes, int shards) {
        long eighth = Math.min(heapBytes, 512L << 20) / 8 / shards;
        return new BrokerOptions(namespaces, eighth, (int) Math.max(1_000, eighth / 320), eighth, (int)
                Math.max(1_000, eighth / TRACKED_MESSAGE_BYTES));
    }
}
