package dev.jitney.core.queue.state;

import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rules of a queue in the simplest implementation: maps that are searched from one end to the other. */
final class ReferenceQueue {

    /** One message. */
    static final class Item {
        long number;
        final long firstNumber;
        final long timeToLiveMs;
        long expiresAtMs;
        long dueMs;
        int deliveryCount;
        boolean deferred;

        @Nullable
        UUID token;

        long lockedUntilMs;

        /** True if an open transaction has settled the message. */
        boolean held;

        long lockOrder;

        @Nullable
        String reason;

        Item(long number, long timeToLiveMs) {
            this.number = number;
            this.firstNumber = number;
            this.timeToLiveMs = timeToLiveMs;
        }

        boolean isLocked() {
            return token != null;
        }
    }

    final TreeMap<Long, Item> main = new TreeMap<>();
    final TreeMap<Long, Item> deadLetter = new TreeMap<>();
    final TreeMap<Long, Item> scheduled = new TreeMap<>();
    private final int maxDeliveryCount;
    private final long lockDurationMs;
    private final boolean keepsExpired;
    long lastNumber;
    private long lockOrder;

    ReferenceQueue(int maxDeliveryCount, long lockDurationMs, boolean keepsExpired) {
        this.maxDeliveryCount = maxDeliveryCount;
        this.lockDurationMs = lockDurationMs;
        this.keepsExpired = keepsExpired;
    }

    void send(long timeToLiveMs, long dueMs, long nowMs) {
        Item item = new Item(++lastNumber, timeToLiveMs);
        if (dueMs > nowMs) {
            item.dueMs = dueMs;
            scheduled.put(item.number, item);
        } else {
            item.expiresAtMs = expiry(timeToLiveMs, nowMs);
            main.put(item.number, item);
        }
    }

    /** Stores a scheduled message whose number was reserved before. */
    void scheduled(long number, long timeToLiveMs, long dueMs) {
        Item item = new Item(number, timeToLiveMs);
        item.dueMs = dueMs;
        scheduled.put(number, item);
    }

    /** Applies the effects of time without a receiver. */
    void passTime(long nowMs) {
        List<Item> ended = new ArrayList<>();
        main.values().stream()
                .filter(i -> i.isLocked() && !i.held && i.lockedUntilMs <= nowMs)
                .forEach(ended::add);
        deadLetter.values().stream()
                .filter(i -> i.isLocked() && !i.held && i.lockedUntilMs <= nowMs)
                .forEach(ended::add);
        ended.forEach(item -> fail(item, nowMs));
        scheduled.values().stream()
                .filter(i -> i.dueMs <= nowMs)
                .sorted(Comparator.comparingLong((Item i) -> i.dueMs).thenComparingLong(i -> i.number))
                .toList()
                .forEach(item -> {
                    scheduled.remove(item.number);
                    item.number = ++lastNumber;
                    item.expiresAtMs = expiry(item.timeToLiveMs, nowMs);
                    main.put(item.number, item);
                });
    }

    /** Applies the effects of a receiver of the main queue. */
    void sweep(long nowMs) {
        for (Item item : List.copyOf(main.values())) {
            if (!item.isLocked() && !item.deferred && item.expiresAtMs <= nowMs) {
                expire(item);
            }
        }
    }

    /** Returns the messages of a receive; their locks still need tokens. */
    List<Item> receive(TreeMap<Long, Item> lane, ReceiveMode mode, int countMax, long nowMs) {
        if (lane == main) {
            sweep(nowMs);
        }
        List<Item> out = lane.values().stream()
                .filter(i -> !i.isLocked() && !i.deferred)
                .limit(countMax)
                .toList();
        if (mode == ReceiveMode.RECEIVE_AND_DELETE) {
            out.forEach(i -> lane.remove(i.number));
        }
        return out;
    }

    void lock(Item item, UUID token, long nowMs) {
        item.token = token;
        item.lockedUntilMs = nowMs + lockDurationMs;
        item.lockOrder = ++lockOrder;
    }

    @Nullable
    Item locked(UUID token) {
        for (TreeMap<Long, Item> lane : List.of(main, deadLetter)) {
            for (Item item : lane.values()) {
                if (token.equals(item.token)) {
                    return item;
                }
            }
        }
        return null;
    }

    void complete(Item item) {
        if (main.get(item.number) == item) {
            main.remove(item.number);
        } else {
            deadLetter.remove(item.number);
        }
    }

    /** Applies an abandon or a lock expiry. */
    void fail(Item item, long nowMs) {
        item.token = null;
        if (main.get(item.number) != item) {
            return; // DLQ-39
        }
        item.deliveryCount++;
        if (item.expiresAtMs <= nowMs) {
            expire(item);
        } else if (item.deliveryCount >= maxDeliveryCount) {
            deadLetter(item, "MaxDeliveryCountExceeded");
        }
    }

    void release(Item item, long nowMs) {
        item.token = null;
        if (main.get(item.number) == item && item.expiresAtMs <= nowMs) {
            expire(item);
        }
    }

    void defer(Item item) {
        item.token = null;
        item.deferred = true;
        item.deliveryCount += main.get(item.number) == item ? 1 : 0; // DLQ-39
    }

    void deadLetter(Item item, String reason) {
        main.remove(item.number);
        item.token = null;
        item.deferred = false;
        item.reason = reason;
        deadLetter.put(item.number, item);
    }

    void expire(Item item) {
        if (keepsExpired) {
            deadLetter(item, "TTLExpiredException");
        } else {
            main.remove(item.number);
        }
    }

    void restart() {
        for (TreeMap<Long, Item> lane : List.of(main, deadLetter)) {
            lane.values().forEach(i -> {
                i.token = null;
                i.held = false;
            });
        }
    }

    private static long expiry(long timeToLiveMs, long nowMs) {
        return timeToLiveMs == MessageView.NEVER ? MessageView.NEVER : nowMs + timeToLiveMs;
    }
}
