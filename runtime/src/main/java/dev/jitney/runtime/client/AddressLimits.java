package dev.jitney.runtime.client;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections and refused credentials of clients by address ({@link ClientLimits}). Any thread may call it; a call takes a short
 * lock.
 *
 * <table>
 * <caption>The refused credentials of an address</caption>
 * <tr><th>credentials</th><th>result</th></tr>
 * <tr><td>fewer than the limit are refused within a minute</td><td>all are checked</td></tr>
 * <tr><td>the limit is reached</td><td>none is checked for a second; each further failure within a minute doubles the time, up to a
 * minute</td></tr>
 * <tr><td>a tenth of the limit is reached for one rule name</td><td>the same for this name, so that one application with a wrong key
 * does not stop others behind the same router</td></tr>
 * <tr><td>one is accepted</td><td>the failures of its address and name are over, and one failure of the address is</td></tr>
 * <tr><td>no failure for a minute</td><td>the failures are over</td></tr>
 * </table>
 */
/*
 * The number of open connections bounds the table of connections. The other tables keep the latest entries: a client with very many
 * addresses can make them drop others, but then the addresses themselves are no limit for it.
 */
public final class AddressLimits {
    /** The limit of addresses, or addresses with a rule name, in each table of recent events. */
    static final int RECENT_MAX = 20_000;

    static final long FIRST_PAUSE_MS = 1_000;
    static final long LAST_PAUSE_MS = 60_000;
    static final long MEMORY_MS = 60_000;

    private static final int NAME_SHARE = 10;
    private static final int NAME_CHARACTERS_MAX = 64;

    private final ClientLimits limits;
    private final LongSupplier monotonicMs;
    private final Map<AddressGroup, Integer> open = new HashMap<>();
    private final Recent<AddressGroup, Bucket> buckets = new Recent<>();
    private final Recent<AddressGroup, Failures> addresses = new Recent<>();
    private final Recent<Named, Failures> names = new Recent<>();
    private long refusedConnections;
    private long refusedRate;
    private long refusedAttempts;
    private long failedAttempts;

    /** The figures of all addresses together. */
    public record Figures(
            int addresses,
            int mostConnections,
            int pausedAddresses,
            long refusedConnections,
            long refusedByRate,
            long failedAttempts,
            long refusedAttempts) {}

    private record Named(AddressGroup group, String name) {}

    /** The new connections that an address may still open at once. */
    private static final class Bucket {
        double tokens;
        long filledAtMs;
    }

    private static final class Failures {
        int count;
        long lastMs;
        long pauseMs;
        long pausedUntilMs;
    }

    /** The latest entries. */
    private static final class Recent<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1;

