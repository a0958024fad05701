package dev.jitney.cli.transfer;

import dev.jitney.cli.output.Failure;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file of an export. It is written as FILE.part with mode 0600, because messages may be confidential, and moved over FILE when it
 * is complete. So FILE is always a complete export. A device or a pipe is written directly. For one thread.
 */
final class ExportFile implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final Path target;
    private final Path part;
    private final FileChannel channel;
    private final PrintStream out;
    /** Identifies the file, or is null where the file system does not identify files. */
    private final @Nullable Object key;

    private boolean stays;

    private ExportFile(Path target, Path part, FileChannel channel, @Nullable Object key) {
        this.target = target;
        this.part = part;
        this.channel = channel;
        this.key = key;
        out = new PrintStream(
                new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER), false, StandardCharsets.UTF_8);
    }

    /** Begins to write a file. What an earlier export left as FILE.part is deleted. */
    static ExportFile begin(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            return new ExportFile(file, file, FileChannel.open(file, StandardOpenOption.WRITE), null);
        }
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        Path part = target.resolveSibling(target.getFileName() + ".part");
        Files.deleteIfExists(part);
        FileAttribute<?>[] owner =
                part.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        FileChannel channel =
                FileChannel.open(part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), owner);
        return new ExportFile(target, part, channel, key(part));
    }

    private static @Nullable Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    PrintStream out() {
        return out;
    }

    /** Returns whether FILE changes only when the export is complete. */
    private boolean isSeparate() {
        return !part.equals(target);
    }

    /** Moves the complete export over FILE. */
    void complete() throws IOException {
        out.flush();
        if (!isSeparate()) {
            return;
        }
        channel.force(true);
        if (!Objects.equals(key, key(part))) {
            stays = true;
            throw new Failure(
                    Failure.FAULT,
                    "--file: Expected to be the only export to " + part + ", but another one has replaced it.");
        }
        out.close();
        Files.move(part, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        stays = true; // another export may have begun to write a file of this name
    }

    /**
     * Leaves the incomplete export where it is.
     *
     * @return a sentence about its place
     */
    String leave() {
        stays = true;
        return isSeparate() ? "It is in " + part + "." : "";
    }

    @Override
    public void close() throws IOException {
        out.close();
        if (isSeparate() && !stays) {
            Files.deleteIfExists(part);
        }
    }
}
