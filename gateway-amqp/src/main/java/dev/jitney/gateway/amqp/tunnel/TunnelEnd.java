package dev.jitney.gateway.amqp.tunnel;

import java.nio.ByteBuffer;

/**
 * One end of a two-way stream of bytes, as the other end sees it.
 *
 * <p>Any thread may call it, each method on one thread at a time; nothing blocks. The sender of bytes counts them until
 * they are reported as {@linkplain #consumed consumed}, and stops when too many are in transit, so that neither end
 * accumulates bytes that the other does not read.
 */
public interface TunnelEnd {

    /**
     * Passes the next bytes of the stream. They belong to this end from now on.
     *
     * @param bytes the bytes between its position and its limit; need not be whole frames
     */
    void data(ByteBuffer bytes);

    /** Reports that the other end has consumed the given number of bytes passed to {@link #data}. */
    void consumed(int bytes);

    /** Ends the stream in both directions. Calling it again does nothing. */
    void close();
}
