package dev.jitney.distribution;

import dev.jitney.distribution.FileTree.Item;
import dev.jitney.distribution.container.ContainerMain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipFile;

/**
 * The files of an image: a few libraries of Debian, a Java runtime, and the jars of the archive. The lower layers change less
 * often, so that an upgrade transfers little.
 */
final class ImageContents {
    /** The folder of Jitney in the image. */
    static final String HOME = "opt/jitney/";

    /** The command, which the kernel runs with Java. */
    static final String COMMAND = "usr/bin/jitney";

    /** Packages and the libraries copied from them. {@link #checkLibraries} reports missing ones. */
    private static final Map<String, List<String>> LIBRARIES = Map.of(
            "libc6", List.of("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2"),
            "libstdc++6", List.of("libstdc++.so.6"),
            "libgcc-s1", List.of("libgcc_s.so.1"),
            "zlib1g", List.of("libz.so.1"));

    private static final String DOCS = "usr/share/doc/";
    private static final int FEATURE_MIN = 17;

    private final ImageArchitecture architecture;
    private final String version;
    private final Instant time;
    private final Path work;
    private final FileTree system = new FileTree();
    private final FileTree runtime = new FileTree();
    private final FileTree libraries = new FileTree();
    private final FileTree jitney = new FileTree();

    /**
     * Collects all files.
     *
     * @param archive the files of the archive for these machines, without Java
     * @param jdk the JDK whose jlink creates the runtime; Debian must have the same version of Java
     * @param work a folder for downloads
     */
    ImageContents(ImageArchitecture architecture, String version, Instant time, FileTree archive, Path jdk, Path work)
            throws IOException, InterruptedException {
        this.architecture = architecture;
        this.version = version;
        this.time = time;
        this.work = Files.createDirectories(work);
        PackageDownloads packages = new PackageDownloads(work, architecture.label());
        collectSystem(packages);
        collectJava(packages, jdk);
        collectArchive(archive);
        jitney.text(DOCS + "jitney/debian-packages.txt", packages.list());
        checkLibraries();
    }

    /** Returns the layers by name, the lowest first. */
    Map<String, FileTree> layers() {
        Map<String, FileTree> layers = new LinkedHashMap<>();
        layers.put("system libraries", system);
        layers.put("Java", runtime);
        layers.put("libraries", libraries);
        layers.put("Jitney " + version, jitney);
        return layers;
    }

    private void collectSystem(PackageDownloads packages) throws IOException, InterruptedException {
        String folder = "lib/" + architecture.libraryFolder() + "/";
        for (Map.Entry<String, List<String>> each :
                LIBRARIES.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList()) {
            Path files = packages.get(each.getKey());
            for (String library : each.getValue()) {
                put(folder + library, find(files, library));
            }
            system.file(DOCS + each.getKey() + "/copyright", packages.license(each.getKey()));
        }
        String loader = architecture.loader();
        put(loader, find(packages.get("libc6"), loader.substring(loader.lastIndexOf('/') + 1)));
        // UTF-8 for file names and log lines.
        system.file(
                "usr/lib/locale/C.utf8/LC_CTYPE", packages.get("libc-bin").resolve("usr/lib/locale/C.utf8/LC_CTYPE"));
        system.file(DOCS + "libc-bin/copyright", packages.license("libc-bin"));
        Map<String, String> values = Map.of("USER", Integer.toString(ImageTar.USER));
        for (String name : List.of("passwd", "group", "nsswitch.conf")) {
            system.text("etc/" + name, Templates.text("image/" + name, values));
        }
        system.folder("tmp");
        system.folder("data");
    }

    private void put(String path, Path library) throws IOException {
        system.program(path, Files.readAllBytes(library));
    }

