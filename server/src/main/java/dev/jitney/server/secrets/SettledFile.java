package dev.jitney.server.secrets;

import dev.jitney.server.config.KeySource;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A key in a file that may be replaced at any time: by a rename, by a symbolic link to another directory as Kubernetes does, or by
 * a program that writes into it. A new key counts when two consecutive looks have found it. For one thread.
 */
final class SettledFile {
    private final Path file;
    private @Nullable String seen;
    private @Nullable String current;
    private @Nullable String trouble;

    SettledFile(Path file) {
        this.file = file;
    }

    /** The result of a look: a key that is new, or a trouble that is new, or neither. */
    record Look(@Nullable String key, @Nullable String trouble) {
        private static final Look NOTHING = new Look(null, null);
    }

    /** Sets the key in use at the start. */
    void begin(String key) {
        current = key;
        seen = key;
    }

    /** Notes that the key could not be put in force, so that the next look returns it again. */
    void notInForce() {
        current = null;
    }

    /** Reads the file. Each trouble is returned once, until the file is good again. */
    Look look() {
        String found;
        try {
            found = KeySource.read(file);
        } catch (IOException e) {
            seen = null;
            String text = file + ": " + e.getMessage();
            boolean known = text.equals(trouble);
            trouble = text;
            return known ? Look.NOTHING : new Look(null, text);
        }
        boolean settled = found.equals(seen);
        seen = found;
        if (!settled) {
            return Look.NOTHING;
        }
        trouble = null;
        if (found.equals(current)) {
            return Look.NOTHING;
        }
        current = found;
        return new Look(found, null);
    }
}
