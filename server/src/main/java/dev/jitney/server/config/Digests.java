package dev.jitney.server.config;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests that identify contents. */
public final class Digests {
    private Digests() {}

    /** Returns the SHA-256 of the content in hexadecimal. */
    public static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected every Java runtime to support SHA-256.", e);
        }
    }
}
