package dev.jitney.cluster.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Small files that are either old or new after a power failure. */
public final class DurableFiles {
    private DurableFiles() {}

    /** Replaces the content of a file. It is on disk when this method returns. */
    public static void replace(Path file, String content) throws IOException {
        replace(file, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Replaces the content of a file. It is on disk when this method returns. */
    public static void replace(Path file, byte[] content) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        if (directory != null) {
            sync(directory);
        }
    }

    /** Syncs a directory, so that its names are on disk. */
    public static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
