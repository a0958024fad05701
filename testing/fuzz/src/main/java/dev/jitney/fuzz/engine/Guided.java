package dev.jitney.fuzz.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jazzer, which instruments the code and keeps inputs that reach more of it, in a process of its own: it ends the one it
 * is in, and can look at one target in its life. What it learns stays in a folder and is where the next run begins.
 */
public final class Guided {
    private static final String MAIN = "com.code_intelligence.jazzer.Jazzer";
    private static final Pattern EXECUTIONS = Pattern.compile("^(?:Done |stat::number_of_executed_units: *)(\\d+).*");
    private static final long START_SECONDS = 60;

    private final FuzzTarget target;
    private final String entryClass;
    private final String targetProperty;
    private final Path workFolder;

    /**
     * Prepares to look at a target.
     *
     * @param entryClass has the methods Jazzer calls
     * @param targetProperty the system property that names the target to it
     * @param workFolder where it keeps what it learns
     */
    public Guided(FuzzTarget target, String entryClass, String targetProperty, Path workFolder) {
        this.target = target;
        this.entryClass = entryClass;
        this.targetProperty = targetProperty;
        this.workFolder = workFolder;
    }

    /**
     * What became of it.
     *
     * @param executions inputs run; 0 if it did not get that far
     * @param tookMs how long that took
     * @param failing an input that failed, or null
     * @param output the last lines it wrote
     */
    public record Report(long executions, long tookMs, byte @Nullable [] failing, String output) {}

    /** Runs it for so long, beginning with the corpus and what it has learned before. */
    public Report run(Corpus corpus, long seed, long forMs) throws IOException, InterruptedException {
        Path learned = Files.createDirectories(workFolder.resolve("learned"));
        Path failing = workFolder.resolve("failing");
        Files.createDirectories(failing);
        try (Stream<Path> old = Files.list(failing)) {
            for (Path file : old.toList()) {
                Files.delete(file);
            }
        }
        List<String> command = command(seed, Math.max(1, TimeUnit.MILLISECONDS.toSeconds(forMs)), failing);
        command.add(learned.toString());
        if (Files.isDirectory(corpus.folder())) {
            command.add(corpus.folder().toString());
        }
        long startNs = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(workFolder.toFile())
                .start();
        // It must not outlive this process, should that be told to end.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "fuzz-orphan"));
        long executions = 0;
        List<String> last = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher count = EXECUTIONS.matcher(line);
                executions = count.matches() ? Long.parseLong(count.group(1)) : executions;
                last.add(line);
                if (last.size() > 40) {
                    last.remove(0);
                }
            }
            process.waitFor(START_SECONDS, TimeUnit.SECONDS);
        } finally {
            process.destroyForcibly();
        }
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        byte[] found = first(failing);
        return new Report(executions, tookMs, found, String.join("\n", last));
    }

    private List<String> command(long seed, long seconds, Path failing) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                absolute(System.getProperty("java.class.path")),
                "-D" + targetProperty + "=" + target.name(),
                MAIN,
                "--target_class=" + entryClass,
                "--instrumentation_includes=dev.jitney.**",
                "--instrumentation_excludes=dev.jitney.fuzz.**",
                "--custom_hook_excludes=**",
                "--disabled_hooks=*",
                "--reproducer_path=" + failing,
                "-seed=" + (seed & 0x7fff_ffff),
                "-max_total_time=" + seconds,
                "-max_len=" + target.bytesMax(),
                "-timeout=20",
                "-rss_limit_mb=3000",
                "-print_final_stats=1",
                "-artifact_prefix=" + failing + "/"));
        if (!target.words().isEmpty()) {
            command.add("-dict=" + dictionary());
        }
        return command;
    }

    /** Relative parts of a class path are meant from here, not from where the process will be. */
    private static String absolute(String classPath) {
        List<String> parts = new ArrayList<>();
        for (String part : classPath.split(System.getProperty("path.separator"))) {
            parts.add(Path.of(part).toAbsolutePath().toString());
        }
        return String.join(System.getProperty("path.separator"), parts);
    }

    /** The words of the target in the form libFuzzer reads. */
    private Path dictionary() throws IOException {
        StringBuilder out = new StringBuilder();
        for (byte[] word : target.words()) {
            if (word.length == 0) {
                continue; // libFuzzer takes the whole file for broken
            }
            out.append('"');
            for (byte octet : word) {
                out.append(String.format("\\x%02x", octet));
            }
            out.append("\"\n");
        }
        return Files.writeString(workFolder.resolve("words"), out);
    }

    private static byte @Nullable [] first(Path failing) throws IOException {
        try (Stream<Path> files = Files.list(failing)) {
            Path file = files.filter(one -> one.getFileName().toString().matches("(crash|timeout|oom)-.*"))
                    .findFirst()
                    .orElse(null);
            return file == null ? null : Files.readAllBytes(file);
        }
    }
}
