package dev.jitney.gateway.http.websocket;

import java.nio.ByteBuffer;

/**
 * One end of a two-way stream of bytes, seen from the other end.
 *
 * <p>Any thread may call it, each method by one thread at a time; no method blocks. A sender counts its bytes until
 * they are {@linkplain #consumed consumed}, and stops at a limit, so that unread bytes do not accumulate at either end.
 */
public interface TunnelEnd {

    /**
     * Receives the next bytes of the stream. They belong to this end from now on.
     *
     * @param bytes the data between its position and its limit
     */
    void data(ByteBuffer bytes);

    /** Reports that this many bytes, passed to the other end with {@link #data}, are consumed. */
    void consumed(int bytes);

    /** Ends the stream in both directions. A second call does nothing. */
    void close();
}
