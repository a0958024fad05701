package dev.jitney.gateway.http;

import dev.jitney.gateway.http.websocket.AmqpTunnels;
import dev.jitney.gateway.http.websocket.TunnelEnd;
import java.io.ByteArrayOutputStream;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An AMQP side that records its data, and sends data of the test. */
public final class RecordingTunnels implements AmqpTunnels {
    /** Every opened tunnel, in order. */
    final BlockingQueue<Tunnel> opened = new LinkedBlockingQueue<>();

    volatile boolean full;
    volatile boolean closed;
    /** True if received bytes are reported as consumed immediately. */
    volatile boolean greedy = true;

    /** One tunnel on the AMQP side. */
    final class Tunnel implements TunnelEnd {
        final SocketAddress client;
        final String serverName;
        final TunnelEnd far;
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private long consumedBytes;
        private boolean gone;

        private Tunnel(SocketAddress client, String serverName, TunnelEnd far) {
            this.client = client;
            this.serverName = serverName;
            this.far = far;
        }

        @Override
        public void data(ByteBuffer bytes) {
            int length = bytes.remaining();
            synchronized (this) {
                byte[] copy = new byte[length];
                bytes.get(copy);
                received.writeBytes(copy);
            }
            if (greedy) {
                far.consumed(length);
            }
        }

        @Override
        public synchronized void consumed(int bytes) {
            consumedBytes += bytes;
        }

        @Override
        public synchronized void close() {
            gone = true;
        }

        synchronized byte[] received() {
            return received.toByteArray();
        }

        synchronized int receivedBytes() {
            return received.size();
        }

        synchronized long consumedBytes() {
            return consumedBytes;
        }

        synchronized boolean gone() {
            return gone;
        }
    }

    @Override
    public TunnelEnd open(SocketAddress client, String serverName, TunnelEnd far) {
        if (full) {
            return null;
        }
        Tunnel tunnel = new Tunnel(client, serverName, far);
        opened.add(tunnel);
        return tunnel;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** Returns the next tunnel, which must be opened. */
    Tunnel next() throws InterruptedException {
        Tunnel tunnel = opened.poll(30, TimeUnit.SECONDS);
        if (tunnel == null) {
            throw new AssertionError("Expected a tunnel to be opened, but none was.");
        }
        return tunnel;
    }
}
