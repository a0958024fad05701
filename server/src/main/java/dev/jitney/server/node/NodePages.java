package dev.jitney.server.node;

import java.io.IOException;

/**
 * The content of the pages of a node. Event loops call {@link #health}, {@link #synced} and {@link #cluster}, so these must not
 * block.
 */
public interface NodePages {

    /** Returns the health of this node (CL-80). */
    NodeHealth health();

    /** Returns the health of this node, which is unhealthy also while it is not a voting member in sync (CL-51, CL-63). */
    NodeHealth synced();

    /** Returns the state of the cluster as this node sees it, as a JSON document (CL-81). */
    String cluster();

    /**
     * Returns the metrics of this node in the text format of Prometheus (CL-82). It may block: no event loop calls it.
     *
     * @throws IOException if the page cannot be written
     */
    String metrics() throws IOException;

    /**
     * Moves leadership to a node (CL-17). Returns when that node leads. It may block: no event loop calls it.
     *
     * @param node name of the node, as the request has it
     * @throws IOException if this node does not lead, or the other node cannot lead; the message is the answer
     */
    void lead(String node) throws IOException;

    /**
     * Begins to add a node to the cluster (CL-55). It may block: no event loop calls it.
     *
     * @param node the node, as NAME=HOST:PORT or NAME=HOST:PORT:NODE-PORT
     * @return false if the node that answers there is a member already
     * @throws IOException if this node does not lead, or the node cannot be added; the message is the answer
     */
    boolean add(String node) throws IOException;

    /**
     * Removes a member (CL-52, CL-55). It may block: no event loop calls it.
     *
     * @param node name of the member, as the request has it
     * @throws IOException if this node does not lead, or the member cannot be removed; the message is the answer
     */
    void remove(String node) throws IOException;

    /**
     * Applies a configuration file to the namespaces, again or for the first time (CL-32). It may block: no event loop calls it.
     *
     * @param file the content of the file
     * @return sentences about the changes, one for each line
     * @throws IOException if this node does not lead, or the file is refused; the message is the answer
     */
    String apply(byte[] file) throws IOException;

    /**
     * Raises the level of the cluster to the highest one that all members support (CL-61). It may block: no event loop calls it.
     *
     * @return sentences with the level before and after
     * @throws IOException if this node does not lead, or a member is not ready; the message is the answer
     */
    String upgrade() throws IOException;

    /**
     * Returns the state of the comparison of all nodes, as a JSON document (CL-85). It may block: no event loop calls it.
     *
     * @param begin whether to begin one, unless one runs
     * @throws IOException if this node does not lead, or has begun none; the message is the answer
     */
    String verify(boolean begin) throws IOException;
}
