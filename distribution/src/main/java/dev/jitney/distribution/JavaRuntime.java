package dev.jitney.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Java runtime with the modules that Jitney uses, made by the jlink of a JDK. */
final class JavaRuntime {
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
        make(jdk, List.of(), target);
    }

    /** The same with more options for jlink, such as another place of the modules. */
    static void make(Path jdk, List<String> options, Path target) throws IOException, InterruptedException {
        Path jlink = jdk.resolve("bin/jlink");
        if (!Files.isExecutable(jlink)) {
            throw new ReleaseException("Expected a JDK with jlink, but there is no " + jlink
                    + ". Set JAVA_HOME to a JDK, 17 or later, or name one with --runtime-jdk.");
        }
        List<String> command = new ArrayList<>(List.of(
                jlink.toString(),
                "--add-modules",
                MODULES,
                "--no-header-files",
                "--no-man-pages",
                "--strip-java-debug-attributes",
                "--output",
                target.toString()));
        command.addAll(options);
        Programs.run(Path.of("").toAbsolutePath(), command);
    }
}
