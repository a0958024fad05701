package dev.jitney.conformance.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;

/**
 * A program of checks in a separate process, for a client that cannot run in this process. For each check it prints a
 * line {@code PASS name} or {@code FAIL name}. After FAIL follows the reason up to the line {@code END}.
 */
public final class CheckProgram {
    private static final int MINUTES = 5;

    private CheckProgram() {}

    /**
     * Runs a program to its end and returns one test per check.
     *
     * @throws AssertionError if the exit code is not 0 or there are no checks
     */
    public static Stream<DynamicTest> tests(ProcessBuilder program) {
        return tests(run(program));
    }

    private static Stream<DynamicTest> tests(Map<String, String> results) {
        return results.entrySet().stream()
                .map(check -> DynamicTest.dynamicTest(check.getKey(), () -> {
                    if (!check.getValue().isEmpty()) {
                        Assertions.fail(check.getValue());
                    }
                }));
    }

    /** An action between two parts of a program. */
    public interface Step {
        void run() throws Exception;
    }

    /**
     * Runs a program that prints the line {@code READY} once and then waits for a line. In between runs a step of the test.
     *
     * @throws AssertionError if the exit code is not 0 or there are no checks
     */
    public static Stream<DynamicTest> tests(ProcessBuilder program, Step whenReady) {
        return tests(run(program, whenReady));
    }

    /** Runs a program to its end. Returns the reason of the failure for each check by name; empty if the check passes. */
    public static Map<String, String> run(ProcessBuilder program) {
        return run(program, null);
    }

    private static Map<String, String> run(ProcessBuilder program, @Nullable Step whenReady) {
        try {
            Process process = program.redirectErrorStream(true).start();
            // A time limit for clients whose call never returns.
            CompletableFuture.delayedExecutor(MINUTES, TimeUnit.MINUTES).execute(process::destroyForcibly);
            try {
                if (whenReady == null) {
                    process.getOutputStream().close();
                }
                return read(process, whenReady);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> read(Process process, @Nullable Step whenReady) throws IOException {
        Map<String, String> results = new LinkedHashMap<>();
        StringBuilder stray = new StringBuilder();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("PASS ")) {
                    results.put(line.substring(5), "");
                } else if (line.startsWith("FAIL ")) {
                    results.put(line.substring(5), untilEnd(lines));
                } else if (whenReady != null && line.equals("READY")) {
                    perform(whenReady);
                    process.getOutputStream().write('\n');
                    process.getOutputStream().close();
                } else {
                    stray.append(line).append('\n');
                }
            }
        }
        int exitCode = exitCode(process);
        if (results.isEmpty() || exitCode != 0) {
            throw new AssertionError("Expected checks and exit code 0, but the program ended with " + exitCode
                    + " after these checks: " + results.keySet() + "\n" + stray);
        }
        return results;
    }

    private static void perform(Step step) {
        try {
            step.run();
        } catch (Exception e) {
            throw new AssertionError("Expected the test to do its part, but it failed.", e);
        }
    }

    private static int exitCode(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while a program ended.", e);
        }
    }

    private static String untilEnd(BufferedReader lines) throws IOException {
        StringBuilder trace = new StringBuilder();
        for (String line = lines.readLine(); line != null && !line.equals("END"); line = lines.readLine()) {
            trace.append(line).append('\n');
        }
        return trace.toString();
    }
}
