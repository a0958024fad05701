package dev.jitney.benchmarks.bench;

import dev.jitney.benchmarks.load.Sending;
import dev.jitney.benchmarks.load.Spread;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A figure of a {@link Sending} with its names. */
enum Figure {
    RATE("messages/s", "messagesPerSecond", Sending::perSecond, "%,.0f"),
    CPU("us of server cpu/msg", "serverCpuMicrosPerMessage", Sending::cpuMicros, "%.2f"),
    STORE("store bytes/msg", "storeBytesPerMessage", Sending::storeBytes, "%,.0f"),
    DISK("disk bytes/msg", "diskBytesPerMessage", Sending::diskBytes, "%,.0f");

    private final String label;
    private final String key;
    private final ToDoubleFunction<Sending> value;
    private final String format;

    Figure(String label, String key, ToDoubleFunction<Sending> value, String format) {
        this.label = label;
        this.key = key;
        this.value = value;
        this.format = format;
    }

    /** Returns the figures that are known in the given runs. */
    static List<Figure> of(List<Sending> runs) {
        boolean disk = runs.stream().allMatch(run -> run.diskBytes() > 0);
        return disk ? List.of(values()) : List.of(RATE, CPU, STORE);
    }

    /** Returns the name that people read. */
    String label() {
        return label;
    }

    /** Returns the name that programs read. */
    public String key() {
        return key;
    }

    public String text(double number) {
        return String.format(Locale.ROOT, format, number);
    }

    Spread spread(List<Sending> runs) {
        return new Spread(runs.stream().mapToDouble(value).toArray());
    }
}
