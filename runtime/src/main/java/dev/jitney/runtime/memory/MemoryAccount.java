package dev.jitney.runtime.memory;

import dev.jitney.runtime.memory.ClientMemory.NamespaceMemory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The memory that one connection holds. Any thread may call it; nothing is called back under its lock.
 *
 * <p>Taking memory never fails here, because who takes it has it already: the owner asks {@link #room} afterwards, and
 * stops taking more while that is negative. Only what can be refused is asked for before, by {@link #tryHold}.
 */
public final class MemoryAccount {
    private final ClientMemory memory;
    private final long number;
    private final Owner owner;
    private final long[] held = new long[MemoryPurpose.values().length];
    private final AtomicBoolean waits = new AtomicBoolean();
    private NamespaceMemory namespace;
    private volatile boolean unauthenticated = true;
    private boolean closed;
    private boolean ending;
    private boolean large;
    private volatile long transitBytes;
    private long stateBytes;

    /** What it held when it was told to close, while it had shown no credential. */
    private long endingBytes;

    private volatile long wantedBytes;
    private volatile long progressMs;

    /** The connection that an account belongs to; called on any thread, and never under a lock. */
    public interface Owner {
        /**
         * The connection is to be closed.
         *
         * @param why a sentence for the client
         */
        void end(String why);

        /** There may be room for what waits. */
        void resume();
    }

    MemoryAccount(ClientMemory memory, long number, Owner owner) {
        this.memory = memory;
        this.number = number;
        this.owner = owner;
        namespace = memory.unauthenticated();
        progressMs = memory.nowMs();
    }

    /** Accounts are numbered in the order in which they were opened. */
    long number() {
        return number;
    }

    /**
     * Changes what is held for a purpose.
     *
     * @param deltaBytes more than 0 for memory that is taken, less for memory that is given back
     */
    public void hold(MemoryPurpose purpose, long deltaBytes) {
        boolean ofUnauthenticated;
        synchronized (this) {
            if (closed || deltaBytes == 0) {
                return;
            }
            ofUnauthenticated = unauthenticated;
            count(purpose, deltaBytes);
        }
        memory.counted(ofUnauthenticated, deltaBytes);
    }

    private void count(MemoryPurpose purpose, long deltaBytes) {
        held[purpose.ordinal()] += deltaBytes;
        namespace.add(purpose, deltaBytes);
        memory.count(unauthenticated, deltaBytes);
        if (!purpose.isTransit()) {
            stateBytes += deltaBytes;
            return;
        }
        transitBytes += deltaBytes;
        if (deltaBytes < 0) {
            progressMs = memory.nowMs();
            if (large && transitBytes <= memory.messageBytesMax()) {
                large = false;
                memory.leaveLarge(this);
            }
        }
    }

    /**
     * Takes memory for something that can wait or be refused.
     *
     * @return false if the account holds its share; then nothing was taken
     */
    public boolean tryHold(MemoryPurpose purpose, long bytes) {
        boolean ofUnauthenticated;
        synchronized (this) {
            if (closed) {
                return false;
            }
            if (!unauthenticated && memory.room(transitBytes + bytes, namespace) < 0) {
                // One large answer is better than none: whoever holds little else may have it when nobody else does.
                if (transitBytes > memory.messageBytesMax() || !memory.takeLarge(this, bytes)) {
                    return false;
                }
                large = true;
            }
            ofUnauthenticated = unauthenticated;
            count(purpose, bytes);
        }
        memory.counted(ofUnauthenticated, bytes);
        return true;
    }

    /** Whether the connection may have more sessions and links. */
    public synchronized boolean mayHoldMoreState() {
        return unauthenticated || closed || memory.hasRoomForState(stateBytes);
    }

    /** How much more traffic the account may hold; negative if it holds more than its share. */
    public synchronized long room() {
        return unauthenticated || closed || large ? 0 : memory.room(transitBytes, namespace);
    }

    /**
     * Calls {@link Owner#resume} once there may be room again.
     *
     * @param bytes how much is wanted, 0 for any room at all
     */
    public void await(long bytes) {
        wantedBytes = bytes;
        if (waits.compareAndSet(false, true)) {
            memory.await(this);
        }
    }

    /** Whether there is room for what it waits for. */
    synchronized boolean fits() {
        long wanted = wantedBytes;
        return unauthenticated
                || closed
                || memory.room(transitBytes + wanted, namespace) >= 0
                || (transitBytes <= memory.messageBytesMax() && memory.maySpareLarge(this, wanted));
    }

    void resume() {
        waits.set(false);
        owner.resume();
    }

    /** The connection has shown a credential for a namespace: from now on its claims are those of the namespace. */
    public void authenticated(String namespaceName) {
        synchronized (this) {
            if (closed || !unauthenticated) {
                return;
            }
            NamespaceMemory to = memory.namespace(namespaceName);
            long bytes = 0;
            for (MemoryPurpose purpose : MemoryPurpose.values()) {
                long own = held[purpose.ordinal()];
                namespace.add(purpose, -own);
                to.add(purpose, own);
                bytes += own;
            }
            memory.count(true, -bytes);
            memory.count(false, bytes);
            memory.ending(-endingBytes);
            endingBytes = 0;
            namespace = to;
            unauthenticated = false;
        }
        memory.forgetAge(this);
    }

    /**
     * Has the owner close the connection.
     *
     * @param ifUnauthenticated whether to do so only if it has shown no credential yet
     * @return false if that does not apply, or has happened already
     */
    boolean end(boolean ifUnauthenticated, String why) {
        synchronized (this) {
            if (closed || ending || (ifUnauthenticated && !unauthenticated)) {
                return false;
            }
            ending = true;
            if (unauthenticated) {
                endingBytes = stateBytes + transitBytes;
                memory.ending(endingBytes);
            }
        }
        owner.end(why);
        return true;
    }

    /** The connection has gone: gives everything back. */
    public void close() {
        long bytes;
        boolean ofUnauthenticated;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            bytes = stateBytes + transitBytes;
            ofUnauthenticated = unauthenticated;
            for (MemoryPurpose purpose : MemoryPurpose.values()) {
                namespace.add(purpose, -held[purpose.ordinal()]);
                held[purpose.ordinal()] = 0;
            }
            stateBytes = 0;
            transitBytes = 0;
            memory.count(ofUnauthenticated, -bytes);
            memory.ending(-endingBytes);
            endingBytes = 0;
        }
        memory.forget(this);
        memory.counted(ofUnauthenticated, -bytes);
    }

    /** What it holds for a purpose. */
    public synchronized long held(MemoryPurpose purpose) {
        return held[purpose.ordinal()];
    }

    long transitBytes() {
        return transitBytes;
    }

    long progressMs() {
        return progressMs;
    }
}
