package dev.jitney.server.node;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints that a node sends to others (CL-40, CL-45). Threads of the node port call it, several at a time; it may
 * block.
 */
public interface CheckpointSource {

    /**
     * Makes a checkpoint of all stores.
     *
     * @return its description as a JSON document, with the id of the checkpoint and its files
     * @throws IOException if this node cannot make one now; the message goes to the other node
     */
    String create() throws IOException;

    /**
     * Returns a file of a checkpoint, which does not change.
     *
     * @param checkpoint id of the checkpoint, as sent by the other node: letters, digits, {@code .}, {@code _} and {@code -}
     * @param file name of the file: such words, separated by {@code /}; none of them is {@code .} or {@code ..}
     * @return the file, or null if there is no such checkpoint, or no such file in it
     */
    @Nullable
    Path file(String checkpoint, String file) throws IOException;

    /** Removes a checkpoint. Does nothing if there is no such checkpoint. */
    void release(String checkpoint) throws IOException;
}
