package dev.jitney.server.tls;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Writes small files whole or not at all, secret ones readable by their owner only from the first byte on. */
final class PrivateFiles {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private PrivateFiles() {}

    static void write(Path file, byte[] content, boolean secret) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        boolean posix = Files.getFileStore(file.getParent()).supportsFileAttributeView("posix");
        if (secret && posix) {
            Files.createFile(part, OWNER_ONLY);
        } else {
            Files.createFile(part);
        }
        try (OutputStream out = Files.newOutputStream(part)) {
            out.write(content);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
