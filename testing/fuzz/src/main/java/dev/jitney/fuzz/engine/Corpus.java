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
 * Inputs of a target that are kept, a file each: examples to begin with, and what once failed. A name says what a file is
 * about; the content is the input, octet for octet.
 */
public final class Corpus {

    /** One input. */
    public record Entry(String name, byte[] input) {}

    private final Path folder;

    /** @param folder the target's own; need not be there */
    public Corpus(Path folder) {
        this.folder = folder;
    }

    public Path folder() {
        return folder;
    }

    /** All inputs by their names. */
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

    /** Keeps an input under a name made of its content. */
    public Path keep(byte[] input) throws IOException {
        Files.createDirectories(folder);
        return Files.write(folder.resolve("found-" + digest(input)), input);
    }

    private static String digest(byte[] input) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(input);
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected every Java runtime to know SHA-256.", e);
        }
    }
}
