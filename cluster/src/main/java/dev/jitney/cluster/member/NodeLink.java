package dev.jitney.cluster.member;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Sends requests to the node ports of other members. What arrives there is answered by the node's {@code ClusterNode}. Any thread
 * may call it, several at a time.
 */
@FunctionalInterface
public interface NodeLink {
    /** The request of any node for the introduction of another one. */
    String HELLO = "hello";

    /** The request of a new node to the leader, which takes it in. */
    String JOIN = "join";

    /** The maximum size of the body of a request, bytes. */
    int REQUEST_BYTES_MAX = 1 << 16;

    /** The maximum size of an answer, bytes. */
    int ANSWER_BYTES_MAX = 16 << 20;

    /**
     * Sends a request and waits for the answer.
     *
     * @param to      the member
     * @param request the name of the request: lowercase letters and hyphens
     * @param body    the body
     * @return the answer
     * @throws NodeAwayException if the connection is refused, or the member cannot be reached within a few seconds
     * @throws IOException if the member refuses, or there is no answer; the message has its reason
     */
    byte[] ask(ClusterMember to, String request, byte[] body) throws IOException;

    /**
     * Keeps a connection that carries nothing to the node port of a member, and waits until the process of the member has ended.
     * That is certain if its operating system closes the connection and then refuses new ones to both ports of the node.
     *
     * @param of     the member
     * @param wanted returns whether the caller still waits; read several times a second
     * @return true if the process has ended; false if the caller does not wait any more
     * @throws IOException if nothing is known about the process, for example because there is no connection, or it broke in another
     *     way. The default always throws it
     */
    default boolean awaitEnd(ClusterMember of, BooleanSupplier wanted) throws IOException {
        throw new IOException("This link does not notice the end of processes.");
    }
}
