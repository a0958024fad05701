package dev.jitney.server.tls;

import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A writer of small files that are written completely or not at all, readable by their owner only from the first byte
 * on.
 */
final class PrivateFiles {
    private PrivateFiles() {}

    static void write(Path file, byte[] content) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        OwnerOnly.createFile(part);
        try (OutputStream out = Files.newOutputStream(part)) {
            out.write(content);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
