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
 * The coverage-guided engine Jazzer, which instruments the code and keeps inputs that reach more of it. It runs in a
 * separate process, because it ends its process and can run only one target. A folder keeps its inputs for the next
 * run.
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
     * Prepares a run with a target.
     *
     * @param entryClass class with the methods that Jazzer calls
     * @param targetProperty system property that names the target for that class
     * @param workFolder folder in which Jazzer keeps its inputs
     */
    public Guided(FuzzTarget target, String entryClass, String targetProperty, Path workFolder) {
        this.target = target;
        this.entryClass = entryClass;
        this.targetProperty = targetProperty;
        this.workFolder = workFolder;
    }

    /**
     * The result of a run.
     *
     * @param executions number of inputs run; 0 if Jazzer did not start
     * @param tookMs time of the run
     * @param failing an input that failed, or null
     * @param output last lines of its output
     */
    public record Report(long executions, long tookMs, byte @Nullable [] failing, String output) {}

    /** Runs Jazzer for the given time, starting with the corpus and the inputs of earlier runs. */
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
        // Jazzer must not outlive this process if this process is terminated.
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

    /** Makes the relative parts of a class path absolute, since the process runs in another folder. */
    private static String absolute(String classPath) {
        List<String> parts = new ArrayList<>();
        for (String part : classPath.split(System.getProperty("path.separator"))) {
            parts.add(Path.of(part).toAbsolutePath().toString());
        }
        return String.join(System.getProperty("path.separator"), parts);
    }

    /** Writes the words of the target in libFuzzer's format. */
    private Path dictionary() throws IOException {
        StringBuilder out = new StringBuilder();
        for (byte[] word : target.words()) {
            if (word.length == 0) {
                continue; // libFuzzer would refuse the whole file
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
