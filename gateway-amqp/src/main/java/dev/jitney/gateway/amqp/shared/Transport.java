package dev.jitney.gateway.amqp.shared;

import java.net.InetAddress;
import java.util.concurrent.Executor;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The output of a connection's bytes, with an implementation over a socket and one for tests. Called on the event loop.
 */
public interface Transport {

    /** Copies the bytes for the next flush; the buffer may change afterwards. */
    void write(ProtonBuffer bytes);

    /** Copies the bytes for the next flush; the array may change afterwards. */
    void write(byte[] bytes, int from, int count);

    /** Sends the written bytes. */
    void flush();

    /** Returns the number of written bytes that the peer has not read from the socket. */
    long pendingOutputBytes();

    /** Returns whether the peer reads bytes fast enough. */
    boolean isWritable();

    /** Pauses or continues reading. */
    void reading(boolean wanted);

    /** Sends the written bytes, then closes, within a bounded time. */
    void close();

    /** Returns the IP address of the client, or null if it is not known any more. */
    @Nullable
    InetAddress clientAddress();

    /** Returns the address and port of the client, for logs. */
    String client();

    /** Returns the socket below, as the gateway counts it. */
    GatewaySocket socket();

    /** Returns the executor of the event loop. */
    Executor executor();
}
