package dev.jitney.distribution;

import dev.jitney.distribution.audit.Licenses;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/** Licenses of libraries: the list, from the POMs, and the texts, from the jars. */
final class ThirdParty {
    private static final Pattern TEXT =
            Pattern.compile("(META-INF/)?((LICENSE|NOTICE|COPYRIGHT)[^/]*|licenses?/[^/]+)", Pattern.CASE_INSENSITIVE);
    private static final int MAX_TEXT_BYTES = 1 << 20;

    /** The file with the licenses of the libraries inside the native code of RocksDB, whose jar has none of them. */
    static final String ROCKSDB_NATIVE = "rocksdb-native.txt";

    /** The jar whose scripts contain packages of npm. Its build writes their list and their license texts. */
    private static final String CONSOLE = "jitney-console-";

    private static final String CONSOLE_LIST = "META-INF/licenses/packages.txt";

    private ThirdParty() {}

    /**
     * Returns name, version and license of each library, sorted, with the packages of npm in the console.
     *
     * @param licenses the permitted licenses
     * @param jars all jars of the archive
     * @throws IOException if a library has no permitted license in its POM, because then it must not be redistributed, or if there
     *     is no console
     */
    static String list(Licenses licenses, List<Path> jars) throws IOException {
        SortedSet<String> lines = new TreeSet<>();
        licenses.of(jars).forEach((library, license) -> lines.add(library + ": " + license));
        lines.addAll(packagesOfConsole(jars));
        if (lines.isEmpty()) {
            throw new ReleaseException("Expected libraries in the archive, but it has none.");
        }
        return "The libraries in this archive with their versions and licenses. If a library has several licenses,"
                + " Jitney uses\n"
                + "the first that is compatible with the Apache License, Version 2.0. The other folders here have"
                + " the license\n"
                + "texts from the libraries, and " + ROCKSDB_NATIVE
                + " those of the libraries inside the native code of RocksDB.\n\n"
                + String.join("\n", lines)
                + "\n";
    }

    private static List<String> packagesOfConsole(List<Path> jars) throws IOException {
        for (Path jar : jars) {
            if (Jars.name(jar).startsWith(CONSOLE)) {
                try (ZipFile zip = ZipFile.builder().setPath(jar).get()) {
                    ZipArchiveEntry list = zip.getEntry(CONSOLE_LIST);
                    if (list != null) {
                        try (InputStream in = zip.getInputStream(list)) {
                            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                                    .strip()
                                    .lines()
                                    .toList();
                        }
                    }
                }
            }
        }
        throw new ReleaseException(
                "Expected a console in the archive, but the build had no Node. Install Node 18 or later and npm.");
    }

    /** Adds the license and notice texts in third-party jars, and those of the console, each below the name of its jar. */
    static void texts(List<Path> jars, String folder, FileTree into) throws IOException {
        for (Path jar : jars) {
            String name = Jars.name(jar);
            if (name.startsWith("jitney-") && !name.startsWith(CONSOLE)) {
                continue;
            }
            try (ZipFile zip = ZipFile.builder().setPath(jar).get()) {
                for (ZipArchiveEntry entry : Collections.list(zip.getEntries())) {
                    if (!entry.isDirectory()
                            && TEXT.matcher(entry.getName()).matches()
                            && entry.getSize() <= MAX_TEXT_BYTES
                            && !entry.getName().endsWith(".class")) {
                        try (InputStream in = zip.getInputStream(entry)) {
                            String path = folder + "/" + name.replaceFirst("\\.jar$", "") + "/"
                                    + entry.getName().replaceFirst("^META-INF/", "");
                            if (!into.has(path)) {
                                into.bytes(path, in.readAllBytes());
                            }
                        }
                    }
                }
            }
        }
    }
}
