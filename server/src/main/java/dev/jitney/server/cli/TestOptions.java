package dev.jitney.server.cli;

import dev.jitney.server.JitneyServerBuilder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a server for tests. */
final class TestOptions {
    @Option(
            names = "--in-memory",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description =
                    "Keep everything in memory, for tests: all messages and entities are lost when the server stops."
                            + " Excludes --data-dir, --store-dirs, --backup-dir, --archive-dir, --tls auto and a cluster. The"
                            + " variable JITNEY_DATA_DIR, which images and packages set, then has no effect (default:"
                            + " ${DEFAULT-VALUE}).")
    private boolean inMemory;

    @Option(
            names = "--in-memory-size",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Memory for messages and entities of all stores together with --in-memory, such as 64m or 1g;"
                    + " above it, sends are refused. From 1m for each store to half of the heap (default: a quarter of"
                    + " the heap).")
    private @Nullable Long inMemorySize;

    @Option(
            names = "--test-mode",
            paramLabel = "OFF|LOOPBACK|ANY",
            arity = "0..1",
            fallbackValue = "LOOPBACK",
            defaultValue = "OFF",
            description =
                    "Let clients control the server for tests with the requests below /$test, which need no key: move the"
                            + " time of messages, create and reset namespaces, cause faults. LOOPBACK (also without a value)"
                            + " serves programs on this machine, ANY all that can connect. Never use it in production"
                            + " (default: ${DEFAULT-VALUE}).")
    private String testMode = "OFF";

    /** Returns the value of {@code --test-mode}, which is not checked. */
    String testMode() {
        return testMode;
    }

    /** Returns whether the server keeps everything in memory. */
    boolean isAsked() {
        return inMemory;
    }

    /**
     * Sets the options of a server.
     *
     * @param bad makes the exception of invalid options
     */
    void addTo(JitneyServerBuilder builder, Function<String, ParameterException> bad) {
        Long size = inMemorySize;
        if (size == null) {
            builder.inMemory(inMemory);
        } else if (inMemory) {
            builder.inMemoryBytes(size);
        } else {
            throw bad.apply("--in-memory-size: Expected a server that keeps everything in memory. Add --in-memory.");
        }
    }
}
