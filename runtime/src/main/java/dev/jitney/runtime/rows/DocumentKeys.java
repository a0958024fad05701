package dev.jitney.runtime.rows;

import dev.jitney.runtime.Documents;
import dev.jitney.runtime.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * The keys of documents in {@link dev.jitney.runtime.store.Table#META}: {@code document/}, the name of the namespace in lower case,
 * a slash, the word of the kind, a slash, and the id in 8 bytes.
 */
public final class DocumentKeys {
    private static final String PREFIX = "document/";
    private static final byte[] PREFIX_BYTES = PREFIX.getBytes(StandardCharsets.US_ASCII);

    private DocumentKeys() {}

    static byte[] of(String namespace, Documents.Kind kind, long id) {
        byte[] start = bytes(PREFIX + namespace.toLowerCase(Locale.ROOT) + "/" + kind.word() + "/");
        return ByteBuffer.allocate(start.length + Long.BYTES)
                .put(start)
                .putLong(id)
                .array();
    }

    static byte[] start(String namespace) {
        return bytes(PREFIX + namespace.toLowerCase(Locale.ROOT) + "/");
    }

    /** Returns the key after all documents of a namespace: it ends with the character after the slash. */
    static byte[] end(String namespace) {
        return bytes(PREFIX + namespace.toLowerCase(Locale.ROOT) + "0");
    }

    static long idOf(byte[] key) throws StoreException {
        if (key.length < PREFIX_BYTES.length + Long.BYTES) {
            throw new StoreException(
                    StoreException.Reason.CORRUPT, "Expected the key of a document, but got " + key.length + " bytes.");
        }
        return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    }

    /** Returns whether a key of the table belongs to a document. */
    public static boolean isDocument(byte[] key) {
        return key.length > PREFIX_BYTES.length
                && Arrays.equals(key, 0, PREFIX_BYTES.length, PREFIX_BYTES, 0, PREFIX_BYTES.length);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
