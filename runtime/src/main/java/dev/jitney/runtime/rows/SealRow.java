package dev.jitney.runtime.rows;

import dev.jitney.runtime.KeySeal;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;

/**
 * The row that says with which key of the operator the access keys in a store are encrypted: in {@link Table#META}, key {@code
 * access-keys}. Without the row, they are not encrypted.
 */
final class SealRow {
    static final byte[] KEY = "access-keys".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;

    /** A known text, encrypted with the key. It detects another key with the same id. */
    private static final String PROBE = "jitney";

    private SealRow() {}

    static byte[] write(KeySeal seal) {
        return new RowOutput(128)
                .u8(VERSION)
                .text(seal.currentId())
                .text(seal.seal(PROBE, PROBE))
                .toBytes();
    }

    /**
     * Returns whether all access keys of a store are stored as this seal stores them.
     *
     * @throws StoreException if this seal cannot decrypt them
     */
    static boolean isCurrent(MessagingStore store, KeySeal seal) throws StoreException {
        byte[] value = store.get(Table.META, KEY);
        if (value == null) {
            return seal.currentId().isEmpty();
        }
        RowInput in = new RowInput(value, VERSION, VERSION, "access keys");
        String id = in.text();
        String probe = in.text();
        in.end();
        if (!seal.knows(id) || !PROBE.equals(seal.open(PROBE, probe))) {
            throw new StoreException(
                    StoreException.Reason.IO,
                    "Expected --secrets-key-file with the key " + id + ", because the access keys in the store are"
                            + " encrypted with it, but got " + seal.ids()
                            + ". Add this key to the file, also as a later"
                            + " line. Nothing was changed");
        }
        return id.equals(seal.currentId());
    }
}
