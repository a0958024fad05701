package dev.jitney.core.queue.state;

import dev.jitney.model.MessageView;
import dev.jitney.model.ReceiveMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a queue with sessions in the simplest implementation: maps that are searched from one end to the other.
 */
final class ReferenceSessions {

    /** One message. */
    static final class Item {
        long number;
        final String session;
        final long timeToLiveMs;
        long expiresAtMs;
        long dueMs;
        int deliveryCount;
        boolean deferred;

        @Nullable
        UUID token;

        /** True if the message is locked, and its session has expired meanwhile (TTL-30). */
        boolean doomed;

        /** True if the message is locked and expired, and its session knows that (TTL-29). */
        boolean noticed;

        Item(long number, String session, long timeToLiveMs) {
            this.number = number;
            this.session = session;
            this.timeToLiveMs = timeToLiveMs;
        }

        boolean isLocked() {
            return token != null;
        }

        boolean isActive() {
            return !deferred;
        }
    }

    /** One hold. */
    static final class Hold {
        final long receiverId;
        final String session;
        final ReceiveMode mode;
        long lockedUntilMs;
        long deliveryLimit;

        Hold(long receiverId, String session, ReceiveMode mode, long lockedUntilMs) {
            this.receiverId = receiverId;
            this.session = session;
            this.mode = mode;
            this.lockedUntilMs = lockedUntilMs;
        }
    }

    /** A receiver that waits. */
    record Waiting(long receiverId, ReceiveMode mode, long deadlineMs) {}

    final TreeMap<Long, Item> main = new TreeMap<>();
    final TreeMap<Long, Item> deadLetter = new TreeMap<>();
    final TreeMap<Long, Item> scheduled = new TreeMap<>();
    final TreeMap<String, Hold> holds = new TreeMap<>();
    final List<Waiting> waiting = new ArrayList<>();
    final TreeMap<String, byte[]> states = new TreeMap<>();

    /**
     * Sessions whose place in the order is not exact, because their first message was removed while no receiver held
     * them.
     */
    final Set<String> inexact = new HashSet<>();

    /** The places that sessions got at their release. */
    final Map<String, Long> places = new TreeMap<>();

    private long lastPlace;
    private final int maxDeliveryCount;
    private final boolean keepsExpired;
    long lockDurationMs;
    long lastNumber;

    ReferenceSessions(int maxDeliveryCount, long lockDurationMs, boolean keepsExpired) {
        this.maxDeliveryCount = maxDeliveryCount;
        this.lockDurationMs = lockDurationMs;
        this.keepsExpired = keepsExpired;
    }

    void send(String session, long timeToLiveMs, long dueMs, long nowMs) {
        Item item = new Item(++lastNumber, session, timeToLiveMs);
        if (dueMs > nowMs) {
            item.dueMs = dueMs;
            scheduled.put(item.number, item);
        } else {
            item.expiresAtMs = expiry(timeToLiveMs, nowMs);
            main.put(item.number, item);
        }
    }

    /** Applies the effects of time; returns the receivers that lose their sessions. */
    Set<Long> passTime(long nowMs) {
        Set<Long> lost = new TreeSet<>();
        List<Hold> ending = new ArrayList<>(holds.values());
        ending.sort(
                Comparator.comparingLong((Hold hold) -> hold.lockedUntilMs).thenComparingLong(hold -> hold.receiverId));
        for (Hold hold : ending) {
            if (hold.lockedUntilMs <= nowMs) {
                locked(hold).forEach(item -> fail(item, nowMs));
                end(hold);
                lost.add(hold.receiverId);
            }
        }
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
        sweep(nowMs);
        return lost;
    }

    /** Removes expired messages (TTL-29 to TTL-31). */
    void sweep(long nowMs) {
        if (holds.isEmpty() && waiting.isEmpty()) {
            return;
        }
        Set<String> expired = new HashSet<>();
        for (Item item : main.values()) {
            if (item.isActive() && item.expiresAtMs <= nowMs && !item.noticed) {
                expired.add(item.session);
                item.noticed = item.isLocked();
            }
        }
        for (Item item : List.copyOf(main.values())) {
            if (item.isActive() && expired.contains(item.session)) {
                if (item.isLocked()) {
                    item.doomed = true;
                } else {
                    expire(item);
                }
            }
        }
    }

