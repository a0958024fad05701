package dev.jitney.server.stores;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a store, in the file {@code jitney.store} of its directory:
 *
 * <table>
 * <caption>jitney.store, version 1</caption>
 * <tr><th>name</th><th>value</th></tr>
 * <tr><td>version</td><td>1</td></tr>
 * <tr><td>set</td><td>the {@link StoreSet} that the store belongs to, a UUID</td></tr>
 * <tr><td>index</td><td>the place of the store in the set, from 0</td></tr>
 * </table>
 *
 * @param set the stores of one data directory together
 * @param index the place of the store among them
 */
record StoreIdentity(UUID set, int index) {
    static final String FILE_NAME = "jitney.store";

    /** Returns the identity of the store in a directory, or null if there is none. */
    static @Nullable StoreIdentity read(Path directory) throws IOException, StoresException {
        Path file = directory.resolve(FILE_NAME);
        Properties values = PropertyFile.read(file);
        if (values == null) {
            return null;
        }
        try {
            return new StoreIdentity(
                    UUID.fromString(values.getProperty("set", "")), Integer.parseInt(values.getProperty("index", "")));
        } catch (IllegalArgumentException e) {
            throw PropertyFile.damaged(file, e);
        }
    }

    void write(Path directory) throws IOException {
        PropertyFile.write(
                directory.resolve(FILE_NAME),
                "The identity of this messaging store. Keep this file with the store.",
                Map.of("set", set.toString(), "index", Integer.toString(index)));
    }
}
