package dev.jitney.testkit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The jars of the broker as files. They are nested in the jar {@code jitney-testkit-broker}, and are unpacked once into a folder
 * below {@code java.io.tmpdir} that only its owner can use. Later starts compare the files with the sizes and checksums of the
 * nested jars. In a build of Jitney itself they are the class path of the module, without a copy.
 */
final class BrokerJars {
    static final String INDEX = "META-INF/jitney/broker.properties";
    private static final String NESTED = "META-INF/jitney/broker/";
    private static final String CLASS_PATH = "broker-classpath.txt";
    private static final String OWNER_ONLY = "rwx------";
    private static final int JARS_MAX = 1_000;

    private BrokerJars() {}

    /**
     * Returns the files, in their order on the class path.
     *
     * @param index the address of {@value #INDEX}
     * @throws IOException if they cannot be read or unpacked; the message says how to solve that
     */
    static List<Path> at(URL index) throws IOException {
        return switch (index.getProtocol()) {
            case "file" -> inBuild(pathOf(index));
            case "jar" ->
                unpacked(
                        pathOf(((JarURLConnection) index.openConnection()).getJarFileURL()),
                        Path.of(System.getProperty("java.io.tmpdir")));
            default ->
                throw new IOException("Expected " + INDEX + " in a jar file, but it is at " + index
                        + ". Put jitney-testkit-broker on the class path as a jar of its own.");
        };
    }

    private static Path pathOf(URL url) throws IOException {
        try {
            return Path.of(new URI(url.toString()));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new IOException("Expected a file, but got " + url + ".", e);
        }
    }

    private static List<Path> inBuild(Path index) throws IOException {
        Path classes = index.getParent().getParent().getParent();
        Path listed = classes.resolveSibling(CLASS_PATH);
        if (!Files.exists(listed)) {
            throw new IOException("Expected " + listed + " beside the classes. Build the module with Maven.");
        }
        List<Path> files = new ArrayList<>();
        for (String file : Files.readString(listed).strip().split(File.pathSeparator)) {
            files.add(Path.of(file));
        }
        return files;
    }

    /**
     * Unpacks the nested jars, or finds them unpacked.
     *
     * @param temporary the parent of the folder for the jars
     */
    static List<Path> unpacked(Path bundle, Path temporary) throws IOException {
        try (ZipFile zip = new ZipFile(bundle.toFile())) {
            List<? extends ZipEntry> jars = zip.stream()
                    .filter(entry -> entry.getName().startsWith(NESTED)
                            && entry.getName().endsWith(".jar"))
                    .sorted(Comparator.comparing(ZipEntry::getName))
                    .toList();
            if (jars.isEmpty() || jars.size() > JARS_MAX) {
                throw new IOException(
                        "Expected 1 to " + JARS_MAX + " jars in " + bundle + ", but found " + jars.size() + ".");
            }
            // Made in any case: its owner is this user, which the system does not say otherwise.
            Path fresh = Files.createTempDirectory(temporary, "jitney-testkit-");
            Path kept = temporary.resolve("jitney-testkit-" + fingerprint(jars));
            boolean keepFresh = false;
            try {
                if (isComplete(kept, fresh, jars)) {
                    return files(kept, jars);
                }
                for (ZipEntry jar : jars) {
                    try (InputStream in = zip.getInputStream(jar)) {
                        Files.copy(in, fresh.resolve(nameOf(jar)));
                    }
                }
                if (moved(fresh, kept) || isComplete(kept, fresh, jars)) {
                    return files(kept, jars);
                }
                // The name is taken by a folder that is incomplete or belongs to another user.
                keepFresh = true;
                deleteAtExit(fresh, jars);
                return files(fresh, jars);
            } finally {
                if (!keepFresh) {
                    delete(fresh);
                }
            }
        }
    }

    private static boolean moved(Path fresh, Path kept) throws IOException {
        try {
            Files.move(fresh, kept, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (AtomicMoveNotSupportedException e) {
            throw e;
        } catch (FileSystemException taken) {
            return false;
        }
    }

    /** Returns whether the folder is private to this user and has all jars. */
    private static boolean isComplete(Path folder, Path ownFolder, List<? extends ZipEntry> jars) {
        try {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                    || !Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(ownFolder))) {
                return false;
            }
            PosixFileAttributeView posix = Files.getFileAttributeView(folder, PosixFileAttributeView.class);
            if (posix != null
                    && !PosixFilePermissions.toString(posix.readAttributes().permissions())
                            .equals(OWNER_ONLY)) {
                return false;
            }
            for (ZipEntry jar : jars) {
                Path file = folder.resolve(nameOf(jar));
                BasicFileAttributes found =
                        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (!found.isRegularFile() || found.size() != jar.getSize() || checksum(file) != jar.getCrc()) {
                    return false;
                }
            }
            return true;
        } catch (IOException missing) {
            return false;
        }
    }

    private static long checksum(Path file) throws IOException {
        CRC32 sum = new CRC32();
        sum.update(Files.readAllBytes(file));
        return sum.getValue();
    }

    private static String fingerprint(List<? extends ZipEntry> jars) {
        CRC32 names = new CRC32();
        long sums = 0;
        for (ZipEntry jar : jars) {
            names.update((jar.getName() + ":" + jar.getSize()).getBytes(StandardCharsets.UTF_8));
            sums = sums * 31 + jar.getCrc();
        }
        return Long.toHexString(names.getValue()) + Long.toHexString(sums);
    }

    private static List<Path> files(Path folder, List<? extends ZipEntry> jars) {
        return jars.stream().map(jar -> folder.resolve(nameOf(jar))).toList();
    }

    private static String nameOf(ZipEntry jar) {
        String name = jar.getName().substring(NESTED.length());
        if (name.contains("/") || name.contains("\\")) {
            throw new IllegalArgumentException(
                    "Expected a jar directly in " + NESTED + ", but got " + jar.getName() + ".");
        }
        return name;
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }

    /** The last file that is registered is deleted first. */
    private static void deleteAtExit(Path folder, List<? extends ZipEntry> jars) {
        folder.toFile().deleteOnExit();
        files(folder, jars).forEach(file -> file.toFile().deleteOnExit());
    }
}
