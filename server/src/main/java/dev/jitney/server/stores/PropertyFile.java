package dev.jitney.server.stores;

import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The format of small files with names and values, which are written completely or not at all, even at a power failure.
 * The value {@value #CHECKSUM} is the CRC-32C, in hexadecimal, of the other values as {@code name=value} lines in the
 * order of their names; older files have none.
 */
final class PropertyFile {
    private static final String VERSION = "1";
    private static final String CHECKSUM = "checksum";
    private static final int BYTES_MAX = 1 << 20;

    private PropertyFile() {}

    /** Returns the values of the file, or null if it does not exist. */
    static @Nullable Properties read(Path file) throws IOException, StoresException {
        Properties values = new Properties();
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw StoresException.fault("Expected " + file + " to have at most " + BYTES_MAX + " bytes, but it has "
                        + Files.size(file) + " bytes. Restore it from a backup.");
            }
            values.load(new StringReader(Files.readString(file, StandardCharsets.UTF_8)));
        } catch (NoSuchFileException e) {
            return null;
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw damaged(file, e);
        }
        if (!VERSION.equals(values.getProperty("version"))) {
            throw StoresException.fault("Expected " + file + " to have version " + VERSION + ", but it has version "
                    + values.getProperty("version") + ". If a newer version wrote it, start that version.");
        }
        String checksum = values.getProperty(CHECKSUM);
        if (checksum != null && !checksum.equals(checksum(values))) {
            throw damaged(file, null);
        }
        return values;
    }

    static StoresException damaged(Path file, @Nullable Throwable cause) {
        String text = file + " is corrupt. Restore it from a backup.";
        return cause == null ? StoresException.fault(text) : StoresException.fault(text, cause);
    }

    private static String checksum(Properties values) {
        CRC32C crc = new CRC32C();
        new TreeMap<>(values).forEach((name, value) -> {
            if (!CHECKSUM.equals(name)) {
                crc.update((name + "=" + value + "\n").getBytes(StandardCharsets.UTF_8));
            }
        });
        return Long.toHexString(crc.getValue());
    }

    static void write(Path file, String comment, Map<String, String> values) throws IOException {
        Properties all = new Properties();
        all.put("version", VERSION);
        all.putAll(values);
        all.put(CHECKSUM, checksum(all));
        StringBuilder text = new StringBuilder("# ").append(comment).append('\n');
        new TreeMap<>(all)
                .forEach((name, value) -> text.append(name)
                        .append('=')
                        .append(value.toString().replace("\\", "\\\\").replace("\n", "\\n"))
                        .append('\n'));
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (FileChannel out = OwnerOnly.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        sync(file.getParent());
    }

    /** Makes the names in a directory durable, if the operating system supports it. */
    static void sync(@Nullable Path directory) throws IOException {
        if (directory != null
                && directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
