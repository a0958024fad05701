package dev.jitney.fuzz.server;

import dev.jitney.gateway.amqp.AmqpGateway;
import dev.jitney.gateway.amqp.tunnel.TunnelEnd;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A connection to a gateway without a socket: bytes in, bytes out, and either end may close. */
public final class AmqpClientEnd implements TunnelEnd {
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final AtomicInteger early = new AtomicInteger();
    private volatile @Nullable TunnelEnd gateway;
    private boolean closed;

    private AmqpClientEnd() {}

    /** Opens a connection. */
    public static AmqpClientEnd open(AmqpGateway gateway) {
        AmqpClientEnd end = new AmqpClientEnd();
        TunnelEnd near = gateway.openTunnel(InetSocketAddress.createUnresolved("fuzz.example", 4711), "first", end);
        end.gateway = Objects.requireNonNull(near, "Expected one more connection to be accepted, but it was refused.");
        int octets = end.early.getAndSet(0);
        if (octets > 0) {
            near.consumed(octets);
        }
        return end;
    }

    /** Sends bytes. */
    public void send(byte[] octets) {
        Objects.requireNonNull(gateway).data(ByteBuffer.wrap(octets));
    }

    /** Ends the connection as a disconnected client does. */
    public void leave() {
        Objects.requireNonNull(gateway).close();
    }

    @Override
    public void data(ByteBuffer bytes) {
        int length = bytes.remaining();
        synchronized (this) {
            byte[] copy = new byte[length];
            bytes.get(copy);
            received.writeBytes(copy);
            notifyAll();
        }
        TunnelEnd near = gateway;
        if (near == null) {
            early.addAndGet(length);
        } else {
            near.consumed(length);
        }
    }

    @Override
    public void consumed(int bytes) {}

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Returns the bytes received so far. */
    public synchronized byte[] received() {
        return received.toByteArray();
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    /** Waits until the gateway has closed the connection; returns whether it did. */
    public boolean awaitClose(long patienceMs) throws InterruptedException {
        return await(0, patienceMs, true);
    }

    /**
     * Waits for more bytes than the given number, or until the gateway has closed; returns whether one of them
     * happened.
     */
    public boolean awaitMore(int than, long patienceMs) throws InterruptedException {
        return await(than, patienceMs, false);
    }

    private synchronized boolean await(int octets, long patienceMs, boolean forClose) throws InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        while (!closed && (forClose || received.size() <= octets)) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0) {
                return false;
            }
            wait(leftMs);
        }
        return true;
    }
}
