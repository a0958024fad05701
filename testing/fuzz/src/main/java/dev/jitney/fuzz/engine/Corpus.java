package dev.jitney.fuzz.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The kept inputs of a target, a file each: examples to begin with, and inputs that once failed. The name of a file
 * describes it; its content is the exact input.
 */
public final class Corpus {

    /** One input. */
    public record Entry(String name, byte[] input) {}

    private final Path folder;

    /**
     * @param folder folder of the target; need not exist
     */
    public Corpus(Path folder) {
        this.folder = folder;
    }

    public Path folder() {
        return folder;
    }

    /** Returns all inputs in the order of their names. */
    public List<Entry> entries() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Entry> out = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.add(new Entry(file.getFileName().toString(), Files.readAllBytes(file)));
            }
        }
        return out;
    }

    /** Keeps an input under a name derived from its content. */
    public Path keep(byte[] input) throws IOException {
        Files.createDirectories(folder);
        return Files.write(folder.resolve("found-" + digest(input)), input);
    }

    private static String digest(byte[] input) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(input);
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(
                    "Expected every Java runtime to support SHA-256, but this one does not.", e);
        }
    }
}
