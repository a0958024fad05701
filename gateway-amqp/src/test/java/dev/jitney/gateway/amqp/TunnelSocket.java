package dev.jitney.gateway.amqp;

import dev.jitney.gateway.amqp.tunnel.TunnelEnd;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A tunnel into a gateway that looks like a socket, for clients that know only sockets. What is read is consumed. */
final class TunnelSocket extends Socket {
    private static final ByteBuffer END = ByteBuffer.allocate(0);

    /** Octets the gateway has given and the client has not read. */
    final AtomicLong unreadBytes = new AtomicLong();
    /** Octets the client has sent and the gateway has not consumed. */
    final AtomicLong unconsumedBytes = new AtomicLong();

    private final BlockingQueue<ByteBuffer> received = new LinkedBlockingQueue<>();
    private final TunnelEnd gateway;
    private int timeoutMs = 30_000;

    TunnelSocket(AmqpGateway to, String serverName) throws IOException {
        TunnelEnd opened =
                to.openTunnel(InetSocketAddress.createUnresolved("client.example", 4711), serverName, new TunnelEnd() {
                    @Override
                    public void data(ByteBuffer bytes) {
                        unreadBytes.addAndGet(bytes.remaining());
                        received.add(bytes);
                    }

                    @Override
                    public void consumed(int bytes) {
                        unconsumedBytes.addAndGet(-bytes);
                    }

                    @Override
                    public void close() {
                        received.add(END);
                    }
                });
        if (opened == null) {
            throw new IOException("refused");
        }
        gateway = opened;
    }

    @Override
    public void setSoTimeout(int ms) {
        timeoutMs = ms;
    }

    @Override
    public OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int octet) {
                write(new byte[] {(byte) octet}, 0, 1);
            }

            @Override
            public void write(byte[] octets, int from, int count) {
                unconsumedBytes.addAndGet(count);
                gateway.data(ByteBuffer.allocate(count).put(octets, from, count).flip());
            }
        };
    }

    @Override
    public InputStream getInputStream() {
        return new InputStream() {
            private ByteBuffer current = ByteBuffer.allocate(0);

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int at, int count) throws IOException {
                try {
                    while (!current.hasRemaining()) {
                        current = received.poll(timeoutMs, TimeUnit.MILLISECONDS);
                        if (current == null) {
                            current = ByteBuffer.allocate(0);
                            throw new SocketTimeoutException("nothing in " + timeoutMs + " ms");
                        }
                        if (current == END) {
                            received.add(END);
                            return -1;
                        }
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException(e);
                }
                int read = Math.min(count, current.remaining());
                current.get(into, at, read);
                unreadBytes.addAndGet(-read);
                gateway.consumed(read);
                return read;
            }
        };
    }

    @Override
    public synchronized void close() {
        gateway.close();
    }
}
