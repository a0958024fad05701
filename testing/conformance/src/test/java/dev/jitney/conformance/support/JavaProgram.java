package dev.jitney.conformance.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program of another module in a Java machine of its own, with that module's class path. */
public final class JavaProgram {

    private JavaProgram() {}

    /**
     * A program that trusts a broker as a user's program would, by a trust store, and gets its connection string.
     *
     * @param module the directory of the module under {@code testing}
     * @param main the class with its main method
     */
    public static ProcessBuilder of(String module, String main, TestBroker broker) throws IOException {
        Path target = Path.of("..", module, "target");
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Djavax.net.ssl.trustStore=" + broker.trustStore(),
                "-Djavax.net.ssl.trustStorePassword=changeit",
                "-cp",
                target.resolve("classes") + ":"
                        + Files.readString(target.resolve("classpath.txt")).strip(),
                main,
                broker.adminConnectionString());
    }
}
