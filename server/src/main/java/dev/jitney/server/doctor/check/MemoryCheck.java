package dev.jitney.server.doctor.check;

import com.sun.management.OperatingSystemMXBean;
import dev.jitney.server.doctor.Check;
import dev.jitney.server.doctor.Findings;
import dev.jitney.server.doctor.Installation;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The memory of the machine or the container, and the heap of a running server. */
final class MemoryCheck implements Check {
    /** RocksDB, Netty and the JVM itself need memory beside the heap. */
    private static final long BESIDE_HEAP = 256 * Sizes.MIB;

    private static final long LEAST = 512 * Sizes.MIB;
    private static final double NEARLY = 0.9;
    private static final Pattern HEAP = Pattern.compile("-Xmx(\\d{1,9})([kKmMgG]?)");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");
    private static final Pattern SWAPPED = Pattern.compile("(?m)^VmSwap:\\s+(\\d+) kB");

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public void run(Installation of, Findings to) throws IOException {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system)) {
            to.advice("The memory of this machine is not known.", "Use a JDK with the module jdk.management.");
            return;
        }
        long total = system.getTotalMemorySize(); // of the container, if there is one
        if (total < LEAST) {
            to.warning(
                    "This machine or container has " + Sizes.of(total) + " of memory.",
                    "Give it at least 512 MiB (docs/guides/capacity-planning.md).");
        }
        Long heap = heap(of);
        if (heap != null) {
            heap(heap, total, to);
        }
        Path status = of.process().file("status");
        if (status != null) {
            used(Files.readString(status), total, to);
        }
        if (to.isClean()) {
            to.ok("This machine or container has " + Sizes.of(total) + " of memory.");
        }
    }

    static void heap(long heap, long total, Findings to) {
        if (heap + BESIDE_HEAP > total) {
            to.warning(
                    "The heap may grow to " + Sizes.of(heap) + " of " + Sizes.of(total)
                            + ", and the server needs at least 256 MiB beside it. The system may kill it.",
                    "Set a smaller -Xmx in JITNEY_JAVA_OPTS, or a larger limit of the container.");
        }
    }

    static void used(String status, long total, Findings to) {
        Matcher resident = RESIDENT.matcher(status);
        if (resident.find() && Long.parseLong(resident.group(1)) * 1_024 > total * NEARLY) {
            to.warning(
                    "The server uses " + Sizes.of(Long.parseLong(resident.group(1)) * 1_024) + " of " + Sizes.of(total)
                            + ".",
                    "Set a smaller -Xmx in JITNEY_JAVA_OPTS, or give it more memory.");
        }
        Matcher swapped = SWAPPED.matcher(status);
        if (swapped.find() && Long.parseLong(swapped.group(1)) > 0) {
            to.warning(
                    "A part of the server is in swap (" + Sizes.of(Long.parseLong(swapped.group(1)) * 1_024)
                            + "), so it stalls at times.",
                    "Give the machine more memory, or switch swap off.");
        }
    }

    private static @Nullable Long heap(Installation of) throws IOException {
        Path command = of.process().file("cmdline");
        if (command == null) {
            return null;
        }
        Long heap = null;
        for (String argument : Files.readString(command, StandardCharsets.UTF_8).split("\0", -1)) {
            Matcher given = HEAP.matcher(argument);
            if (given.matches()) {
                long unit = switch (given.group(2).toLowerCase(Locale.ROOT)) {
                    case "k" -> 1L << 10;
                    case "m" -> 1L << 20;
                    case "g" -> 1L << 30;
                    default -> 1L;
                };
                heap = Long.parseLong(given.group(1)) * unit; // the last one is in force
            }
        }
        return heap;
    }
}
