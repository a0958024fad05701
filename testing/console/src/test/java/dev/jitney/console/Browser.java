package dev.jitney.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/** The programs that drive a browser: Node with its packages, and Chromium. */
final class Browser {
    private static final Path FOLDER = Path.of("js").toAbsolutePath();
    private static final int MINUTES = 4;
    private static final int NODE_MIN = 20;

    /** A test in the report of Node, passed or failed. */
    private static final Pattern TEST = Pattern.compile("^\\s*([✔✖]) (.*) \\([0-9.]+ms\\)\\s*$", Pattern.MULTILINE);

    private Browser() {}

    /**
     * Checks the programs, and installs the packages of Node if they are missing. Skips the test if a program is missing, or fails it if
     * {@code JITNEY_CI} is true.
     */
    static void prepare() throws Exception {
        String missing = missing();
        if (missing != null) {
            if ("true".equals(System.getenv("JITNEY_CI"))) {
                throw new AssertionError(missing + " Install it: in CI this test must not be skipped.");
            }
            Assumptions.abort(missing);
        }
        if (!Files.isDirectory(FOLDER.resolve("node_modules/playwright-core"))
                || !Files.isDirectory(FOLDER.resolve("node_modules/axe-core"))) {
            Output install = run(Map.of(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
            if (install.status() != 0) {
                throw new AssertionError("npm ci failed in " + FOLDER + ":\n" + install.text());
            }
        }
    }

    private static @Nullable String missing() throws Exception {
        try {
            String node = run(Map.of(), "node", "--version").text().strip();
            if (Integer.parseInt(node.substring(1, node.indexOf('.'))) < NODE_MIN) {
                return "Expected Node " + NODE_MIN + " or later, but this is " + node + ".";
            }
        } catch (IOException absent) {
            return "Node is missing on this machine.";
        }
        for (String folder : System.getenv("PATH").split(java.io.File.pathSeparator)) {
            if (Files.isExecutable(Path.of(folder, "chromium"))) {
                return null;
            }
        }
        return "Chromium is missing on this machine.";
    }

    /** Runs a file of tests, and returns one test for each in its report. */
    static Stream<DynamicTest> tests(String file, Map<String, String> environment) throws Exception {
        Output output = run(environment, "node", "--test", "--test-reporter=spec", "test/" + file);
        List<DynamicTest> tests = new ArrayList<>();
        boolean failed = false;
        for (var match : TEST.matcher(output.text()).results().toList()) {
            boolean passed = match.group(1).equals("✔");
            failed |= !passed;
            tests.add(DynamicTest.dynamicTest(match.group(2), () -> {
                if (!passed) {
                    throw new AssertionError(output.text());
                }
            }));
        }
        if (tests.isEmpty() || output.status() != 0 && !failed) {
            throw new AssertionError("Expected tests in " + file + ", but:\n" + output.text());
        }
        return tests.stream();
    }

    private record Output(int status, String text) {}

    private static Output run(Map<String, String> environment, String... command) throws Exception {
        Path output = Files.createTempFile("console-test", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(FOLDER.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError(
                        List.of(command) + " did not end within " + MINUTES + " minutes:\n" + Files.readString(output));
            }
            return new Output(process.exitValue(), Files.readString(output));
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
