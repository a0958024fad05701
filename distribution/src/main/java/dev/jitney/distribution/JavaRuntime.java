package dev.jitney.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Java runtime with the modules that Jitney uses, created by the jlink of a JDK. */
final class JavaRuntime {
    /** The modules that Jitney uses. {@code ReleasedArchiveTest} fails if one is missing. */
    private static final String MODULES = String.join(
            ",",
            "java.base",
            "java.logging", // libraries that log through java.util.logging
            "java.management", // metrics
            "java.naming", // names in certificates
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
     * Checks that a JDK is for Linux with glibc on x86-64, because its runtime has the platform of the JDK.
     *
     * @throws ReleaseException if it is for another platform
     */
    static void requireLinuxX64(Path jdk) throws IOException {
        Path java = jdk.resolve("bin/java");
        if (!Files.isRegularFile(java)) {
            throw new ReleaseException("Expected a JDK, but there is no " + java
                    + ". Set JAVA_HOME to a JDK, 17 or later, or use --runtime-jdk.");
        }
        ElfFile program = ElfFile.read(Files.readAllBytes(java), java.toString());
        if (program == null
                || program.machine() != ElfFile.MACHINE_X86_64
                || !program.needed().contains("libc.so.6")) {
            throw new ReleaseException("Expected a JDK for Linux with glibc on x86-64, because the files for "
                    + Platform.LINUX_X64.label() + " include its Java, but the JDK in " + jdk
                    + " is for another platform. Make the release on such a machine.");
        }
    }

    /**
     * Writes a runtime into a folder, which must not exist.
     *
     * @param jdk the JDK whose jlink and modules are used; the runtime has its platform
     */
    static void make(Path jdk, Path target) throws IOException, InterruptedException {
        make(jdk, List.of(), target);
    }

    /** Writes a runtime with more options for jlink, such as another folder of modules. */
    static void make(Path jdk, List<String> options, Path target) throws IOException, InterruptedException {
        Path jlink = jdk.resolve("bin/jlink");
        if (!Files.isExecutable(jlink)) {
            throw new ReleaseException("Expected a JDK with jlink, but there is no " + jlink
                    + ". Set JAVA_HOME to a JDK, 17 or later, or use --runtime-jdk.");
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
