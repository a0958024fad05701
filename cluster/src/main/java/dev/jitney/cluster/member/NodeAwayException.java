package dev.jitney.cluster.member;

import java.io.IOException;

/**
 * No program listens at the node port of a member, or its machine cannot be reached. Every other failure of a request means that
 * the member may run.
 */
public final class NodeAwayException extends IOException {
    private static final long serialVersionUID = 1L;

    public NodeAwayException(String message) {
        super(message);
    }

    public NodeAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
