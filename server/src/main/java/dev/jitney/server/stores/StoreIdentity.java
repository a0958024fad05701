package dev.jitney.server.stores;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which store a directory holds, in the file {@code jitney.store} of it:
 *
 * <table>
 * <caption>jitney.store, version 1</caption>
 * <tr><th>name</th><th>value</th></tr>
 * <tr><td>version</td><td>1</td></tr>
 * <tr><td>set</td><td>the {@link StoreSet} it belongs to, a UUID</td></tr>
 * <tr><td>index</td><td>its place among the stores of the set, from 0</td></tr>
 * </table>
 *
 * @param set the stores of one data directory together
 * @param index its place among them
 */
record StoreIdentity(UUID set, int index) {
    static final String FILE_NAME = "jitney.store";

    /** The store in a directory, or null if there is none. */
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
                "Which messaging store this is. Keep it with the store.",
                Map.of("set", set.toString(), "index", Integer.toString(index)));
    }
}
