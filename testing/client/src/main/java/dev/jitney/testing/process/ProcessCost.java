package dev.jitney.testing.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What a process has used so far. Linux tells memory; processor time is known everywhere. Thread-safe. */
public final class ProcessCost {
    private final long pid;

    /** @param pid a running process */
    public ProcessCost(long pid) {
        this.pid = pid;
    }

    /** Processor time in user and kernel mode, of all its threads, in nanoseconds; 0 if it is gone. */
    public long cpuNanos() {
        Optional<Duration> used =
                ProcessHandle.of(pid).flatMap(handle -> handle.info().totalCpuDuration());
        return used.map(Duration::toNanos).orElse(0L);
    }

    /** Memory it holds in KiB, -1 where that is not known. */
    public long residentKiB() {
        return number("status", "VmRSS:");
    }

    /** The most memory it ever held in KiB, -1 where that is not known. */
    public long peakResidentKiB() {
        return number("status", "VmHWM:");
    }

    /** Files and sockets it has open, -1 where that is not known. */
    public int openFiles() {
        String[] open = Path.of("/proc/" + pid + "/fd").toFile().list();
        return open == null ? -1 : open.length;
    }

    /** Bytes it caused to be written to disk, -1 where that is not known; a file system in memory counts for nothing. */
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
