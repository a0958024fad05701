package dev.jitney.conformance.admin;

import dev.jitney.conformance.support.TestBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The checks of {@code testing/track1}: a Java machine of its own with the class path that SDK was published with, and with
 * the server's trust store as a user would give it.
 */
final class Track1 {
    private static final Path MODULE = Path.of("../track1/target");
    private static final int MINUTES = 5;
    private static final String MAIN = "dev.jitney.testing.track1.Track1Checks";

    private Track1() {}

    /** Runs all checks; tells of each by its name what went wrong, empty if nothing did. */
    static Map<String, String> run(TestBroker broker) {
        try {
            Process process = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-Djavax.net.ssl.trustStore=" + broker.trustStore(),
                            "-Djavax.net.ssl.trustStorePassword=changeit",
                            "-cp",
                            MODULE.resolve("classes") + ":"
                                    + Files.readString(MODULE.resolve("classpath.txt"))
                                            .strip(),
                            MAIN,
                            broker.adminConnectionString()))
                    .redirectErrorStream(true)
                    .start();
            // One of its futures that never completes must not hold up everything.
            CompletableFuture.delayedExecutor(MINUTES, TimeUnit.MINUTES).execute(process::destroyForcibly);
            try {
                process.getOutputStream().close();
                return read(process);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> read(Process process) throws IOException {
        Map<String, String> results = new LinkedHashMap<>();
        StringBuilder stray = new StringBuilder();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("PASS ")) {
                    results.put(line.substring(5), "");
                } else if (line.startsWith("FAIL ")) {
                    results.put(line.substring(5), untilEnd(lines));
                } else {
                    stray.append(line).append('\n');
                }
            }
        }
        if (results.isEmpty()) {
            throw new AssertionError("The checks of track 1 did not run:\n" + stray);
        }
        return results;
    }

    private static String untilEnd(BufferedReader lines) throws IOException {
        StringBuilder trace = new StringBuilder();
        for (String line = lines.readLine(); line != null && !line.equals("END"); line = lines.readLine()) {
            trace.append(line).append('\n');
        }
        return trace.toString();
    }
}
