package dev.jitney.distribution;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The second half of {@code jitney release}, after Maven has built the jars. It writes all files that users download. */
@Command(
        name = "jitney release",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Writes the artifacts of a release from built jars.")
public final class JitneyRelease implements Callable<Integer> {
    /** The top folder of every package for npm. */
    private static final String NPM_TOP = "package";

    private final PrintStream out;

    @Option(names = "--root", required = true, paramLabel = "DIR", description = "Source tree with the built jars.")
    private Path root = Path.of("");

    @Option(
            names = "--output",
            required = true,
            paramLabel = "DIR",
            description = "Folder for the artifacts. Its files are deleted first.")
    private Path output = Path.of("");

    @Option(
            names = "--runtime-jdk",
            paramLabel = "DIR",
            description = "JDK for linux-x64 from which the Java runtime is made (default: the JDK that runs this"
                    + " command).")
    private @Nullable Path runtimeJdk;

    @Option(
            names = "--no-images",
            description = "Do not build container images, which need Debian's apt-get and a network.")
    private boolean noImages;

    JitneyRelease(PrintStream out) {
        this.out = out;
    }

    /** Runs the command. The exit status is 0, 1 if an artifact cannot be written, or 2 for invalid options. */
    public static void main(String[] args) {
        // Zip files contain local times, which must not depend on the time zone of the build.
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        Locale.setDefault(Locale.ROOT);
        CommandLine commandLine = new CommandLine(new JitneyRelease(System.out));
        commandLine.setExecutionExceptionHandler((e, command, result) -> {
            if (e instanceof ReleaseException) {
                System.err.println("jitney: " + e.getMessage());
            } else {
                System.err.println("jitney: An unexpected error ended the release.");
                e.printStackTrace();
            }
            return 1;
        });
        System.exit(commandLine.execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Properties build = build();
        String version = build.getProperty("version");
        Instant time = Instant.parse(build.getProperty("timestamp"));
        if (version.endsWith("-SNAPSHOT")) {
            throw new ReleaseException(
                    "Expected a version to release, but the POMs say " + version + ". See docs/guides/releasing.md.");
        }
        Path home = root.toAbsolutePath().normalize();
        Path sbom = home.resolve("distribution/target/bom.json");
        if (!Files.isRegularFile(sbom)) {
            throw new ReleaseException("Expected " + sbom + ", but it is missing. Run: ./jitney release");
        }
        JavaRuntime.requireLinuxX64(jdk());
        Path work = home.resolve("distribution/target/release-work");
        empty(work);
        empty(output);

        try (ArtifactWriters artifacts = new ArtifactWriters(output, out)) {
            write(artifacts, new Contents(home, work, version, time, sbom), work, version, time);
            FileTree javaScript = javaScript(home.resolve("testkit/js"));
            artifacts.add(
                    "jitney-js-testkit-" + version + ".tgz", file -> Archives.tarGz(javaScript, NPM_TOP, file, time));
            artifacts.add(
                    "jitney-" + version + "-sbom.json",
                    file -> Files.copy(sbom, file, StandardCopyOption.REPLACE_EXISTING));
            String sums = Checksums.of(artifacts.await());
            artifacts.add("SHA256SUMS", file -> Files.writeString(file, sums));
            artifacts.await();
        }
        return 0;
    }

    private void write(ArtifactWriters artifacts, Contents contents, Path work, String version, Instant time)
            throws Exception {
        String top = "jitney-" + version;
        FileTree portable = contents.of(Platform.PORTABLE);
        artifacts.add(top + ".tar.gz", file -> Archives.tarGz(portable, top, file, time));
        artifacts.add(top + ".zip", file -> Archives.zip(portable, top, file, time));
        for (Platform platform : List.of(Platform.LINUX_ARM64, Platform.MACOS)) {
            FileTree tree = contents.of(platform);
            artifacts.add(top + "-" + platform.label() + ".tar.gz", file -> Archives.tarGz(tree, top, file, time));
        }
        FileTree windows = contents.of(Platform.WINDOWS_X64);
        artifacts.add(
                top + "-" + Platform.WINDOWS_X64.label() + ".zip", file -> Archives.zip(windows, top, file, time));
        FileTree withoutJava = contents.of(Platform.LINUX_X64);
        artifacts.add(
                top + "-" + Platform.LINUX_X64.label() + "-no-java.tar.gz",
                file -> Archives.tarGz(withoutJava, top, file, time));
        FileTree linux = contents.of(Platform.LINUX_X64);
        Path runtime = work.resolve("runtime");
        JavaRuntime.make(jdk(), runtime);
        linux.folder("runtime", runtime);
        artifacts.add(
                top + "-" + Platform.LINUX_X64.label() + ".tar.gz", file -> Archives.tarGz(linux, top, file, time));
        DebianPackage debian = new DebianPackage(version, time);
        artifacts.add(debian.fileName(), file -> debian.write(linux, work, file));
        if (!noImages) {
            for (ImageArchitecture architecture : ImageArchitecture.values()) {
                image(artifacts, architecture, version, time, contents, work.resolve("image-" + architecture.label()));
            }
        }
    }

    /** Returns the files of the package for npm: those that its {@code package.json} names, and that itself. */
    private static FileTree javaScript(Path folder) throws IOException {
        FileTree tree = new FileTree();
        for (String file : List.of("package.json", "README.md", "LICENSE")) {
            tree.file(file, folder.resolve(file));
        }
        tree.folder("src", folder.resolve("src"));
        return tree;
    }

    private void image(
            ArtifactWriters artifacts,
            ImageArchitecture architecture,
            String version,
            Instant time,
            Contents contents,
            Path folder)
            throws Exception {
        ImageTar image = new ImageTar(architecture, version, time, folder);
        FileTree archive = contents.of(architecture.platform());
        artifacts.add(
                image.fileName(),
                file -> image.write(
                        new ImageContents(architecture, version, time, archive, jdk().toAbsolutePath(), folder), file));
    }

    private Path jdk() {
        return runtimeJdk == null ? Path.of(System.getProperty("java.home")) : runtimeJdk;
    }

    private static Properties build() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = JitneyRelease.class.getResourceAsStream("release.properties")) {
            if (in == null) {
                throw new ReleaseException("Expected release.properties in the jar, but it is missing.");
            }
            properties.load(in);
        }
        return properties;
    }

    private static void empty(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
        Files.createDirectories(folder);
    }
}
