package dev.jitney.server.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file with one key of an access rule, which may change while the server runs.
 *
 * @param namespace the namespace of the rule
 * @param entity the queue or topic that owns the rule, or null for the namespace
 * @param rule the name of the rule
 * @param primary whether it is the primary key, and not the secondary one
 */
public record KeySource(String namespace, @Nullable String entity, String rule, boolean primary, Path file) {
    private static final int CHARACTERS_MAX = 256;

    /**
     * Reads the key. Blanks and line ends around it are ignored.
     *
     * @throws IOException if the file cannot be read or has no key; the message has no secret
     */
    public static String read(Path file) throws IOException {
        if (Files.size(file) > 4 * CHARACTERS_MAX) {
            throw new IOException(
                    "Expected a key of at most " + CHARACTERS_MAX + " characters, but the file is longer");
        }
        String key = Files.readString(file, StandardCharsets.UTF_8).strip();
        if (key.isEmpty()) {
            throw new IOException("Expected a key, but the file is empty");
        }
        if (key.length() > CHARACTERS_MAX || key.chars().anyMatch(c -> c <= ' ' || c == ';')) {
            throw new IOException("Expected a key of 1 to " + CHARACTERS_MAX
                    + " characters without spaces or ';', but it has others");
        }
        return key;
    }

    /** Returns the rule for people. */
    @Override
    public String toString() {
        return (primary ? "the primary" : "the secondary") + " key of rule '" + rule + "' of "
                + (entity == null
                        ? "namespace '" + namespace + "'"
                        : "'" + entity + "' in namespace '" + namespace + "'");
    }
}
