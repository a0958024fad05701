package dev.jitney.gateway.amqp.shared;

import java.util.concurrent.Executor;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;

/** Where a connection's bytes go; implemented over a socket, and in tests over nothing. Called on the event loop. */
public interface Transport {

    /** Keeps the bytes for the next flush; the buffer may change afterwards. */
    void write(ProtonBuffer bytes);

    /** As above. */
    void write(byte[] bytes, int from, int count);

    /** Sends what was written. */
    void flush();

    /** Bytes that were written and that the peer has not taken from the socket. */
    long pendingOutputBytes();

    /** Whether the peer takes bytes fast enough. */
    boolean isWritable();

    /** Stops or goes on reading. */
    void reading(boolean wanted);

    /** Sends what was written, then closes; within a bounded time. */
    void close();

    /** Address and port of the client, for logs. */
    String client();

    /** The event loop. */
    Executor executor();
}
