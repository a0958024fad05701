package dev.jitney.gateway.amqp.shared;

import dev.jitney.runtime.memory.ClientMemory;
import dev.jitney.runtime.memory.MemoryAccount;
import dev.jitney.runtime.memory.MemoryPurpose;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * The memory that one connection holds, and the reactions when it is too much (QUOTA-8). For the event loop.
 *
 * <p>Bytes of messages are counted here first and reported to the {@link MemoryAccount} in larger steps, because every
 * report costs a few atomic operations. Reading pauses while the connection holds more than its share. Work whose
 * answer may be large waits until there is memory for the answer.
 */
public final class ConnectionMemory {
    /** The longest wait of a request for memory for its answer. Clients wait for a minute. */
    private static final long ROOM_WAIT_MS = 20_000;

    /** The refusal of a session or link for lack of memory. */
    public static final String STATE_USED_UP =
            "The memory of the server for connections and links is used up. Close some, or start the server with a larger"
                    + " heap.";

    /** The sizes of objects in bytes, measured on a server with thousands of connections. */
    public static final int SOCKET_BYTES = 2 * 1024;

    public static final int TLS_BYTES = 48 * 1024;
    public static final int WEB_SOCKET_BYTES = 32 * 1024;
    public static final int CONNECTION_BYTES = 8 * 1024;
    public static final int SESSION_BYTES = 7 * 1024;
    public static final int LINK_BYTES = 4 * 1024;
    public static final int UNSETTLED_BYTES = 128;

    /** The usual limit of a connection's state: some hundred links. */
    private static final int USUAL_STATE_BYTES = 1 << 20;

    /** The size of a decoded frame with many small values, relative to its encoded size. */
    private static final int DECODED_FACTOR = 16;

    /** The size up to which all frames count the same. */
    public static final int USUAL_FRAME_BYTES = 1024;

    /** The limits for unreported changes, usually and while memory is tight. */
    private static final int UNREPORTED_BYTES = 16 * 1024;

    private static final int UNREPORTED_WHEN_TIGHT_BYTES = 1024;

    /** The output that a client may leave in its socket before reading from it pauses. */
    private static final int UNREAD_OUTPUT_BYTES_MAX = 1 << 20;

    private final ConnectionLimits limits;
    private final Transport transport;
    private final MemoryAccount account;
    private final ClientMemory clients;
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    private long inFlightBytes;
    private long partialBytes;
    private long unfinishedFrameBytes;
    private boolean hasUnfinishedFrame;
    private long frameSinceMs;
    private long unauthenticatedBytes;
    private long reportedInFlight;
    private long reportedUnfinished;
    private long outputBytes;
    private int unsettledCount;

    /** True if the connection held more than its share at the last check. */
    private boolean over;

    private boolean readingPaused;

    /** Work that waits for memory for its answer. */
    private static final class Waiting {
        private final long bytes;
        private final Runnable work;
        private final Runnable late;

        /** The time of the first tick that it waits for; negative before. */
        private long sinceMs = -1;

        Waiting(long bytes, Runnable work, Runnable late) {
            this.bytes = bytes;
            this.work = work;
            this.late = late;
        }

        boolean isLate(long nowMs) {
            sinceMs = sinceMs < 0 ? nowMs : sinceMs;
            return nowMs - sinceMs > ROOM_WAIT_MS;
        }
    }

    /**
     * @param clients memory of all clients together
     * @param account part of it that the connection holds
     */
    public ConnectionMemory(ConnectionLimits limits, ClientMemory clients, MemoryAccount account, Transport transport) {
        this.limits = limits;
        this.clients = clients;
        this.transport = transport;
        this.account = account;
    }

    public MemoryAccount account() {
        return account;
    }

    /** Returns the limit of the server's memory for one message, request or answer, in bytes. */
    public long messageBytesMax() {
        return clients.messageBytesMax();
    }

    /** Counts bytes of an unauthenticated peer. Returns whether they exceed the limit. */
    public boolean exceedsUnauthenticatedLimit(int bytes) {
        unauthenticatedBytes += bytes;
        return unauthenticatedBytes > limits.unauthenticatedBytesMax();
    }

    /** Returns the memory of a performative whose fields are kept, beyond the memory that every performative takes. */
    private static long decodedBytes(int frameBytes) {
        return (long) DECODED_FACTOR * Math.max(0, frameBytes - USUAL_FRAME_BYTES);
    }

    /**
     * Takes memory for a long-lived object.
     *
     * @param frameBytes size of the frame whose fields the object keeps
     * @return bytes to give back with the object
     */
    public long state(long ownBytes, int frameBytes) {
        long bytes = ownBytes + decodedBytes(frameBytes);
        account.hold(MemoryPurpose.STATE, bytes);
        return bytes;
    }

    /** Returns whether the connection may open no more sessions and links. */
    public boolean stateUsedUp() {
        return !account.mayHoldMoreState();
    }

    /** Returns whether the connection holds more state than clients usually need. */
    public boolean hasMuchState() {
        return account.held(MemoryPurpose.STATE) > USUAL_STATE_BYTES;
    }

    public void giveBackState(long bytes) {
        account.hold(MemoryPurpose.STATE, -bytes);
    }

    /** Changes the bytes of messages and requests that were passed to shards and not answered yet. */
    public void inFlight(long deltaBytes) {
        inFlightBytes += deltaBytes;
        report();
    }

