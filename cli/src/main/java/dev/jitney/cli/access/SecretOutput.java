package dev.jitney.cli.access;

import dev.jitney.cli.output.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The place of a new connection string: standard output, or a new file with mode 0600. The file is created before the server changes
 * anything, so that a key is never lost because its file cannot be written.
 */
final class SecretOutput {
    @Option(
            names = "--to-file",
            paramLabel = "FILE",
            description =
                    "Write the connection string to this new file, which only you can read (mode 0600), and not to"
                            + " standard output.")
    private @Nullable Path file;

    private final Map<String, Path> reserved = new LinkedHashMap<>();

    /**
     * Creates the empty file for one rule.
     *
     * @param suffix added to the name of the file, for a command with several rules, or empty text
     * @throws Failure if the file exists or cannot be created
     */
    void reserve(String rule, String suffix) {
        if (file == null) {
            return;
        }
        Path path = file.resolveSibling(file.getFileName() + suffix);
        try {
            if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.newByteChannel(
                                path,
                                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                        .close();
            } else {
                Files.createFile(path);
            }
            reserved.put(rule, path);
        } catch (FileAlreadyExistsException e) {
            discard();
            throw Failure.badOption("--to-file: Expected a new file, but " + path + " exists. Choose another name.");
        } catch (IOException e) {
            discard();
            throw Failure.badOption("--to-file: The file " + path + " cannot be created (" + e + ").");
        }
    }

    /** Deletes the files that are still empty, after a failure. */
    void discard() {
        for (Path path : reserved.values()) {
            try {
                if (Files.size(path) == 0) {
                    Files.delete(path);
                }
            } catch (IOException e) {
                // An empty file is left. It has no secret.
            }
        }
        reserved.clear();
    }

    /**
     * Writes the connection string to the file of the rule, or adds it to the document for standard output.
     *
     * @return the members to print
     */
    Map<String, @Nullable Object> put(String rule, String connectionString) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        Path path = reserved.get(rule);
        if (path == null) {
            members.put("connectionString", connectionString);
            return members;
        }
        try {
            Files.writeString(path, connectionString + System.lineSeparator(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new Failure(
                    Failure.FAULT,
                    "The connection string of '" + rule + "' cannot be written to " + path + " (" + e
                            + "). Make a new key: jitney access rotate " + rule,
                    e);
        }
        members.put("file", path.toString());
        return members;
    }
}
