package dev.jitney.cluster.checkpoint;

import java.io.IOException;

/** The files of checkpoints on a member: on the leader itself, or from another node over the network. */
public interface CheckpointFiles {

    /**
     * Makes a checkpoint of all stores.
     *
     * @throws IOException if that is not possible now
     */
    CheckpointManifest make() throws IOException;

    /**
     * Returns the CRC-32C of a file.
     *
     * @param checkpoint its id
     * @param store      number of the store
     * @param file       name of the file
     * @throws IOException if the checkpoint is not there any more
     */
    int checksum(String checkpoint, int store, String file) throws IOException;

    /**
     * Returns bytes of a file.
     *
     * @param offset where to begin
     * @param length the number of bytes, at most {@link CheckpointManifest#CHUNK_BYTES}
     * @return so many bytes
     * @throws IOException if the checkpoint is not there any more, or does not have these bytes
     */
    byte[] read(String checkpoint, int store, String file, long offset, int length) throws IOException;

    /** Removes a checkpoint, because it is not needed any more. */
    void release(String checkpoint) throws IOException;
}
