package dev.jitney.server.secrets;

import dev.jitney.runtime.KeySeal;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The options for secrets in files.
 *
 * @param sasKeyFile the file with the key of the root rules, or null
 * @param seal encrypts the keys of access rules in the stores
 */
public record Secrets(@Nullable Path sasKeyFile, KeySeal seal) {
    /** No files. */
    public static final Secrets NONE = new Secrets(null, KeySeal.NONE);
}
