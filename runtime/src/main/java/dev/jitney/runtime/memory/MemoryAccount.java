package dev.jitney.runtime.memory;

import dev.jitney.runtime.memory.ClientMemory.NamespaceMemory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The memory that one connection holds. Any thread may call it; it makes no callback under its lock.
 *
 * <p>Taking memory never fails here, because the memory is already in use: the owner calls {@link #room} afterwards,
 * and stops taking more while the result is negative. Only {@link #tryHold} reserves memory in advance, for claims
 * that can be refused.
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

    /** The bytes that it held at the request to close it while still unauthenticated. */
    private long endingBytes;

    private volatile long wantedBytes;
    private volatile long progressMs;

    /** The connection that an account belongs to; called on any thread, and never under a lock. */
    public interface Owner {
        /**
         * Closes the connection.
         *
         * @param why a sentence for the client
         */
        void end(String why);

        /** Resumes work that waited for memory, for which there may be room now. */
        void resume();
    }

    MemoryAccount(ClientMemory memory, long number, Owner owner) {
        this.memory = memory;
        this.number = number;
        this.owner = owner;
        namespace = memory.unauthenticated();
        progressMs = memory.nowMs();
    }

    /** Returns the number of the account; numbers ascend in the order of opening. */
    long number() {
        return number;
    }

    /**
     * Changes the bytes that are held for a purpose.
     *
     * @param deltaBytes positive for memory that is taken, negative for memory that is released
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
            if (!unauthenticated) {
                memory.countState(deltaBytes);
            }
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
     * Takes memory for work that can wait or be refused.
     *
     * @return false if the account holds its share; then no memory was taken
     */
    public boolean tryHold(MemoryPurpose purpose, long bytes) {
        boolean ofUnauthenticated;
        synchronized (this) {
            if (closed) {
                return false;
            }
            if (!unauthenticated && memory.room(transitBytes + bytes, namespace) < 0) {
                // One large answer is better than none: an account that holds little else may have it while no other
                // account does.
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

    /**
     * Returns whether the connection may have more sessions and links. If they are used up, a connection with many of them may be closed
     * for one that has few.
     */
    public boolean mayHoldMoreState() {
        long own;
        synchronized (this) {
            own = stateBytes;
            if (unauthenticated || closed || memory.hasRoomForState(own)) {
                return true;
            }
        }
        return memory.makeRoomForState(own);
    }

    /** Returns the bytes of state of an authenticated connection; 0 for others. */
    synchronized long authenticatedStateBytes() {
        return unauthenticated || closed || ending ? 0 : stateBytes;
    }

    /** Returns the traffic bytes that the account may still take; negative if it holds more than its share. */
    public synchronized long room() {
        return unauthenticated || closed || large ? 0 : memory.room(transitBytes, namespace);
    }

    /**
     * Calls {@link Owner#resume} once there may be room again.
     *
     * @param bytes the bytes needed, 0 for any room at all
     */
    public void await(long bytes) {
        wantedBytes = bytes;
        if (waits.compareAndSet(false, true)) {
            memory.await(this);
        }
    }

    /** Returns whether there is room for the bytes that it waits for. */
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

    /** Moves the account to a namespace, after the connection has authenticated for it. */
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
            memory.countState(stateBytes);
            memory.ending(-endingBytes);
            endingBytes = 0;
            namespace = to;
            unauthenticated = false;
        }
        memory.forgetAge(this);
    }

    /**
     * Makes the owner close the connection.
     *
     * @param ifUnauthenticated whether to do so only while the connection is unauthenticated
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

    /** Releases all memory after the connection has closed. */
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
            if (!unauthenticated) {
                memory.countState(-stateBytes);
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

    /** Returns the bytes held for a purpose. */
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