        Recent() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > RECENT_MAX;
        }

        V of(K key, Supplier<V> fresh) {
            V value = get(key);
            if (value == null) {
                value = fresh.get();
                put(key, value);
            }
            return value;
        }
    }

    /** @param monotonicMs a clock that never runs backwards, in milliseconds */
    public AddressLimits(ClientLimits limits, LongSupplier monotonicMs) {
        this.limits = limits;
        this.monotonicMs = monotonicMs;
    }

    /** Returns an object without limits, which still counts. */
    public static AddressLimits unlimited() {
        return new AddressLimits(ClientLimits.NONE, () -> 0);
    }

    /**
     * Counts a new connection, unless that exceeds a limit.
     *
     * @param address address at the other end of the socket, or null if it is not known any more
     * @return whether the connection is admitted; then call {@link #disconnected} once when it is closed
     */
    public synchronized boolean connected(@Nullable InetAddress address) {
        if (address == null) {
            return true;
        }
        AddressGroup group = AddressGroup.of(address);
        int now = open.getOrDefault(group, 0);
        if (limits.connections() > 0 && now >= limits.connections()) {
            refusedConnections++;
            return false;
        }
        if (limits.connectionsPerSecond() > 0 && !takeToken(group)) {
            refusedRate++;
            return false;
        }
        open.put(group, now + 1);
        return true;
    }

    private boolean takeToken(AddressGroup group) {
        long nowMs = monotonicMs.getAsLong();
        double most = (double) limits.connectionsPerSecond() * ClientLimits.BURST_SECONDS;
        Bucket bucket = buckets.of(group, () -> {
            Bucket full = new Bucket();
            full.tokens = most;
            full.filledAtMs = nowMs;
            return full;
        });
        bucket.tokens =
                Math.min(most, bucket.tokens + (nowMs - bucket.filledAtMs) * limits.connectionsPerSecond() / 1_000.0);
        bucket.filledAtMs = nowMs;
        if (bucket.tokens < 1) {
            return false;
        }
        bucket.tokens--;
        return true;
    }

    /** Ends the count of a connection that was admitted. */
    public synchronized void disconnected(@Nullable InetAddress address) {
        if (address != null) {
            open.computeIfPresent(AddressGroup.of(address), (group, count) -> count == 1 ? null : count - 1);
        }
    }

    /**
     * Returns whether a credential may be checked now.
     *
     * @param name the rule that the credential names, as the client wrote it; null if it names none, then only the address counts
     */
    public synchronized boolean mayAuthenticate(@Nullable InetAddress address, @Nullable String name) {
        if (address == null || limits.failures() == 0) {
            return true;
        }
        long nowMs = monotonicMs.getAsLong();
        AddressGroup group = AddressGroup.of(address);
        if (isPaused(addresses.get(group), nowMs) || name != null && isPaused(names.get(named(group, name)), nowMs)) {
            refusedAttempts++;
            return false;
        }
        return true;
    }

    private static boolean isPaused(@Nullable Failures failures, long nowMs) {
        return failures != null && failures.pausedUntilMs > nowMs;
    }

    /** Counts a credential that was checked and refused. */
    public synchronized void refused(@Nullable InetAddress address, @Nullable String name) {
        failedAttempts++;
        if (address == null || limits.failures() == 0) {
            return;
        }
        long nowMs = monotonicMs.getAsLong();
        AddressGroup group = AddressGroup.of(address);
        count(addresses.of(group, Failures::new), limits.failures(), nowMs);
        // Without a name, as for tokens of identities, it is unknown whose they are: they have the limit of the address
        // only.
        if (name != null) {
            count(names.of(named(group, name), Failures::new), Math.max(1, limits.failures() / NAME_SHARE), nowMs);
        }
    }

    private static void count(Failures failures, int limit, long nowMs) {
        if (nowMs - failures.lastMs > MEMORY_MS && nowMs >= failures.pausedUntilMs) {
            failures.count = 0;
            failures.pauseMs = 0;
        }
        failures.lastMs = nowMs;
        failures.count++;
        if (failures.count >= limit) {
            failures.pauseMs = failures.pauseMs == 0 ? FIRST_PAUSE_MS : Math.min(LAST_PAUSE_MS, 2 * failures.pauseMs);
            failures.pausedUntilMs = nowMs + failures.pauseMs;
        }
    }

    /** Counts a credential that was accepted. */
    public synchronized void accepted(@Nullable InetAddress address, @Nullable String name) {
        if (address == null || limits.failures() == 0 || addresses.isEmpty()) {
            return;
        }
        AddressGroup group = AddressGroup.of(address);
        if (name != null) {
            names.remove(named(group, name));
        }
        Failures failures = addresses.get(group);
        if (failures != null && --failures.count <= 0) {
            addresses.remove(group);
        }
    }

    private static Named named(AddressGroup group, String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        return new Named(
                group, plain.length() <= NAME_CHARACTERS_MAX ? plain : plain.substring(0, NAME_CHARACTERS_MAX));
    }

    /** Returns the number of entries in all tables. */
    synchronized int entries() {
        return open.size() + buckets.size() + addresses.size() + names.size();
    }

    /** Returns the current figures. */
    public synchronized Figures figures() {
        long nowMs = monotonicMs.getAsLong();
        return new Figures(
                open.size(),
                open.values().stream().mapToInt(Integer::intValue).max().orElse(0),
                (int) addresses.values().stream()
                        .filter(each -> isPaused(each, nowMs))
                        .count(),
                refusedConnections,
                refusedRate,
                failedAttempts,
                refusedAttempts);
    }
}
