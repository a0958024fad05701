package dev.jitney.runtime.shard;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The shares of clients in the open transactions of a shard, so that no client can keep the others from transactions until its own time out
 * (QUOTA-12). A client that holds less than an equal share of a limit displaces transactions of the client that holds most. For the shard's
 * thread.
 */
final class TransactionShares {
    private final Map<Object, Share> shares = new HashMap<>();

    /** The open transactions of one client, by number with their bytes. */
    private static final class Share {
        final TreeMap<Long, Long> transactions = new TreeMap<>();
        long bytes;

        long size(boolean inBytes) {
            return inBytes ? bytes : transactions.size();
        }
    }

    /** Sets the bytes that an open transaction holds. */
    void set(TransactionHandle holder, long bytes) {
        Share share = shares.computeIfAbsent(holder.client(), client -> new Share());
        Long before = share.transactions.put(holder.id(), bytes);
        share.bytes += bytes - (before == null ? 0 : before);
    }

    /** Removes a transaction that is no longer open. */
    void remove(TransactionHandle holder) {
        Share share = shares.get(holder.client());
        Long bytes = share == null ? null : share.transactions.remove(holder.id());
        if (share != null && bytes != null) {
            share.bytes -= bytes;
            if (share.transactions.isEmpty()) {
                shares.remove(holder.client());
            }
        }
    }

    /**
     * Returns the number of the transaction that is displaced for more bytes of a client: the youngest with messages of the client that
     * holds most. Returns null if the client would have more than an equal share, or if no other client has more than it.
     *
     * @param limit the bytes that all clients together may hold
     */
    @Nullable
    Long displacedForBytes(Object client, long more, long limit) {
        return displaced(client, more, limit, true);
    }

    /** Returns the same for one more transaction of a client. */
    @Nullable
    Long displacedForOne(Object client, long limit) {
        return displaced(client, 1, limit, false);
    }

    private @Nullable Long displaced(Object client, long more, long limit, boolean inBytes) {
        Share own = shares.get(client);
        long wanted = (own == null ? 0 : own.size(inBytes)) + more;
        int clients = shares.size() + (own == null ? 1 : 0);
        if (wanted > limit / clients) {
            return null;
        }
        Share largest = null;
        for (Share share : shares.values()) {
            if (share.size(inBytes) > wanted && (largest == null || share.size(inBytes) > largest.size(inBytes))) {
                largest = share;
            }
        }
        return largest == null ? null : youngest(largest, inBytes);
    }

    private static @Nullable Long youngest(Share share, boolean withBytes) {
        Iterator<Map.Entry<Long, Long>> youngestFirst =
                share.transactions.descendingMap().entrySet().iterator();
        while (youngestFirst.hasNext()) {
            Map.Entry<Long, Long> transaction = youngestFirst.next();
            if (!withBytes || transaction.getValue() > 0) {
                return transaction.getKey();
            }
        }
        return null;
    }
}
