package dev.jitney.gateway.amqp;

import dev.jitney.gateway.amqp.tunnel.TunnelEnd;
import dev.jitney.testing.amqp.ReceivedOctets;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A tunnel into a gateway, as a socket for clients that only know sockets. Bytes that the client reads are consumed.
 */
final class TunnelSocket extends Socket {
    /** The bytes that the gateway has sent and the client has not read. */
    final AtomicLong unreadBytes = new AtomicLong();
    /** The bytes that the client has sent and the gateway has not consumed. */
    final AtomicLong unconsumedBytes = new AtomicLong();

    private final TunnelEnd gateway;
    private final ReceivedOctets received = new ReceivedOctets() {
        @Override
        protected void consumed(int octets) {
            unreadBytes.addAndGet(-octets);
            gateway.consumed(octets);
        }
    };

    TunnelSocket(AmqpGateway to, String serverName) throws IOException {
        received.timeout(30_000);
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
                        received.end();
                    }
                });
        if (opened == null) {
            throw new IOException("refused");
        }
        gateway = opened;
    }

    @Override
    public void setSoTimeout(int ms) {
        received.timeout(ms);
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
        return received;
    }

    @Override
    public synchronized void close() {
        gateway.close();
    }
}