    /** Returns a library by the name that programs use. Most such names are links to a file with the full version. */
    private static Path find(Path folder, String library) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> String.valueOf(file.getFileName()).equals(library))
                    .filter(Files::isRegularFile)
                    .min(Comparator.naturalOrder())
                    .orElseThrow(
                            () -> new ReleaseException("Expected " + library + " in the package " + folder.getFileName()
                                    + ", but it is missing. Debian has moved it: update ImageContents."));
        }
    }

    private void collectJava(PackageDownloads packages, Path jdk) throws IOException, InterruptedException {
        int feature = feature(jdk);
        String name = "openjdk-" + feature + "-jdk-headless";
        Path modules;
        try (Stream<Path> folders = Files.walk(packages.get(name), 5)) {
            modules = folders.filter(folder -> folder.endsWith("jmods"))
                    .findFirst()
                    .orElseThrow(() -> new ReleaseException("Expected the Java modules in the package " + name
                            + ", but there is no folder jmods. Debian has moved them: update ImageContents."));
        }
        Path made = work.resolve("runtime");
        JavaRuntime.make(
                jdk,
                List.of(
                        "--module-path",
                        modules.toString(),
                        "--compress=" + (feature < 21 ? "2" : "zip-6"),
                        "--add-options",
                        Templates.text("image/java-options", Map.of()).strip().replace('\n', ' ')),
                made);
        runtime.folder(HOME + "runtime", made);
        runtime.file(DOCS + name + "/copyright", packages.license(name));
    }

    /** Returns the Java version of a JDK: 17, 21, 25. */
    private static int feature(Path jdk) throws IOException {
        Path release = jdk.resolve("release");
        if (Files.isRegularFile(release)) {
            for (String line : Files.readAllLines(release)) {
                if (line.startsWith("JAVA_VERSION=\"")) {
                    int feature = Runtime.Version.parse(line.substring(14, line.length() - 1))
                            .feature();
                    if (feature >= FEATURE_MIN) {
                        return feature;
                    }
                    throw new ReleaseException(
                            "Expected a JDK, 17 or later, but " + jdk + " is version " + feature + ".");
                }
            }
        }
        throw new ReleaseException(
                "Expected the Java version in " + release + ", but it is missing. Use a complete JDK.");
    }

    private void collectArchive(FileTree archive) throws IOException {
        StringBuilder classPath = new StringBuilder("/" + HOME + "lib/container.jar");
        for (Map.Entry<String, Item> each : archive.files().entrySet()) {
            String path = each.getKey();
            Path file = each.getValue().file();
            if (path.startsWith("lib/") && file != null) {
                (path.startsWith("lib/jitney-") ? jitney : libraries).file(HOME + path, jar(path, file));
                classPath.append(":/").append(HOME).append(path);
            } else if (List.of("LICENSE", "NOTICE", "CHANGELOG.md", "sbom.json").contains(path)
                    || path.startsWith("licenses/")) {
                jitney.item(DOCS + "jitney/" + path, each.getValue());
            }
        }
        jitney.bytes(HOME + "lib/container.jar", containerJar());
        jitney.text(
                HOME + "jitney.args",
                Templates.text(
                        "image/jitney.args",
                        Map.of("CLASS_PATH", classPath.toString(), "MAIN", ContainerMain.class.getName())));
        jitney.program(COMMAND, Templates.text("image/jitney", Map.of()));
    }

    /** Returns the jar, or a copy without its native library, which is then put into a folder where Java finds it. */
    private Path jar(String path, Path jar) throws IOException {
        String name = path.substring("lib/".length());
        if (Jars.isRocksDb(jar)) {
            Path without = Files.createDirectories(work.resolve("jars")).resolve(name);
            libraries.program(
                    HOME + "native/" + architecture.rocksDbNative(), entry(jar, architecture.rocksDbNative()));
            Jars.reduceRocksDb(jar, Set.of(), without);
            return without;
        }
        if (name.endsWith("-" + architecture.nettyPlatform() + ".jar")) {
            try (ZipFile zip = ZipFile.builder().setPath(jar).get()) {
                for (ZipArchiveEntry each : Collections.list(zip.getEntries())) {
                    if (each.getName().endsWith(".so")) {
                        String library = each.getName().substring(each.getName().lastIndexOf('/') + 1);
                        libraries.program(HOME + "native/" + library, entry(jar, each.getName()));
                    }
                }
            }
        }
        return jar;
    }

    private static byte[] entry(Path jar, String name) throws IOException {
        try (ZipFile zip = ZipFile.builder().setPath(jar).get()) {
            ZipArchiveEntry entry = zip.getEntry(name);
            if (entry == null) {
                throw new ReleaseException("Expected " + name + " in " + Jars.name(jar) + ", but it is missing.");
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return in.readAllBytes();
            }
        }
    }

    private byte[] containerJar() throws IOException {
        String name = ContainerMain.class.getName().replace('.', '/') + ".class";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InputStream in = ContainerMain.class.getResourceAsStream("/" + name);
                ZipArchiveOutputStream jar = new ZipArchiveOutputStream(bytes)) {
            if (in == null) {
                throw new ReleaseException("Expected " + name + " among the classes, but it is missing.");
            }
            ZipArchiveEntry entry = new ZipArchiveEntry(name);
            entry.setTimeLocal(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
            jar.putArchiveEntry(entry);
            in.transferTo(jar);
            jar.closeArchiveEntry();
        }
        return bytes.toByteArray();
    }

    /** Checks at build time that no library is missing or for another processor. */
    private void checkLibraries() throws IOException {
        Set<String> there = new HashSet<>();
        Map<String, ElfFile> programs = new LinkedHashMap<>();
        for (FileTree layer : layers().values()) {
            for (Map.Entry<String, Item> each : layer.files().entrySet()) {
                there.add(each.getKey().substring(each.getKey().lastIndexOf('/') + 1));
                try (InputStream in = each.getValue().open()) {
                    ElfFile elf = ElfFile.read(in.readAllBytes(), each.getKey());
                    if (elf != null) {
                        programs.put(each.getKey(), elf);
                    }
                }
            }
        }
        for (Map.Entry<String, ElfFile> each : programs.entrySet()) {
            if (each.getValue().machine() != architecture.elfMachine()) {
                throw new ReleaseException("Expected programs for " + architecture.label() + ", but " + each.getKey()
                        + " is for machine " + each.getValue().machine() + ".");
            }
            for (String needed : each.getValue().needed()) {
                if (!there.contains(needed)) {
                    throw new ReleaseException(each.getKey() + " needs " + needed
                            + ", which is not in the image. Add its package to ImageContents.");
                }
            }
        }
    }
}
