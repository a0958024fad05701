package dev.jitney.runtime.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The budget for memory that clients claim, one for the whole process (QUOTA-8). Any thread may call it.
 *
 * <p>All unauthenticated connections share a part of the budget. When it is used up, the connection that has been
 * unauthenticated for the longest time is closed.
 *
 * <p>All other connections share the rest. A sixteenth is for the state of new connections only. A connection may hold
 * at most as much traffic as is else free at that moment, and a namespace at most {@value #NAMESPACE_SHARE} times as much. So one greedy connection gets half of the budget,
 * {@code n} of them get {@code 1/(n+1)} each, and some memory always remains for the next one. Switches use this rule
 * for shared buffers (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches",
 * 1998): it is fair without knowledge of future claims. A connection that exceeds its share waits: the gateway stops
 * reading from it and sends it no more deliveries.
 *
 * <p>Waiting alone does not free memory that is held by clients that neither send nor read. So while less than an
 * eighth of the budget is free, {@link #relieve} closes the connections that hold the most and have made no progress.
 */
public final class ClientMemory {
    /** The multiple of the free memory that all connections of a namespace together may hold. */
    static final int NAMESPACE_SHARE = 4;

    /** The number of namespaces above which those whose clients hold nothing are dropped. */
    private static final int NAMESPACES_MAX = 1_000;

    private static final int UNAUTHENTICATED_PART = 4;
    private static final int MESSAGE_PART = 4;
    private static final int STATE_PART = 4;

    /**
     * The divisor of the budget for the part that state leaves for traffic; the part is larger than the limit of low
     * memory.
     */
    private static final int TRAFFIC_PART = 6;

    private static final int TIGHT_PART = 8;

    /** The divisor of the budget for the part that traffic leaves for the state of new connections. */
    private static final int RESERVED_PART = 16;

    /** The state of a connection with TLS and some links. */
    private static final long SMALL_STATE_BYTES = 128 * 1024;

    private static final int RELIEF_PART = 4;
    private static final int WOKEN_AT_ONCE = 8;

    /** The time of low memory, and of no progress, after which connections without progress are closed. */
    private static final long STALLED_AFTER_MS = 2_000;

    /** The time of low memory after which the connections that hold the most are closed, even with progress. */
    private static final long GREEDY_AFTER_MS = 10_000;

    /** Connections that hold less are not closed. */
    private static final long WORTH_CLOSING_BYTES = 64 * 1024;

    private final long limitBytes;
    private final long unauthenticatedBytesMax;
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong unauthenticatedBytes = new AtomicLong();

    /** The part of {@link #heldBytes} that is state. */
    private final AtomicLong stateOfAll = new AtomicLong();

    /** The bytes of unauthenticated connections that are being closed. */
    private final AtomicLong endingBytes = new AtomicLong();

    private final Map<String, NamespaceMemory> namespaces = new ConcurrentHashMap<>();
    private final NamespaceMemory unauthenticated = new NamespaceMemory();
    private final Set<MemoryAccount> accounts = ConcurrentHashMap.newKeySet();
    private final NavigableMap<Long, MemoryAccount> unauthenticatedByAge = new ConcurrentSkipListMap<>();
    private final AtomicLong accountNumbers = new AtomicLong();
    private final Queue<MemoryAccount> waiting = new ConcurrentLinkedQueue<>();

    /** The one account that may exceed its share, because one message or answer needs it. */
    private final AtomicReference<@Nullable MemoryAccount> large = new AtomicReference<>();

    private final LongAdder closedUnauthenticated = new LongAdder();
    private final LongAdder closedStalled = new LongAdder();
    private volatile long nowMs;
    private long tightSinceMs = -1;

    /**
     * True while little memory is free. Separate from the count, which changes constantly: this field is read for
     * every message.
     */
    private volatile boolean tight;

    /** The memory of one namespace, by purpose. */
    static final class NamespaceMemory {
        final AtomicLong total = new AtomicLong();
        private final LongAdder[] byPurpose = new LongAdder[MemoryPurpose.values().length];

        NamespaceMemory() {
            for (int i = 0; i < byPurpose.length; i++) {
                byPurpose[i] = new LongAdder();
            }
        }

        boolean isUnused() {
            for (LongAdder purpose : byPurpose) {
                if (purpose.sum() != 0) {
                    return false;
                }
            }
            return total.get() == 0;
        }

        void add(MemoryPurpose purpose, long deltaBytes) {
            byPurpose[purpose.ordinal()].add(deltaBytes);
            if (purpose.isTransit()) {
                total.addAndGet(deltaBytes);
            }
        }
    }

    /** @param limitBytes the bytes that all clients together may claim, at least 1 MiB */
    public ClientMemory(long limitBytes) {
        if (limitBytes < 1 << 20) {
            throw new IllegalArgumentException(
                    "Expected a budget of at least 1 MiB, but got " + limitBytes + " bytes.");
        }
        unauthenticatedBytesMax = limitBytes / UNAUTHENTICATED_PART;
        this.limitBytes = limitBytes - unauthenticatedBytesMax;
    }

    /** Returns a budget for the heap of this process: three eighths of it. */
    public static ClientMemory ofHeap() {
        return new ClientMemory(Math.max(4L << 20, Runtime.getRuntime().maxMemory() / 8 * 3));
    }

    /**
     * Opens the account of a connection that is not authenticated yet.
     *
     * @param owner the connection
     */
    public MemoryAccount open(MemoryAccount.Owner owner) {
        MemoryAccount account = new MemoryAccount(this, accountNumbers.incrementAndGet(), owner);
        accounts.add(account);
        unauthenticatedByAge.put(account.number(), account);
        return account;
    }

    /** Returns the largest message, request or answer in bytes that the budget permits. */
    public long messageBytesMax() {
        return limitBytes / MESSAGE_PART;
    }

    /** Returns whether one claim of that size fits if no client holds anything; otherwise it would wait forever. */
    public boolean mayEverHold(long bytes) {
        return limitBytes - bytes >= limitBytes / TIGHT_PART;
    }

    /** Returns the free bytes of the part for authenticated connections. Negative after a burst. */
    long freeBytes() {
        return limitBytes - heldBytes.get();
    }

    /** Returns whether so little memory is free that connections should avoid optional use. */
    public boolean isTight() {
        return tight;
    }

    /**
     * Returns the maximum number of bytes to read from a socket at once. It shrinks with the free memory, because
     * bytes that were read are held before any limit can refuse them.
     */
    public int readBytesMax() {
        return freeBytes() > limitBytes / 2 ? 64 * 1024 : 4 * 1024;
    }

    NamespaceMemory namespace(String name) {
        NamespaceMemory known = namespaces.get(name);
        if (known != null) {
            return known;
        }
        if (namespaces.size() >= NAMESPACES_MAX) { // most of them have been deleted
            namespaces.values().removeIf(NamespaceMemory::isUnused);
        }
        return namespaces.computeIfAbsent(name, none -> new NamespaceMemory());
    }

    NamespaceMemory unauthenticated() {
        return unauthenticated;
    }

    /** Returns the traffic bytes that an account of that namespace may still take; negative if it holds too much. */
    long room(long transitBytes, NamespaceMemory namespace) {
        long free = freeBytes() - limitBytes / RESERVED_PART;
        long own = free - transitBytes;
        return namespaces.size() > 1 ? Math.min(own, NAMESPACE_SHARE * free - namespace.total.get()) : own;
    }

    /**
     * Returns whether a connection with so many bytes of state may take more: state is limited, and must leave memory
     * for traffic. A small connection may take all that is free, because the traffic of other clients must not keep out
     * new ones.
     */
    boolean hasRoomForState(long stateBytes) {
        long left = stateBytes <= SMALL_STATE_BYTES ? 0 : limitBytes / TRAFFIC_PART;
        return stateBytes <= limitBytes / STATE_PART
                && freeBytes() >= left
                && limitBytes - stateOfAll.get() >= limitBytes / TRAFFIC_PART;
    }

    /**
     * Closes the connection with the most state, if it has much and the one that needs more has little. Under no lock.
     *
     * @param stateBytes the state of the connection that needs more
     * @return whether one was closed, so that there will be room
     */
    boolean makeRoomForState(long stateBytes) {
        if (stateBytes > SMALL_STATE_BYTES) {
            return false;
        }
        MemoryAccount most = null;
        long mostBytes = 2 * SMALL_STATE_BYTES - 1;
        for (MemoryAccount account : accounts) {
            long bytes = account.authenticatedStateBytes();
            if (bytes > mostBytes) {
                most = account;
                mostBytes = bytes;
            }
        }
        if (most == null
                || !most.end(
                        false,
                        "The memory of the server for connections and links is used up, and this connection holds the most of it.")) {
            return false;
        }
        closedStalled.increment();
        return true;
    }

    /**
     * Returns whether an account may exceed its share by so many bytes: no other account does, and most of the budget
     * is free.
     */
    boolean maySpareLarge(MemoryAccount account, long bytes) {
        MemoryAccount holder = large.get();
        return (holder == null || holder == account) && freeBytes() - bytes >= limitBytes / TIGHT_PART;
    }

    /** Permits an account to exceed its share by so many bytes, if {@link #maySpareLarge} returns true. */
    boolean takeLarge(MemoryAccount account, long bytes) {
        return maySpareLarge(account, bytes) && (large.get() == account || large.compareAndSet(null, account));
    }

    void leaveLarge(MemoryAccount account) {
        large.compareAndSet(account, null);
    }

    /** Counts bytes; under the lock of the account that holds them. */
    void count(boolean ofUnauthenticated, long deltaBytes) {
        if (ofUnauthenticated) {
            unauthenticatedBytes.addAndGet(deltaBytes);
            return;
        }
        heldBytes.addAndGet(deltaBytes);
        noteTightness();
    }

    /** Returns the bytes of state of all authenticated connections. */
    long stateBytes() {
        return stateOfAll.get();
    }

    /** Counts bytes of {@link #count} that are state of authenticated connections. */
    void countState(long deltaBytes) {
        stateOfAll.addAndGet(deltaBytes);
    }

    /**
     * Updates the flag for low memory, and checks it again after each change, because another thread may have stored
     * an older value.
     */
    private void noteTightness() {
        boolean little = freeBytes() < limitBytes / TIGHT_PART;
        while (little != tight) {
            tight = little;
            little = freeBytes() < limitBytes / TIGHT_PART;
        }
    }

    /** Performs the actions that follow a change of the count; under no lock. */
    void counted(boolean ofUnauthenticated, long deltaBytes) {
        if (ofUnauthenticated) {
            if (deltaBytes > 0) {
                closeOldest();
            }
        } else if (deltaBytes < 0) {
            wake();
        }
    }

    private void closeOldest() {
        while (unauthenticatedBytes.get() - endingBytes.get() > unauthenticatedBytesMax) {
            Map.Entry<Long, MemoryAccount> oldest = unauthenticatedByAge.pollFirstEntry();
            if (oldest == null) {
                return;
            }
            if (oldest.getValue()
                    .end(
                            true,
                            "Too many unauthenticated connections are open. Authenticate sooner, or try again later.")) {
                closedUnauthenticated.increment();
            }
        }
    }

    /**
     * Counts bytes of an unauthenticated connection that is being closed: positive when closing begins, negative when
     * they are free.
     */
    void ending(long deltaBytes) {
        endingBytes.addAndGet(deltaBytes);
    }

    /** Removes an account that has authenticated from the connections that are closed first. */
    void forgetAge(MemoryAccount account) {
        unauthenticatedByAge.remove(account.number());
    }

    void forget(MemoryAccount account) {
        accounts.remove(account);
        forgetAge(account);
        leaveLarge(account);
    }

    /** Resumes the account's owner when there may be room for it. */
    void await(MemoryAccount account) {
        waiting.add(account);
    }

    private void wake() {
        for (int i = 0; i < WOKEN_AT_ONCE; i++) {
            MemoryAccount next = waiting.poll();
            if (next == null) {
                return;
            }
            if (!next.fits()) {
                waiting.add(next);
            } else {
                next.resume();
            }
        }
    }

    /** Returns the time of the last call of {@link #relieve}; accounts record their progress by it. */
    long nowMs() {
        return nowMs;
    }

    /**
     * Checks the free memory, and closes connections if it has been low for too long. A gateway calls it a few times
     * a second, from one thread.
     *
     * @param atMs a time in milliseconds that never runs backward
     */
    public void relieve(long atMs) {
        nowMs = atMs;
        wake();
        if (!isTight()) {
            tightSinceMs = -1;
            return;
        }
        if (tightSinceMs < 0) {
            tightSinceMs = atMs;
        }
        long tightForMs = atMs - tightSinceMs;
        if (tightForMs < STALLED_AFTER_MS) {
            return;
        }
        boolean progressCounts = tightForMs < GREEDY_AFTER_MS;
        List<MemoryAccount> greedy = new ArrayList<>();
        for (MemoryAccount account : accounts) {
            if (account.transitBytes() >= WORTH_CLOSING_BYTES
                    && (!progressCounts || atMs - account.progressMs() >= STALLED_AFTER_MS)) {
                greedy.add(account);
            }
        }
        greedy.sort(Comparator.comparingLong(MemoryAccount::transitBytes).reversed());
        long freed = 0;
        for (MemoryAccount account : greedy) {
            if (freed >= limitBytes / RELIEF_PART) {
                break;
            }
            long bytes = account.transitBytes();
            if (account.end(
                    false,
                    "The memory of the server is used up, and this connection holds much of it without progress.")) {
                closedStalled.increment();
                freed += bytes;
            }
        }
    }

    /** Returns the bytes that are held, by holder. */
    public MemoryFigures figures() {
        Map<String, Map<MemoryPurpose, Long>> claims = new TreeMap<>();
        namespaces.forEach((name, memory) -> claims.put(name, byPurpose(memory)));
        return new MemoryFigures(
                limitBytes + unauthenticatedBytesMax,
                byPurpose(unauthenticated),
                claims,
                closedUnauthenticated.sum(),
                closedStalled.sum());
    }

    private static Map<MemoryPurpose, Long> byPurpose(NamespaceMemory memory) {
        Map<MemoryPurpose, Long> out = new LinkedHashMap<>();
        for (MemoryPurpose purpose : MemoryPurpose.values()) {
            out.put(purpose, memory.byPurpose[purpose.ordinal()].sum());
        }
        return out;
    }
}
