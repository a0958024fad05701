package dev.jitney.server.node;

import java.io.IOException;

/** Answers the requests of other nodes. It may block; threads of the node port call it, several at a time. */
@FunctionalInterface
public interface NodeTraffic {

    /**
     * Answers a request.
     *
     * @param request its name: lowercase letters and hyphens
     * @param body    its body
     * @throws IOException if this node refuses it; the message goes to the other node
     */
    byte[] answer(String request, byte[] body) throws IOException;
}
