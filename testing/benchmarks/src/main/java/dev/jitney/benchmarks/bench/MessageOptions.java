package dev.jitney.benchmarks.bench;

import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The options for the content of each message. */
public final class MessageOptions {
    private static final int SIZE_MIN = 16;
    private static final int SIZE_MAX = 1 << 20;
    private static final int PROPERTIES_MAX = 50;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Size of each message body in bytes, 16 to 1048576 (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "--properties",
            paramLabel = "N",
            defaultValue = "0",
            description = "Number of application properties of each message, 0 to 50, strings and numbers in turn"
                    + " (default: ${DEFAULT-VALUE}).")
    private int properties;

    public int size() {
        return size;
    }

    public Map<String, Object> properties() {
        Map<String, Object> made = new TreeMap<>();
        for (int i = 0; i < properties; i++) {
            made.put("property-" + i, i % 2 == 0 ? (Object) ("value " + i) : (Object) i);
        }
        return made;
    }

    public void check(Terminal terminal) {
        terminal.check("--size", size, SIZE_MIN, SIZE_MAX);
        terminal.check("--properties", properties, 0, PROPERTIES_MAX);
    }
}
