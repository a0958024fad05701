package dev.jitney.server.cli;

import dev.jitney.runtime.KeySeal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a server for secrets in files. */
final class SecretsOptions {
    private static final int BYTES_MAX = 4_096;
    private static final String ROOT = "RootManageSharedAccessKey";

    @Option(
            names = "--secrets-dir",
            paramLabel = "D",
            description =
                    "Directory with one file for each key of an access rule, as a Kubernetes secret is mounted. The"
                            + " file RULE or NAMESPACE.RULE has the primary key of a rule of a namespace, and"
                            + " NAMESPACE.ENTITY.RULE that of a queue or topic, with __ for each slash; .secondary at the"
                            + " end names the secondary key. Files are read again when they change (default: none).")
    private @Nullable Path secretsDir;

    @Option(
            names = "--secrets-key-file",
            paramLabel = "FILE",
            description =
                    "File with the key that encrypts the keys of access rules in the data directory (AES-256-GCM): 32"
                            + " bytes in Base64, as 'openssl rand -base64 32' prints. Further lines have older keys, which"
                            + " only decrypt. The first line 'none' ends the encryption. The same on all nodes of a"
                            + " cluster (default: no encryption).")
    private @Nullable Path secretsKeyFile;

    /** Returns the directory, or null. */
    @Nullable
    Path directory(Function<String, ParameterException> bad) {
        if (secretsDir != null && !Files.isDirectory(secretsDir)) {
            throw bad.apply("--secrets-dir " + secretsDir + ": Expected a directory, but there is none.");
        }
        return secretsDir;
    }

    /** Returns the file of the root key in the directory, or null. */
    @Nullable
    Path rootKeyFile() {
        Path file = secretsDir == null ? null : secretsDir.resolve(ROOT);
        return file != null && Files.isRegularFile(file) ? file : null;
    }

    /** Returns the seal for the keys in stores. */
    KeySeal seal(Function<String, ParameterException> bad) {
        if (secretsKeyFile == null) {
            return KeySeal.NONE;
        }
        try {
            if (Files.size(secretsKeyFile) > BYTES_MAX) {
                throw bad.apply("--secrets-key-file " + secretsKeyFile + ": Expected at most " + BYTES_MAX
                        + " bytes, but got " + Files.size(secretsKeyFile) + ".");
            }
            return KeySeal.parse(Files.readString(secretsKeyFile, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw bad.apply("--secrets-key-file " + secretsKeyFile + ": The file cannot be read (" + e + ").");
        } catch (IllegalArgumentException e) {
            throw bad.apply("--secrets-key-file " + secretsKeyFile + ": " + e.getMessage());
        }
    }

    /** Returns the file of the option for the key, for checks of its permissions, or null. */
    @Nullable
    Path keyFile() {
        return secretsKeyFile;
    }

    /** Returns the directory without a check, or null. */
    @Nullable
    Path directory() {
        return secretsDir;
    }
}
