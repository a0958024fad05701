package dev.jitney.conformance.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program of another module in a separate Java process, with that module's class path. */
public final class JavaProgram {

    private JavaProgram() {}

    /**
     * Returns a program with the broker's trust store, like a user's program, and with its connection string.
     *
     * @param module the directory of the module under {@code testing}
     * @param main the class with its main method
     */
    public static ProcessBuilder of(String module, String main, TestBroker broker) throws IOException {
        Path target = Path.of("..", module, "target");
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djavax.net.ssl.trustStore=" + broker.trustStore(),
                "-Djavax.net.ssl.trustStorePassword=changeit",
                "-cp",
                target.resolve("classes") + ":"
                        + Files.readString(target.resolve("classpath.txt")).strip(),
                main,
                broker.adminConnectionString());
    }
}
