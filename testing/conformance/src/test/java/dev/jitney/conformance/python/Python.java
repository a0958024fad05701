package dev.jitney.conformance.python;

import dev.jitney.conformance.support.PartitionedRun;
import dev.jitney.conformance.support.TestBroker;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * Debian's Python with Debian's packages, in the directory {@code python} of this module. A Python on the path may not
 * have these packages.
 */
public final class Python {
    private static final String INTERPRETER = "/usr/bin/python3";
    private static final File DIRECTORY = new File("python");

    private Python() {}

    /** Skips a test if the SDK is missing, or fails it if {@code JITNEY_CI} is true. */
    public static void requireServiceBus() {
        require(
                "import azure.servicebus, uamqp; print(azure.servicebus.__version__)",
                PythonVersions.SERVICE_BUS,
                "python3-azure");
    }

    /** Skips a test if Qpid Proton is missing, or fails it if {@code JITNEY_CI} is true. */
    static void requireProton() {
        require(
                "import proton; print('.'.join(str(part) for part in proton.VERSION))",
                PythonVersions.PROTON,
                "python3-qpid-proton");
    }

    private static void require(String program, String version, String debianPackage) {
        String found = version(program);
        if (found.equals(version)) {
            return;
        }
        String missing = "Expected version " + version + " in " + INTERPRETER + ", but found: " + found
                + ". Install it: apt-get install " + debianPackage + " (Debian 12).";
        if ("true".equals(System.getenv("JITNEY_CI"))) {
            throw new AssertionError(missing + " Install it: in CI this test must not be skipped.");
        }
        Assumptions.abort(missing);
    }

    private static String version(String program) {
        if (!Files.isExecutable(Path.of(INTERPRETER))) {
            return "no such file";
        }
        try {
            Process process = new ProcessBuilder(INTERPRETER, "-c", program)
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return said.substring(said.lastIndexOf('\n') + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a program of the directory, for a broker with TLS for AMQP and HTTP. */
    static ProcessBuilder program(TestBroker broker, String file) {
        return program(
                file,
                broker.caFile(),
                Map.of(
                        "SERVICEBUS_CONNECTION_STRING", broker.tlsConnectionString(),
                        "SERVICEBUS_ADMIN_CONNECTION_STRING", broker.adminConnectionString(),
                        "JITNEY_AMQP_PORT", String.valueOf(broker.amqpPort()),
                        "JITNEY_AMQPS_PORT", String.valueOf(broker.amqpsPort()),
                        "JITNEY_HTTPS_PORT", String.valueOf(broker.httpsPort()),
                        "JITNEY_PARTITIONED", String.valueOf(PartitionedRun.ASKED)));
    }

    /**
     * Returns a program of the directory with additional environment variables.
     *
     * @param caFile the authority of the server's certificate
     */
    public static ProcessBuilder program(String file, Path caFile, Map<String, String> environment) {
        ProcessBuilder program = new ProcessBuilder(INTERPRETER, "-B", "-u", file).directory(DIRECTORY);
        program.environment().putAll(environment);
        program.environment().put("JITNEY_CA_FILE", caFile.toString());
        // The administration client has no other option for the trusted authority.
        program.environment().put("REQUESTS_CA_BUNDLE", caFile.toString());
        return program;
    }
}
