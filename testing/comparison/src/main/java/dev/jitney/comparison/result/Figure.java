package dev.jitney.comparison.result;

import java.util.Locale;

/** A figure of a run, with its name and format for people. */
public enum Figure {
    PER_SECOND("perSecond", "Messages per second", "%,.0f"),
    CPU_MICROS("cpuMicros", "µs of server processor time per message", "%.1f"),
    CLIENT_CPU_MICROS("clientCpuMicros", "µs of client processor time per message", "%.1f"),
    ACCEPTED_P50("acceptedP50Ms", "Send to accepted, p50, ms", "%.2f"),
    ACCEPTED_P99("acceptedP99Ms", "Send to accepted, p99, ms", "%.2f"),
    ACCEPTED_P999("acceptedP999Ms", "Send to accepted, p99.9, ms", "%.2f"),
    RECEIVED_P50("receivedP50Ms", "Send to received, p50, ms", "%.2f"),
    RECEIVED_P99("receivedP99Ms", "Send to received, p99, ms", "%.2f"),
    RECEIVED_P999("receivedP999Ms", "Send to received, p99.9, ms", "%.2f"),
    DISK_P50("diskP50Ms", "The disk alone at that rate, p50, ms", "%.2f"),
    DISK_P99("diskP99Ms", "The disk alone at that rate, p99, ms", "%.2f"),
    DISK_P999("diskP999Ms", "The disk alone at that rate, p99.9, ms", "%.2f"),
    RATE("rate", "Requested rate, messages per second", "%,.0f"),
    WRITTEN_BYTES("writtenBytes", "Bytes written to disk per message", "%,.0f"),
    RSS_MIB("rssMiB", "Resident memory at the end, MiB", "%,.0f"),
    PEAK_RSS_MIB("peakRssMiB", "Maximum resident memory, MiB", "%,.0f"),
    HEAP_MIB("heapMiB", "Live heap after a full collection, MiB", "%,.0f"),
    START_MS("startMs", "Start to first accepted message, ms", "%,.0f"),
    IDLE_RSS_MIB("idleRssMiB", "Resident memory when idle, MiB", "%,.0f"),
    FILL_PER_SECOND("fillPerSecond", "Fill, messages per second", "%,.0f"),
    FILL_CPU_MICROS("fillCpuMicros", "Fill, µs of server processor time per message", "%.1f"),
    FILL_WRITTEN_BYTES("fillWrittenBytes", "Fill, bytes written to disk per message", "%,.0f"),
    FULL_RSS_MIB("fullRssMiB", "Full, resident memory, MiB", "%,.0f"),
    FULL_HEAP_MIB("fullHeapMiB", "Full, live heap, MiB", "%,.0f"),
    FULL_DISK_MIB("fullDiskMiB", "Full, files on disk, MiB", "%,.0f"),
    RESTART_ACCEPTED_MS("restartAcceptedMs", "Restart after SIGKILL to first accepted message, ms", "%,.0f"),
    RESTART_RECEIVED_MS("restartReceivedMs", "Restart after SIGKILL to first received message, ms", "%,.0f"),
    DRAIN_PER_SECOND("drainPerSecond", "Drain, messages per second", "%,.0f"),
    DRAIN_CPU_MICROS("drainCpuMicros", "Drain, µs of server processor time per message", "%.1f"),
    DRAIN_WRITTEN_BYTES("drainWrittenBytes", "Drain, bytes written to disk per message", "%,.0f");

    private final String key;
    private final String title;
    private final String format;

    Figure(String key, String title, String format) {
        this.key = key;
        this.title = title;
        this.format = format;
    }

    /** Returns the name in files. */
    public String key() {
        return key;
    }

    /** Returns the name for people, with the unit. */
    public String title() {
        return title;
    }

    public String text(double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