    /** Returns the first waiting session that no receiver holds, or null (SESS-5). */
    @Nullable
    String next() {
        Map<String, Long> waiting = new TreeMap<>();
        for (Item item : main.values()) {
            if (item.isActive() && !holds.containsKey(item.session)) {
                waiting.putIfAbsent(item.session, Math.max(item.number, places.getOrDefault(item.session, 0L)));
            }
        }
        return waiting.entrySet().stream()
                .min(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    /** Drops the places of sessions without waiting messages. */
    void tidyPlaces() {
        places.keySet()
                .removeIf(session ->
                        main.values().stream().noneMatch(item -> item.isActive() && item.session.equals(session)));
    }

    boolean isAvailable(String session) {
        return !holds.containsKey(session)
                && main.values().stream().anyMatch(i -> i.isActive() && i.session.equals(session));
    }

    Hold hold(long receiverId, String session, ReceiveMode mode, long nowMs) {
        Hold hold = new Hold(receiverId, session, mode, nowMs + lockDurationMs);
        holds.put(session, hold);
        inexact.remove(session);
        return hold;
    }

    private void end(Hold hold) {
        holds.remove(hold.session);
        inexact.add(hold.session); // earlier removals may not have been read
        tidyPlaces();
        if (main.values().stream().anyMatch(item -> item.isActive() && item.session.equals(hold.session))) {
            lastPlace = Math.max(lastPlace, lastNumber) + 1;
            places.put(hold.session, lastPlace);
        }
    }

    /** Applies the close of a session by its receiver. */
    void close(Hold hold, long nowMs) {
        locked(hold).forEach(item -> release(item, nowMs));
        end(hold);
    }

    List<Item> locked(Hold hold) {
        return main.values().stream()
                .filter(i -> i.isLocked() && i.session.equals(hold.session))
                .toList();
    }

    List<Item> receive(Hold hold, int countMax) {
        List<Item> out = main.values().stream()
                .filter(i -> i.session.equals(hold.session) && i.isActive() && !i.isLocked())
                .limit(countMax)
                .toList();
        if (hold.mode == ReceiveMode.RECEIVE_AND_DELETE) {
            out.forEach(i -> main.remove(i.number));
        }
        return out;
    }

    @Nullable
    Item locked(UUID token) {
        return main.values().stream()
                .filter(i -> token.equals(i.token))
                .findFirst()
                .orElse(null);
    }

    /** Applies an abandon or a lock expiry. */
    void fail(Item item, long nowMs) {
        item.deliveryCount++;
        if (isExpired(item, nowMs)) {
            expire(item);
        } else if (item.deliveryCount >= maxDeliveryCount) {
            deadLetter(item);
        }
        unlock(item);
    }

    void release(Item item, long nowMs) {
        if (isExpired(item, nowMs)) {
            expire(item);
        }
        unlock(item);
    }

    void defer(Item item) {
        unlock(item);
        item.deferred = true;
        item.deliveryCount++;
    }

    void deadLetter(Item item) {
        main.remove(item.number);
        unlock(item);
        item.deferred = false;
        deadLetter.put(item.number, item);
    }

    void expire(Item item) {
        if (keepsExpired) {
            deadLetter(item);
        } else {
            main.remove(item.number);
        }
    }

    void batchDelete(TreeMap<Long, Item> lane, int count) {
        lane.values().stream()
                .filter(i -> !i.isLocked() && i.isActive())
                .limit(count)
                .toList()
                .forEach(i -> {
                    lane.remove(i.number);
                    inexact.add(i.session);
                });
    }

    void restart() {
        tidyPlaces();
        lastPlace = places.values().stream().mapToLong(place -> place).max().orElse(0);
        inexact.addAll(holds.keySet());
        holds.clear();
        waiting.clear();
        main.values().forEach(ReferenceSessions::unlock);
    }

    List<Item> of(String session) {
        return main.values().stream().filter(i -> i.session.equals(session)).toList();
    }

    Set<String> sessions() {
        Set<String> all = new TreeSet<>(states.keySet());
        main.values().forEach(i -> all.add(i.session));
        return all;
    }

    @Nullable
    Waiting stopWaiting(long receiverId) {
        for (Waiting one : waiting) {
            if (one.receiverId == receiverId) {
                waiting.remove(one);
                return one;
            }
        }
        return null;
    }

    int stateSizeBytes(String session) {
        byte[] state = states.get(session);
        return state == null ? -1 : state.length;
    }

    long stateBytes() {
        return states.values().stream()
                .mapToLong(s -> Objects.requireNonNull(s).length)
                .sum();
    }

    private static boolean isExpired(Item item, long nowMs) {
        return item.expiresAtMs <= nowMs || (item.doomed && !item.deferred);
    }

    private static void unlock(Item item) {
        item.token = null;
        item.doomed = false;
        item.noticed = false;
    }

    private static long expiry(long timeToLiveMs, long nowMs) {
        return timeToLiveMs == MessageView.NEVER ? MessageView.NEVER : nowMs + timeToLiveMs;
    }
}
