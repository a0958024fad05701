package dev.jitney.server.stores;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The messaging stores that belong together, in the file {@code stores.properties} of the data directory:
 *
 * <table>
 * <caption>stores.properties, version 1</caption>
 * <tr><th>name</th><th>value</th></tr>
 * <tr><td>version</td><td>1</td></tr>
 * <tr><td>set</td><td>a UUID, created with the stores</td></tr>
 * <tr><td>state</td><td>{@code making} until all stores have been open once, then {@code made}</td></tr>
 * <tr><td>place.0, place.1, ...</td><td>the last directory of each store, for people only: disks may be mounted elsewhere</td></tr>
 * </table>
 *
 * @param id the value in the {@linkplain StoreIdentity identities} of its stores
 * @param made true if all stores have existed once, so that a missing store is not created again
 * @param places the last directories of the stores
 */
record StoreSet(UUID id, boolean made, List<Path> places) {
    static final String FILE_NAME = "stores.properties";
    private static final String PLACE = "place.";

    StoreSet {
        places = List.copyOf(places);
    }

    /** Returns the set of a data directory, or null if it has none yet. */
    static @Nullable StoreSet read(Path dataDir) throws IOException, StoresException {
        Path file = dataDir.resolve(FILE_NAME);
        Properties values = PropertyFile.read(file);
        if (values == null) {
            return null;
        }
        try {
            List<Path> places = new ArrayList<>();
            for (String place = values.getProperty(PLACE + 0); place != null; ) {
                places.add(Path.of(place));
                place = values.getProperty(PLACE + places.size());
            }
            return new StoreSet(
                    UUID.fromString(values.getProperty("set", "")), "made".equals(values.getProperty("state")), places);
        } catch (IllegalArgumentException e) {
            throw PropertyFile.damaged(file, e);
        }
    }

    void write(Path dataDir) throws IOException {
        Map<String, String> values = new HashMap<>();
        values.put("set", id.toString());
        values.put("state", made ? "made" : "making");
        for (int i = 0; i < places.size(); i++) {
            values.put(PLACE + i, places.get(i).toString());
        }
        PropertyFile.write(dataDir.resolve(FILE_NAME), "The messaging stores of this data directory.", values);
    }
}
