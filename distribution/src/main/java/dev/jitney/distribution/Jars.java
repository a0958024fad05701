package dev.jitney.distribution;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipFile;

/** Class paths from Maven, and jars for an archive. */
final class Jars {
    private static final String ROCKSDB = "rocksdbjni-";
    private static final String NATIVE = "librocksdbjni-";

    private Jars() {}

    /** Returns the jars of a program: its own, then its dependencies. */
    static List<Path> ofModule(Path module, String name, String version) throws IOException {
        Path classPath = module.resolve("target/classpath.txt");
        Path own = module.resolve("target/" + name + "-" + version + ".jar");
        for (Path needed : List.of(classPath, own)) {
            if (!Files.isRegularFile(needed)) {
                throw new ReleaseException("Expected " + needed + ", but it is missing. Run: ./jitney release");
            }
        }
        List<Path> jars = new ArrayList<>();
        jars.add(own);
        for (String jar : Files.readString(classPath).strip().split(java.io.File.pathSeparator)) {
            jars.add(Path.of(jar));
        }
        return jars;
    }

    /** Returns whether this is RocksDB's jar, which has native libraries for a dozen platforms. */
    static boolean isRocksDb(Path jar) {
        return name(jar).startsWith(ROCKSDB);
    }

    static String name(Path jar) {
        return String.valueOf(jar.getFileName());
    }

    /**
     * Copies RocksDB's jar without the native libraries of other platforms. Compressed entries are copied unchanged, so the
     * copy has the same bytes on every machine.
     *
     * @throws ReleaseException if the jar lacks one of the native libraries
     */
    static void reduceRocksDb(Path jar, Set<String> natives, Path target) throws IOException {
        Set<String> missing = new HashSet<>(natives);
        try (ZipFile from = ZipFile.builder().setPath(jar).get();
                ZipArchiveOutputStream to = new ZipArchiveOutputStream(target)) {
            for (ZipArchiveEntry entry : Collections.list(from.getEntriesInPhysicalOrder())) {
                if (!entry.getName().startsWith(NATIVE) || natives.contains(entry.getName())) {
                    missing.remove(entry.getName());
                    try (InputStream raw = from.getRawInputStream(entry)) {
                        to.addRawArchiveEntry(entry, raw);
                    }
                }
            }
        }
        if (!missing.isEmpty()) {
            throw new ReleaseException("Expected " + missing + " in " + name(jar)
                    + ", but they are missing. RocksDB has changed its names: update Platform.");
        }
    }

    /** Returns a jar that contains only a manifest, with a main class and a class path of other jars in its folder. */
    static byte[] program(String mainClass, List<String> classPath, Instant time) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, mainClass);
        attributes.put(Attributes.Name.CLASS_PATH, String.join(" ", classPath));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipArchiveOutputStream jar = new ZipArchiveOutputStream(bytes)) {
            ZipArchiveEntry entry = new ZipArchiveEntry("META-INF/MANIFEST.MF");
            entry.setTimeLocal(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
            jar.putArchiveEntry(entry);
            manifest.write(jar);
            jar.closeArchiveEntry();
        }
        return bytes.toByteArray();
    }
}
