package dev.jitney.testkit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
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
 * nested jars, and replace those that are missing or changed. In a build of Jitney itself they are the class path of the module, without a copy.
 */
final class BrokerJars {
    static final String INDEX = "META-INF/jitney/broker.properties";
    private static final String NESTED = "META-INF/jitney/broker/";
    private static final String CLASS_PATH = "broker-classpath.txt";
    private static final String OWNER_ONLY = "rwx------";
    private static final int JARS_MAX = 1_000;
    /** The beginnings of the names of folders: one that stays, and one for a single start. */
    private static final String KEPT = "jitney-testkit-";

    private static final String FRESH = "jitney-testkit.new-";
    /** The age of a folder for a single start at which its process counts as killed. */
    private static final Duration LEFT_AFTER = Duration.ofDays(1);

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
        // the folder beside the one of the classes, in which the index is two folders deep
        Path listed = index.resolve("../../../..").resolve(CLASS_PATH).normalize();
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
            Path fresh = Files.createTempDirectory(temporary, FRESH);
            boolean keepFresh = false;
            try {
                deleteLeftovers(temporary, fresh);
                Path kept = temporary.resolve(KEPT + userName() + "-" + fingerprint(jars));
                List<Path> files = files(kept, jars); // also checks the names
                if (isOwn(kept, fresh) && filled(kept, fresh, zip, jars)) {
                    return files;
                }
                // The name is taken by another user, or the system does not replace a file that is in use.
                for (ZipEntry jar : jars) {
                    unpack(zip, jar, fresh);
                }
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

    /** Returns whether the folder, which is made if it is missing, is one of this user that others cannot use. */
    private static boolean isOwn(Path folder, Path ownFolder) {
        try {
            PosixFileAttributeView own = Files.getFileAttributeView(ownFolder, PosixFileAttributeView.class);
            if (own == null) {
                Files.createDirectory(folder);
            } else {
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
            }
        } catch (FileAlreadyExistsException e) {
            // checked below
        } catch (IOException e) {
            return false;
        }
        try {
            PosixFileAttributeView posix = Files.getFileAttributeView(folder, PosixFileAttributeView.class);
            return isOf(folder, ownFolder)
                    && (posix == null
                            || PosixFilePermissions.toString(
                                            posix.readAttributes().permissions())
                                    .equals(OWNER_ONLY));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isOf(Path folder, Path ownFolder) throws IOException {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(ownFolder));
    }

    /**
     * Puts each jar that is missing or changed into the folder. It is renamed when it is complete, so that another process may do the same at
     * the same time, and may use the jar that is replaced.
     *
     * @return false if a jar cannot be replaced
     */
    private static boolean filled(Path folder, Path fresh, ZipFile zip, List<? extends ZipEntry> jars)
            throws IOException {
        for (ZipEntry jar : jars) {
            Path file = folder.resolve(nameOf(jar));
            if (!isIntact(file, jar)) {
                Path unpacked = unpack(zip, jar, fresh);
                try {
                    Files.move(unpacked, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                } catch (FileSystemException inUse) {
                    Files.delete(unpacked);
                    return false;
                }
            }
        }
        return true;
    }

    private static Path unpack(ZipFile zip, ZipEntry jar, Path into) throws IOException {
        Path file = into.resolve(nameOf(jar));
        try (InputStream in = zip.getInputStream(jar)) {
            Files.copy(in, file);
        }
        return file;
    }

    private static boolean isIntact(Path file, ZipEntry jar) {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile() && found.size() == jar.getSize() && checksum(file) == jar.getCrc();
        } catch (IOException missing) {
            return false;
        }
    }

    /** Deletes the folders of this user that processes could not delete, because they were killed. */
    private static void deleteLeftovers(Path temporary, Path fresh) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporary, FRESH + "*")) {
            for (Path folder : folders) {
                if (isOf(folder, fresh) && madeMs(folder) < madeMs(fresh) - LEFT_AFTER.toMillis()) {
                    delete(folder);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // Another process may delete them at the same time. The next start tries again.
        }
    }

    private static long madeMs(Path folder) throws IOException {
        return Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS).toMillis();
    }

    /** Returns the name of the user as a part of a file name. If two users have equal results, the folder is that of its owner. */
    private static String userName() {
        return System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9._]", "_");
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
