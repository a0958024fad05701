package dev.jitney.gateway.http.console;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** Random texts of 256 bits in base64url, for cookies and logins, and their digests. Any thread may call it. */
final class RandomTexts {
    /** The length of a text, and of a digest. */
    static final int CHARACTERS = 43;

    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomTexts() {}

    /** Returns a new text. */
    static String fresh() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the SHA-256 of a text in base64url, as a key for look-ups whose time does not depend on the secret, and for PKCE. */
    static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected SHA-256 in this Java runtime, but it is missing.", e);
        }
    }
}
