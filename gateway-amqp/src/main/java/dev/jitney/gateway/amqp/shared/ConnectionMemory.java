package dev.jitney.gateway.amqp.shared;

import dev.jitney.runtime.memory.ClientMemory;
import dev.jitney.runtime.memory.MemoryAccount;
import dev.jitney.runtime.memory.MemoryPurpose;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The memory that one connection holds, and the consequences when it is too much (QUOTA-8). For the event loop.
 *
 * <p>Bytes of messages are counted here first and reported to the {@link MemoryAccount} in larger steps, because every
 * report costs a few atomic operations. Reading pauses while the connection holds more than its share; work whose answer
 * may be large waits until there is room for the answer.
 */
public final class ConnectionMemory {
    /** The refusal of a session or link for which there is no memory. */
    public static final String STATE_USED_UP =
            "The memory of the server for connections and links is used up. Close some, or start the server with a larger"
                    + " heap.";

    /** Bytes of objects, measured with thousands of connections on the heap of a server. */
    public static final int SOCKET_BYTES = 2 * 1024;

    public static final int TLS_BYTES = 48 * 1024;
    public static final int WEB_SOCKET_BYTES = 32 * 1024;
    public static final int CONNECTION_BYTES = 8 * 1024;
    public static final int SESSION_BYTES = 7 * 1024;
    public static final int LINK_BYTES = 4 * 1024;
    public static final int UNSETTLED_BYTES = 128;

    /** Some hundred links. */
    private static final int USUAL_STATE_BYTES = 1 << 20;

    /** A frame whose decoded form is kept costs many times its size if it has many small values. */
    private static final int DECODED_FACTOR = 16;

    /** Frames up to this size are all counted alike. */
    public static final int USUAL_FRAME_BYTES = 1024;

    /** Changes that are not reported to the account yet, usually and while memory is tight. */
    private static final int UNREPORTED_BYTES = 16 * 1024;

    private static final int UNREPORTED_WHEN_TIGHT_BYTES = 1024;

    /** Output that a client may leave in its socket before nothing more is read from it. */
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

    /** Whether it held more than its share when that was looked at last. */
    private boolean over;

    private boolean readingPaused;

    /** Work that waits for room for its answer. */
    private record Waiting(long bytes, Runnable work) {}

    /**
     * @param clients the memory of all clients together
     * @param account the part of it that the connection holds
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

    /** The largest message, request or answer that the memory of the server permits, in bytes. */
    public long messageBytesMax() {
        return clients.messageBytesMax();
    }

    /** Counts bytes of a peer without a credential; true if they are too many. */
    public boolean exceedsUnauthenticatedLimit(int bytes) {
        unauthenticatedBytes += bytes;
        return unauthenticatedBytes > limits.unauthenticatedBytesMax();
    }

    /** The bytes that a performative costs whose fields are kept, beyond what any costs. */
    private static long decodedBytes(int frameBytes) {
        return (long) DECODED_FACTOR * Math.max(0, frameBytes - USUAL_FRAME_BYTES);
    }

    /**
     * Takes memory for an object that lives long.
     *
     * @param frameBytes the size of the frame whose fields it keeps
     * @return the bytes to be given back with it
     */
    public long state(long ownBytes, int frameBytes) {
        long bytes = ownBytes + decodedBytes(frameBytes);
        account.hold(MemoryPurpose.STATE, bytes);
        return bytes;
    }

    /** Whether the connection is to get no more sessions and links. */
    public boolean stateUsedUp() {
        return !account.mayHoldMoreState();
    }

    /** Whether the connection holds more state than clients usually need. */
    public boolean hasMuchState() {
        return account.held(MemoryPurpose.STATE) > USUAL_STATE_BYTES;
    }

    public void giveBackState(long bytes) {
        account.hold(MemoryPurpose.STATE, -bytes);
    }

    /** Changes the bytes of messages and requests handed to shards and not answered. */
    public void inFlight(long deltaBytes) {
        inFlightBytes += deltaBytes;
        report();
    }

    /** Changes the bytes of messages that have not arrived whole; false when the peer has begun more than it may. */
    public boolean partial(long deltaBytes) {
        partialBytes += deltaBytes;
        report();
        return deltaBytes <= 0 || partialBytes <= limits.partialBytesMax();
    }

    /** Whether a message has begun to arrive and is not whole. */
    public boolean hasPartial() {
        return partialBytes > 0;
    }

    /** Sets the bytes of a frame that has not arrived whole. */
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

    /** When the frame began that has not arrived whole. */
    public long frameSinceMs() {
        return frameSinceMs;
    }

    /** Notes how much the client has not taken from its socket. */
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

    /** Reports the rest, and looks again whether reading may go on; called a few times a second. */
    public void tick(int unsettled) {
        reportAll();
        if (unsettled != unsettledCount) {
            account.hold(MemoryPurpose.STATE, (long) UNSETTLED_BYTES * (unsettled - unsettledCount));
            unsettledCount = unsettled;
        }
        runWaiting();
    }

    /** Does something once there is room for the answer; the account holds the bytes from then on. */
    public void whenRoom(long bytes, Runnable work) {
        if (waiting.isEmpty() && account.tryHold(MemoryPurpose.RESPONSES, bytes)) {
            work.run();
            return;
        }
        waiting.add(new Waiting(bytes, work));
        account.await(bytes);
        judgeAll();
    }

    /** There may be room again. */
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

    /** Whether there is anything that goes away by itself: with nothing of the kind a pause would have no end. */
    private boolean holdsTraffic() {
        return inFlightBytes + partialBytes + unfinishedFrameBytes + outputBytes > 0
                || account.held(MemoryPurpose.RESPONSES) > 0;
    }

    public boolean readingPaused() {
        return readingPaused;
    }

    /** The connection has gone. */
    public void close() {
        waiting.clear();
        account.close();
    }
}
