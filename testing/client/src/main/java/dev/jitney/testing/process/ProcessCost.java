package dev.jitney.testing.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The resources that a process has used. Memory is available on Linux, processor time everywhere. Thread-safe. */
public final class ProcessCost {
    private final long pid;

    /** @param pid a running process */
    public ProcessCost(long pid) {
        this.pid = pid;
    }

    /** Returns the processor time in user and kernel mode, of all threads, in nanoseconds; 0 if the process has ended. */
    public long cpuNanos() {
        Optional<Duration> used =
                ProcessHandle.of(pid).flatMap(handle -> handle.info().totalCpuDuration());
        return used.map(Duration::toNanos).orElse(0L);
    }

    /** Returns the resident memory in KiB, or -1 if unknown. */
    public long residentKiB() {
        return number("status", "VmRSS:");
    }

    /** Returns the peak of the resident memory in KiB, or -1 if unknown. */
    public long peakResidentKiB() {
        return number("status", "VmHWM:");
    }

    /** Returns the number of open files and sockets, or -1 if unknown. */
    public int openFiles() {
        String[] open = Path.of("/proc/" + pid + "/fd").toFile().list();
        return open == null ? -1 : open.length;
    }

    /** Returns the bytes written to disk for it, or -1 if unknown. A file system in memory does not count. */
    public long writtenBytes() {
        return number("io", "write_bytes:");
    }

    private long number(String file, String key) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/" + file))) {
                if (line.startsWith(key)) {
                    return Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
        } catch (IOException notLinuxOrGone) {
            return -1;
        }
        return -1;
    }
}
