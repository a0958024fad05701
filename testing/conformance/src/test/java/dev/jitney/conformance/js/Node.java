package dev.jitney.conformance.js;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/** The Node installation of the machine, in one directory with its packages installed. */
public final class Node {
    private static final int MINUTES = 5;

    private final Path directory;

    private Node(Path directory) {
        this.directory = directory;
    }

    /** The output and the exit code of a program. */
    public record Result(int exitCode, String output) {
        private static final Pattern PASSED = Pattern.compile("^\\s*✔ (.*) \\([0-9.]+ms\\)\\s*$", Pattern.MULTILINE);

        /**
         * Returns one test for each test in the report, by name, if all of them passed, and otherwise one failed test
         * with the output. The output must have the format of the reporter "spec".
         */
        public Stream<DynamicTest> tests(String file) {
            if (exitCode != 0) {
                return Stream.of(DynamicTest.dynamicTest(file, () -> Assertions.fail(output)));
            }
            List<String> names =
                    PASSED.matcher(output).results().map(line -> line.group(1)).toList();
            if (names.isEmpty()) {
                throw new AssertionError("Expected tests in " + file + ", but none ran:\n" + output);
            }
            return names.stream().map(name -> DynamicTest.dynamicTest(name, () -> {}));
        }
    }

    /**
     * Returns Node with all packages. Skips the test if Node 20 or later is missing, or fails it if {@code JITNEY_CI}
     * is true.
     *
     * @param directory a directory with a package.json, relative to this module
     */
    public static Node in(String directory) {
        Node node = new Node(Path.of(directory).toAbsolutePath().normalize());
        String missing = node.missing();
        if (missing != null) {
            if ("true".equals(System.getenv("JITNEY_CI"))) {
                throw new AssertionError(missing + " Install it: in CI this test must not be skipped.");
            }
            Assumptions.abort(missing);
        }
        if (!node.hasItsPackages()) {
            Result install = node.execute(Map.of(), List.of("npm", "ci", "--no-audit", "--no-fund"));
            if (install.exitCode != 0) {
                throw new AssertionError("npm ci in " + node.directory + " failed:\n" + install.output);
            }
        }
        return node;
    }

    private boolean hasItsPackages() {
        try {
            JsonNode manifest = new ObjectMapper()
                    .readTree(directory.resolve("package.json").toFile());
            for (Iterator<String> names = manifest.path("dependencies").fieldNames(); names.hasNext(); ) {
                if (!Files.isDirectory(directory.resolve("node_modules").resolve(names.next()))) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable String missing() {
        try {
            Result version = execute(Map.of(), List.of("node", "--version"));
            String text = version.output.strip();
            int major = Integer.parseInt(text.substring(1, text.indexOf('.')));
            return major >= 20 ? null : "Expected Node 20 or later, but this is " + text + ".";
        } catch (RuntimeException e) {
            return "Node is missing on this machine (" + e.getMessage() + ").";
        }
    }

    /** Runs {@code node} with arguments and additional environment variables. */
    public Result run(Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of("node"));
        command.addAll(List.of(arguments));
        return execute(environment, command);
    }

    /** Returns a program of the directory with additional environment variables. */
    public ProcessBuilder program(Map<String, String> environment, String file) {
        ProcessBuilder program = new ProcessBuilder("node", file).directory(directory.toFile());
        program.environment().putAll(environment);
        return program;
    }

    private Result execute(Map<String, String> environment, List<String> command) {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            StringBuilder output = new StringBuilder();
            Thread reader = new Thread(() -> read(process.getInputStream(), output), "node-output");
            reader.start();
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new AssertionError(command + " did not end within " + MINUTES + " minutes:\n" + output);
            }
            reader.join();
            return new Result(process.exitValue(), output.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while " + command + " ran.", e);
        }
    }

    private static void read(InputStream in, StringBuilder output) {
        try (in) {
            byte[] buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                output.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            output.append(e);
        }
    }
}
