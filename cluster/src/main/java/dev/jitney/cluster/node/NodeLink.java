package dev.jitney.cluster.node;

import java.io.IOException;

/**
 * Sends requests to the node ports of other members. What arrives there is answered by {@link ClusterNode#answer}. Any thread
 * may call it, several at a time.
 */
@FunctionalInterface
public interface NodeLink {
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
     * @throws IOException if the member cannot be reached within a few seconds, or refuses; the message has its reason
     */
    byte[] ask(ClusterMember to, String request, byte[] body) throws IOException;
}
