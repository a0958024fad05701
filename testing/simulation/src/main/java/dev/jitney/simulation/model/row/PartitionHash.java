package dev.jitney.simulation.model.row;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The assignment of keys to fragments of a partitioned entity, without the code of the broker. */
public final class PartitionHash {
    private PartitionHash() {}

    /**
     * Returns the fragment index: the first four bytes of the SHA-256 as an unsigned number, modulo the number of
     * fragments (PART-25).
     */
    public static int fragment(String key, int fragments) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return (int) ((RowBytes.int32(hash, 0) & 0xffff_ffffL) % fragments);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected SHA-256 to be available, but it is not.", e);
        }
    }
}
