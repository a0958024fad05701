package dev.jitney.distribution;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The file of checksums for {@code sha256sum -c}. */
final class Checksums {
    private Checksums() {}

    /** Returns lines of checksum and name, in the order of the names. */
    static String of(List<Path> files) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (Path file : files.stream().sorted().toList()) {
            lines.append(sha256(file)).append("  ").append(file.getFileName()).append('\n');
        }
        return lines.toString();
    }

    static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            MessageDigest digest = digest();
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        }
    }

    static String sha256(byte[] content) {
        return HexFormat.of().formatHex(digest().digest(content));
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is a part of every Java", e);
        }
    }
}