    /** Changes the bytes of incomplete messages. Returns false if they exceed the limit. */
    public boolean partial(long deltaBytes) {
        partialBytes += deltaBytes;
        report();
        return deltaBytes <= 0 || partialBytes <= limits.partialBytesMax();
    }

    /** Returns whether there is an incomplete message. */
    public boolean hasPartial() {
        return partialBytes > 0;
    }

    /** Sets the bytes of an incomplete frame. */
    public void unfinishedFrame(int bytes, long nowMs) {
        if (bytes == 0) {
            hasUnfinishedFrame = false;
        } else if (!hasUnfinishedFrame || bytes < unfinishedFrameBytes) {
            hasUnfinishedFrame = true;
            frameSinceMs = nowMs;
        }
        if (bytes != unfinishedFrameBytes) {
            unfinishedFrameBytes = bytes;
            report();
        }
    }

    public boolean hasUnfinishedFrame() {
        return hasUnfinishedFrame;
    }

    /** Returns the time at which the incomplete frame began. */
    public long frameSinceMs() {
        return frameSinceMs;
    }

    /** Sets the bytes that the client has not read from its socket. */
    public void output(long pendingBytes) {
        if (pendingBytes != outputBytes) {
            account.hold(MemoryPurpose.OUTPUT, pendingBytes - outputBytes);
            outputBytes = pendingBytes;
            judgeAll();
        }
    }

    private void report() {
        long inFlight = inFlightBytes - reportedInFlight;
        long unfinished = partialBytes + unfinishedFrameBytes - reportedUnfinished;
        long unreported = clients.isTight() ? UNREPORTED_WHEN_TIGHT_BYTES : UNREPORTED_BYTES;
        if (Math.abs(inFlight) >= unreported || Math.abs(unfinished) >= unreported) {
            reportAll();
            judgeAll();
        } else {
            judge();
        }
    }

    private void reportAll() {
        account.hold(MemoryPurpose.REQUESTS, inFlightBytes - reportedInFlight);
        account.hold(MemoryPurpose.UNFINISHED, partialBytes + unfinishedFrameBytes - reportedUnfinished);
        reportedInFlight = inFlightBytes;
        reportedUnfinished = partialBytes + unfinishedFrameBytes;
    }

    /**
     * Reports the remaining changes, and checks again whether reading may continue. Called a few times per second.
     *
     * @param nowMs milliseconds of a monotonic clock
     */
    public void tick(int unsettled, long nowMs) {
        reportAll();
        if (unsettled != unsettledCount) {
            account.hold(MemoryPurpose.STATE, (long) UNSETTLED_BYTES * (unsettled - unsettledCount));
            unsettledCount = unsettled;
        }
        runWaiting();
        endLate(nowMs);
    }

    /** Ends the wait for memory that other connections may keep for hours. The client needs an answer, and its frames must be read. */
    private void endLate(long nowMs) {
        List<Waiting> late = waiting.stream().filter(one -> one.isLate(nowMs)).toList();
        if (!late.isEmpty()) {
            waiting.removeAll(late);
            late.forEach(one -> one.late.run());
            judgeAll();
        }
    }

    /** Returns whether there can never be memory for an answer of that size, even if the connection holds nothing. */
    public boolean isNeverRoomFor(long bytes) {
        return !clients.mayEverHold(bytes);
    }

    /**
     * Runs work once there is memory for its answer. The account holds the bytes from then on.
     *
     * @param late runs instead if there is no memory for 20 seconds
     */
    public void whenRoom(long bytes, Runnable work, Runnable late) {
        if (waiting.isEmpty() && account.tryHold(MemoryPurpose.RESPONSES, bytes)) {
            work.run();
            return;
        }
        waiting.add(new Waiting(bytes, work, late));
        account.await(bytes);
        judgeAll();
    }

    /** Runs waiting work for which there is memory. */
    public void runWaiting() {
        while (!waiting.isEmpty()) {
            Waiting next = waiting.peek();
            if (!account.tryHold(MemoryPurpose.RESPONSES, next.bytes)) {
                account.await(next.bytes);
                break;
            }
            waiting.remove();
            next.work.run();
        }
        judgeAll();
    }

    private void judgeAll() {
        over = account.room() < 0 && holdsTraffic();
        judge();
    }

    private void judge() {
        if (!readingPaused) {
            if (inFlightBytes > limits.inFlightBytesMax()
                    || over
                    || !waiting.isEmpty()
                    || outputBytes > UNREAD_OUTPUT_BYTES_MAX) {
                readingPaused = true;
                transport.reading(false);
                if (over) {
                    account.await(0);
                }
            }
        } else if (inFlightBytes <= limits.inFlightBytesMax() / 2
                && !over
                && waiting.isEmpty()
                && outputBytes <= UNREAD_OUTPUT_BYTES_MAX / 2) {
            readingPaused = false;
            transport.reading(true);
        } else if (over) {
            account.await(0);
        }
    }

    /**
     * Returns whether the connection holds memory that is released without further reads. Without such memory, a pause
     * would never end.
     */
    private boolean holdsTraffic() {
        return inFlightBytes + partialBytes + unfinishedFrameBytes + outputBytes > 0
                || account.held(MemoryPurpose.RESPONSES) > 0;
    }

    public boolean readingPaused() {
        return readingPaused;
    }

    /** Releases everything when the connection has ended. */
    public void close() {
        waiting.clear();
        account.close();
    }
}
