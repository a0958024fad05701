package dev.jitney.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The artifacts of {@code ./jitney release}, and programs run like by a new user. */
final class Artifacts {
    private Artifacts() {}

    /** Returns the top folder of the source tree. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("jitney"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    static Path folder() {
        Path folder = root().resolve("target/release");
        assertThat(folder.resolve("SHA256SUMS"))
                .as("the artifacts of ./jitney release")
                .exists();
        return folder;
    }

    static String version() throws IOException {
        try (InputStream in = JitneyRelease.class.getResourceAsStream("release.properties")) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        }
    }

    /** Unpacks an archive into an empty folder and returns its top folder. */
    static Path unpack(String archive, Path into) throws Exception {
        Files.createDirectories(into);
        Path file = folder().resolve(archive);
        Result unpacked = archive.endsWith(".zip")
                ? run(into, Map.of("PATH", System.getenv("PATH")), "unzip", "-q", file.toString())
                : run(into, Map.of("PATH", System.getenv("PATH")), "tar", "xzf", file.toString());
        assertThat(unpacked.status()).as(unpacked.toString()).isZero();
        try (Stream<Path> content = Files.list(into)) {
            List<Path> folders = content.toList();
            assertThat(folders)
                    .singleElement()
                    .satisfies(folder -> assertThat(folder).isDirectory().hasFileName("jitney-" + version()));
            return folders.get(0);
        }
    }

    /** The exit status and the output of a program. */
    record Result(int status, String out, String err) {}

    /** Runs a program with only the given environment and waits for its end. */
    static Result run(Path folder, Map<String, String> environment, String... command) throws Exception {
        Path out = Files.createTempFile("jitney-out", "");
        Path err = Files.createTempFile("jitney-err", "");
        try {
            Process process = builder(folder, environment, List.of(command))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(300, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(List.of(command) + " did not end in time: " + Files.readString(err));
            }
            return new Result(
                    process.exitValue(),
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    static ProcessBuilder builder(Path folder, Map<String, String> environment, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command)).directory(folder.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }
}
