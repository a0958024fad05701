package dev.jitney.runtime;

import java.util.List;

/**
 * How a broker is opened.
 *
 * @param namespaces at least one; the first answers for unknown host names
 * @param mailboxBytesMax encoded bytes of messages that may wait for one shard before sends are refused as busy
 * @param mailboxCommandsMax commands that may wait for one shard before sends are refused as busy
 * @param cacheBytesMax message content one shard keeps in memory
 * @param cachedMessagesMax messages one shard keeps track of in memory besides locked ones
 */
public record BrokerOptions(
        List<NamespaceOptions> namespaces,
        long mailboxBytesMax,
        int mailboxCommandsMax,
        long cacheBytesMax,
        int cachedMessagesMax) {

    public BrokerOptions {
        namespaces = List.copyOf(namespaces);
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("Expected at least one namespace, but got none.");
        }
    }

    /** Bounds that fit a heap of 256 MiB and more. */
    public static BrokerOptions of(List<NamespaceOptions> namespaces) {
        return new BrokerOptions(namespaces, 32L << 20, 200_000, 48L << 20, 300_000);
    }
}
