package dev.jitney.crash.greedy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A sampler of the largest classes in a server's heap, including garbage. It slows down the server. */
final class HeapHistogram implements AutoCloseable {
    static final boolean WANTED = Boolean.getBoolean("jitney.greedy.histogram");

    private static final int LINES = 16;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final long pid;
    private final Thread thread = new Thread(this::work, "histogram");
    private volatile boolean stopped;
    private volatile String last = "none";

    HeapHistogram(long pid) {
        this.pid = pid;
        thread.setDaemon(true);
        if (WANTED) {
            thread.start();
        }
    }

    private void work() {
        while (!stopped) {
            try {
                String look = look();
                if (look.contains("#instances")) {
                    last = look;
                }
            } catch (IOException ended) {
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private String look() throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(jcmd.toString(), String.valueOf(pid), "GC.class_histogram", "-all")
                .redirectErrorStream(true)
                .start();
        String all = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        List<String> lines = all.lines().toList();
        String total = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        return String.join("\n", lines.subList(0, Math.min(LINES, lines.size()))) + "\n" + total;
    }

    @Override
    public void close() {
        stopped = true;
        if (WANTED) {
            System.out.println(last);
        }
    }
}
