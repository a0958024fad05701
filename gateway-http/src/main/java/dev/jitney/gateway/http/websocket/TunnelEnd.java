package dev.jitney.gateway.http.websocket;

import java.nio.ByteBuffer;

/**
 * One end of a two-way stream of octets, as the other end sees it.
 *
 * <p>Any thread may call it, each method one thread at a time; nothing blocks. Whoever hands over octets counts them
 * until they are {@linkplain #consumed taken note of} and stops when too many are on their way, so that neither end
 * piles up what the other does not want.
 */
public interface TunnelEnd {

    /**
     * The next octets of the stream. They belong to this end from now on.
     *
     * @param bytes what is between its position and its limit
     */
    void data(ByteBuffer bytes);

    /** So many octets given to the other end with {@link #data} have left its hands. */
    void consumed(int bytes);

    /** Nothing more comes, and nothing more is wanted. Calling it again does nothing. */
    void close();
}
