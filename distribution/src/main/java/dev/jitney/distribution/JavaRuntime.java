package dev.jitney.distribution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java runtime with the modules that Jitney uses, made by the jlink of a JDK. */
final class JavaRuntime {
    private static final long TIMEOUT_SECONDS = 300;

    /** Found by running everything; {@code ReleasedArchiveTest} fails if one is missing. */
    private static final String MODULES = String.join(
            ",",
            "java.base",
            "java.logging", // libraries whose logs go to SLF4J in the end
            "java.management", // metrics
            "java.naming", // certificates' names
            "java.net.http", // the command line's requests
            "java.security.jgss", // SASL
            "java.security.sasl",
            "java.xml", // Atom feeds of the administration
            "jdk.crypto.ec", // TLS with elliptic curves
            "jdk.jfr", // Netty's events, and recordings for support
            "jdk.management", // processor time
            "jdk.unsupported", // Netty's and RocksDB's memory
            "jdk.zipfs");

    private JavaRuntime() {}

    /**
     * Writes a runtime into a folder, which must not exist.
     *
     * @param jdk the JDK whose jlink and modules are taken; its platform is that of the runtime
     */
    static void make(Path jdk, Path target) throws IOException, InterruptedException {
        Path jlink = jdk.resolve("bin/jlink");
        if (!Files.isExecutable(jlink)) {
            throw new ReleaseException("Expected a JDK with jlink, but there is no " + jlink
                    + ". Set JAVA_HOME to a JDK, 17 or later, or name one with --runtime-jdk.");
        }
        run(List.of(
                jlink.toString(),
                "--add-modules",
                MODULES,
                "--no-header-files",
                "--no-man-pages",
                "--strip-java-debug-attributes",
                "--output",
                target.toString()));
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("jitney-release", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
            builder.environment().keySet().removeIf(name -> name.contains("JAVA_") || name.startsWith("JDK_"));
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new ReleaseException(command.get(0) + " took more than " + TIMEOUT_SECONDS + " seconds.");
            }
            if (process.exitValue() != 0) {
                throw new ReleaseException(command.get(0) + " ended with status " + process.exitValue() + ": "
                        + Files.readString(output, StandardCharsets.UTF_8).strip());
            }
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
