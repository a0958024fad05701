package dev.jitney.runtime;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts the keys of access rules in rows with a key of the operator (AES-256-GCM). Rows keep their format: an encrypted key is a text
 * that begins with a control character, which no key has.
 *
 * <table>
 * <caption>An encrypted key, version 1</caption>
 * <tr><th>part</th><th>meaning</th></tr>
 * <tr><td>U+0001 "sealed1:"</td><td>form and version</td></tr>
 * <tr><td>16 hexadecimal digits and ":"</td><td>id of the operator's key: the start of its SHA-256</td></tr>
 * <tr><td>Base64</td><td>nonce of 12 bytes, encrypted key in UTF-8, tag of 16 bytes</td></tr>
 * </table>
 *
 * <p>The name of the rule is authenticated too, so that a key cannot be moved to another rule. Immutable, for any thread.
 */
public final class KeySeal {
    /** Encrypts nothing, and decrypts nothing. */
    public static final KeySeal NONE = new KeySeal(List.of(), false);

    /** Leaves encrypted keys as they are, for programs that need no keys. */
    public static final KeySeal UNOPENED = new KeySeal(List.of(), false);

    private static final String FORM = "\u0001sealed1:";
    private static final String OFF = "none";
    private static final int KEY_BYTES = 32;
    private static final int KEYS_MAX = 16;
    private static final int ID_DIGITS = 16;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final List<SealKey> keys;
    private final boolean seals;

    private KeySeal(List<SealKey> keys, boolean seals) {
        this.keys = List.copyOf(keys);
        this.seals = seals;
    }

    /** One key of the operator. */
    private static final class SealKey {
        private final String id;
        private final SecretKeySpec cipher;
        private final SecretKeySpec hash;

        SealKey(byte[] bytes) {
            id = HexFormat.of().formatHex(sha256(bytes)).substring(0, ID_DIGITS);
            cipher = new SecretKeySpec(bytes, "AES");
            hash = new SecretKeySpec(bytes, "HmacSHA256");
        }
    }

    /**
     * Reads the content of a key file: keys in Base64, one on each line. The first one encrypts, and the others decrypt what was encrypted
     * before. If the first line is {@code none}, nothing is encrypted any more. Empty lines and lines that begin with # are ignored.
     *
     * @throws IllegalArgumentException if it has another form; the message has no secret
     */
    public static KeySeal parse(String content) {
        List<String> lines = content.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
        if (lines.isEmpty() || lines.size() > KEYS_MAX) {
            throw new IllegalArgumentException("Expected 1 to " + KEYS_MAX + " lines with keys, but got " + lines.size()
                    + ". Make a key with: openssl rand -base64 32");
        }
        boolean off = lines.get(0).equalsIgnoreCase(OFF);
        List<SealKey> keys = new ArrayList<>();
        for (int i = off ? 1 : 0; i < lines.size(); i++) {
            keys.add(new SealKey(decoded(lines.get(i), i + 1)));
        }
        return new KeySeal(keys, !off);
    }

    private static byte[] decoded(String line, int number) {
        byte[] bytes = {};
        try {
            bytes = Base64.getDecoder().decode(line);
        } catch (IllegalArgumentException e) {
            // reported below
        }
        if (bytes.length != KEY_BYTES) {
            throw new IllegalArgumentException("Expected a key of " + KEY_BYTES + " bytes in Base64 in line " + number
                    + ", but it has another form. Make one with: openssl rand -base64 32");
        }
        return bytes;
    }

    /** Returns the id of the key that encrypts, or empty text if nothing is encrypted. */
    public String currentId() {
        return seals ? keys.get(0).id : "";
    }

    /** Returns whether one of the keys has this id; true for empty text, which means no encryption. */
    public boolean knows(String id) {
        return id.isEmpty() || keys.stream().anyMatch(key -> key.id.equals(id));
    }

    /** Returns the ids of all keys, for messages. */
    public String ids() {
        return keys.isEmpty() ? "no key" : keys.stream().map(key -> key.id).collect(Collectors.joining(", "));
    }

    /**
     * Encrypts a key, or returns it if nothing is encrypted.
     *
     * @param rule the name of the rule, which must be the same in {@link #open}
     */
    public String seal(String rule, String key) {
        if (!seals) {
            return key;
        }
        SealKey current = keys.get(0);
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        try {
            byte[] hidden =
                    cipher(Cipher.ENCRYPT_MODE, current, nonce, rule).doFinal(key.getBytes(StandardCharsets.UTF_8));
            byte[] all = Arrays.copyOf(nonce, nonce.length + hidden.length);
            System.arraycopy(hidden, 0, all, nonce.length, hidden.length);
            return FORM + current.id + ":" + Base64.getEncoder().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected every Java runtime to support AES/GCM.", e);
        }
    }

    /** Decrypts a key, or returns it if it is not encrypted. Returns null if no key decrypts it, or if it was changed. */
    public @Nullable String open(String rule, String stored) {
        if (this == UNOPENED || !stored.startsWith(FORM)) {
            return stored;
        }
        int idEnd = FORM.length() + ID_DIGITS;
        if (stored.length() <= idEnd || stored.charAt(idEnd) != ':') {
            return null;
        }
        String id = stored.substring(FORM.length(), idEnd);
        for (SealKey key : keys) {
            if (key.id.equals(id)) {
                return open(rule, key, stored.substring(idEnd + 1));
            }
        }
        return null;
    }

    private static @Nullable String open(String rule, SealKey key, String text) {
        try {
            byte[] all = Base64.getDecoder().decode(text);
            if (all.length < NONCE_BYTES) {
                return null;
            }
            byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
            byte[] shown =
                    cipher(Cipher.DECRYPT_MODE, key, nonce, rule).doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
            return new String(shown, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return null;
        }
    }

    private static Cipher cipher(int mode, SealKey key, byte[] nonce, String rule) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key.cipher, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(rule.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    /**
     * Returns fingerprints of a text that has secrets. The first one is to be stored; any of them proves that a text is the same. With a key
     * a fingerprint does not allow guesses at the secrets.
     */
    public List<String> fingerprints(byte[] text) {
        List<String> all = new ArrayList<>();
        for (SealKey key : keys) {
            all.add("hmac:" + HexFormat.of().formatHex(hmac(key, text)));
        }
        all.add(seals ? all.size() : 0, HexFormat.of().formatHex(sha256(text)));
        return all;
    }

    private static byte[] hmac(SealKey key, byte[] text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key.hash);
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected every Java runtime to support HmacSHA256.", e);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Expected every Java runtime to support SHA-256.", e);
        }
    }

    /** Omits the keys. */
    @Override
    public String toString() {
        return "KeySeal[" + (seals ? currentId() : OFF) + "]";
    }
}
