package dev.jitney.simulation.model.row;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Which fragment of a partitioned entity a key belongs to; the broker's own code has no say here. */
public final class PartitionHash {
    private PartitionHash() {}

    /** PART-25: the first four bytes of the SHA-256, as a number without a sign, modulo the number of fragments. */
    public static int fragment(String key, int fragments) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return (int) ((RowBytes.int32(hash, 0) & 0xffff_ffffL) % fragments);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected SHA-256.", e);
        }
    }
}
