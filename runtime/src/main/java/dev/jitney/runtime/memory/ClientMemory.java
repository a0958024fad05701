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
 * The one budget for memory that clients claim, for the whole process (QUOTA-8). Any thread may call it.
 *
 * <p>A part of the budget is for connections that have shown no credential, together. When it is used up, the connection
 * that has been without a credential for the longest time is closed.
 *
 * <p>The rest is for all others. A connection may hold at most as much traffic as is free at that moment, and a namespace
 * at most {@value #NAMESPACE_SHARE} times as much. So one greedy connection gets half of the budget, {@code n} of them
 * get {@code 1/(n+1)} each, and there is always something left for the next one. This is the rule that switches use for
 * shared buffers (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998): it is
 * fair without knowing who will want something. Whoever is over its share waits: the gateway stops reading from it and
 * gives it no more deliveries.
 *
 * <p>Waiting alone does not free memory that is held by clients that neither send on nor read. So while less than an
 * eighth of the budget is free, {@link #relieve} closes the connections that hold the most and have made no progress.
 */
public final class ClientMemory {
    /** Times the free memory that all connections of a namespace together may hold. */
    static final int NAMESPACE_SHARE = 4;

    /** Names that are remembered before those are forgotten whose clients hold nothing. */
    private static final int NAMESPACES_MAX = 1_000;

    private static final int UNAUTHENTICATED_PART = 4;
    private static final int MESSAGE_PART = 4;
    private static final int STATE_PART = 4;

    /** The part of the budget that state leaves for traffic; larger than what counts as tight. */
    private static final int TRAFFIC_PART = 6;

    private static final int TIGHT_PART = 8;
    private static final int RELIEF_PART = 4;
    private static final int WOKEN_AT_ONCE = 8;

    /** How long memory is tight before connections without progress are closed, and then all that hold the most. */
    private static final long STALLED_AFTER_MS = 2_000;

    private static final long GREEDY_AFTER_MS = 10_000;

    /** Connections that hold less are not worth closing. */
    private static final long WORTH_CLOSING_BYTES = 64 * 1024;

    private final long limitBytes;
    private final long unauthenticatedBytesMax;
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong unauthenticatedBytes = new AtomicLong();

    /** Bytes of unauthenticated connections that are being closed. */
    private final AtomicLong endingBytes = new AtomicLong();

    private final Map<String, NamespaceMemory> namespaces = new ConcurrentHashMap<>();
    private final NamespaceMemory unauthenticated = new NamespaceMemory();
    private final Set<MemoryAccount> accounts = ConcurrentHashMap.newKeySet();
    private final NavigableMap<Long, MemoryAccount> unauthenticatedByAge = new ConcurrentSkipListMap<>();
    private final AtomicLong accountNumbers = new AtomicLong();
    private final Queue<MemoryAccount> waiting = new ConcurrentLinkedQueue<>();

    /** The one account that may hold more than its share, because one message or answer needs it. */
    private final AtomicReference<@Nullable MemoryAccount> large = new AtomicReference<>();

    private final LongAdder closedUnauthenticated = new LongAdder();
    private final LongAdder closedStalled = new LongAdder();
    private volatile long nowMs;
    private long tightSinceMs = -1;

    /** Whether little is free. Kept apart from the count, which changes all the time: this is asked for every message. */
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

    /** @param limitBytes what all clients together may claim, at least 1 MiB */
    public ClientMemory(long limitBytes) {
        if (limitBytes < 1 << 20) {
            throw new IllegalArgumentException(
                    "Expected a budget of at least 1 MiB, but got " + limitBytes + " bytes.");
        }
        unauthenticatedBytesMax = limitBytes / UNAUTHENTICATED_PART;
        this.limitBytes = limitBytes - unauthenticatedBytesMax;
    }

    /** The budget that fits the heap of this process: three eighths of it. */
    public static ClientMemory ofHeap() {
        return new ClientMemory(Math.max(4L << 20, Runtime.getRuntime().maxMemory() / 8 * 3));
    }

    /**
     * Opens the account of a connection that has shown no credential yet.
     *
     * @param owner the connection
     */
    public MemoryAccount open(MemoryAccount.Owner owner) {
        MemoryAccount account = new MemoryAccount(this, accountNumbers.incrementAndGet(), owner);
        accounts.add(account);
        unauthenticatedByAge.put(account.number(), account);
        return account;
    }

    /** The largest message, request or answer that the budget permits. */
    public long messageBytesMax() {
        return limitBytes / MESSAGE_PART;
    }

    /** Bytes that nobody holds, of those for connections that have shown a credential. Negative after a burst. */
    long freeBytes() {
        return limitBytes - heldBytes.get();
    }

    /** Whether so little is free that connections should do without what they can do without. */
    public boolean isTight() {
        return tight;
    }

    /**
     * How many bytes at most should be read from a socket at a time: fewer, the less memory is free, because what has
     * been read is held before anybody can say that it is too much.
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

    /** How much more traffic an account of that namespace may hold; negative if it holds too much. */
    long room(long transitBytes, NamespaceMemory namespace) {
        long free = freeBytes();
        long own = free - transitBytes;
        return namespaces.size() > 1 ? Math.min(own, NAMESPACE_SHARE * free - namespace.total.get()) : own;
    }

    /**
     * Whether a connection with so many bytes of state may have more: not without end, and not if that would take what is
     * left for traffic.
     */
    boolean hasRoomForState(long stateBytes) {
        return freeBytes() >= limitBytes / TRAFFIC_PART && stateBytes <= limitBytes / STATE_PART;
    }

    /** Whether an account may go over its share by so much: no other one does, and most of the budget is free. */
    boolean maySpareLarge(MemoryAccount account, long bytes) {
        MemoryAccount holder = large.get();
        return (holder == null || holder == account) && freeBytes() - bytes >= limitBytes / TIGHT_PART;
    }

    /** Lets an account go over its share by so much, if {@link #maySpareLarge} says so. */
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

    /** Looks again after each change of mind: another thread may have counted, and noted what is older. */
    private void noteTightness() {
        boolean little = freeBytes() < limitBytes / TIGHT_PART;
        while (little != tight) {
            tight = little;
            little = freeBytes() < limitBytes / TIGHT_PART;
        }
    }

    /** Does what follows a change of the count; under no lock. */
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
            if (oldest.getValue().end(true, "Too many connections without a valid token are open.")) {
                closedUnauthenticated.increment();
            }
        }
    }

    /** So many bytes of an unauthenticated connection that is being closed are about to come back, or are back. */
    void ending(long deltaBytes) {
        endingBytes.addAndGet(deltaBytes);
    }

    /** The account has shown a credential: it is not among those that are closed first. */
    void forgetAge(MemoryAccount account) {
        unauthenticatedByAge.remove(account.number());
    }

    void forget(MemoryAccount account) {
        accounts.remove(account);
        forgetAge(account);
        leaveLarge(account);
    }

    /** Has the account told when there may be room for it. */
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

    /** The time that {@link #relieve} was told last; for accounts to note their progress by. */
    long nowMs() {
        return nowMs;
    }

    /**
     * Looks at how much is free, and closes connections if it has been too little for too long. A gateway calls it a few
     * times a second, from one thread.
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

    /** What is held, and by whom. */
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
