package dev.jitney.server.node;

/** The content of the pages of a node. Event loops call it, so it must not block. */
public interface NodePages {

    /** Returns the health of this node (CL-80). */
    NodeHealth health();

    /** Returns the state of the cluster as this node sees it, as a JSON document (CL-81). */
    String cluster();
}
