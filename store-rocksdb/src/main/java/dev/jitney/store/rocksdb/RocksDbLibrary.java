package dev.jitney.store.rocksdb;

import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads RocksDB's native code from a directory that keeps it.
 *
 * <p>By default, RocksDB unpacks 17 MB into a new temporary file at every start and removes it only at a clean end:
 * each kill -9 leaves a file behind, and each start is slower. A program that has its own directory calls
 * {@link #load} before it opens the first store.
 */
public final class RocksDbLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(RocksDbLibrary.class);

    private RocksDbLibrary() {}

    /**
     * Loads the native code, unpacking it into the directory if it is not there yet. Only the first call in a process
     * has an effect. If the directory cannot be used (no room, mounted without the right to execute), RocksDB's own
     * way is the fallback. If a folder of {@code java.library.path} contains the code, as in a container image, it is
     * loaded from there and nothing is unpacked.
     *
     * @param directory writable by the user of this process only; created when missing
     */
    public static synchronized void load(Path directory) {
        if (onLibraryPath()) {
            RocksDB.loadLibrary();
            return;
        }
        try {
            Path unpacked = unpack(directory);
            RocksDB.loadLibrary(List.of(unpacked.toAbsolutePath().toString()));
        } catch (IOException | UnsatisfiedLinkError e) {
            LOG.info(
                    "Failed to keep RocksDB's native code in {} ({}). Jitney unpacks it into a temporary file instead.",
                    directory,
                    e.toString());
            RocksDB.loadLibrary();
        }
    }

    private static boolean onLibraryPath() {
        String name = Environment.getJniLibraryFileName("rocksdb");
        for (String folder : System.getProperty("java.library.path", "").split(File.pathSeparator)) {
            if (!folder.isEmpty() && Files.isRegularFile(Path.of(folder, name))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the directory that contains the file. Its name depends on the content, so that an upgrade does not load
     * the old file.
     */
    private static Path unpack(Path directory) throws IOException {
        String inJar = Environment.getJniLibraryFileName("rocksdb");
        URL resource = RocksDB.class.getClassLoader().getResource(inJar);
        if (resource == null) {
            throw new IOException("Expected " + inJar + " among the classes of RocksDB, but it is missing");
        }
        if (!(resource.openConnection() instanceof JarURLConnection connection)) {
            throw new IOException("Expected " + inJar + " in a jar file, but it is at " + resource);
        }
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            JarEntry entry = connection.getJarEntry();
            Path home = directory.resolve("rocksdb-" + Long.toHexString(entry.getCrc()));
            // RocksDB.loadLibrary(paths) expects the file under this name, with "jni" twice.
            Path target = home.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
            if (!Files.exists(target) || Files.size(target) != entry.getSize()) {
                OwnerOnly.createDirectories(home);
                Path partial = Files.createTempFile(home, "unpacking", ".tmp");
                try (InputStream content = jar.getInputStream(entry)) {
                    // Not by Files.copy, which would create the file again, readable by others.
                    try (OutputStream out = Files.newOutputStream(partial)) {
                        content.transferTo(out);
                    }
                    Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                } finally {
                    Files.deleteIfExists(partial);
                }
            }
            return home;
        }
    }
}
