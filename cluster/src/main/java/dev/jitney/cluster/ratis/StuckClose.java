package dev.jitney.cluster.ratis;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Frees a Ratis server that cannot close. In Ratis 3.3.0 the log holds its lock while it waits for the end of the thread that
 * removes entries from the cache. If that thread waits for the same lock, both wait forever. An interrupt ends the wait of the
 * first one, and the close continues.
 */
final class StuckClose {
    private static final long PATIENCE_MS = 3_000;
    private static final String WAITS_IN = "org.apache.ratis.util.AwaitToRun";

    private final String server;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param server the name of the server, with which the names of its threads begin */
    StuckClose(String server) {
        this.server = server;
    }

    /** Starts to watch a close, until {@link #ended}. */
    void begun() {
        Thread thread = new Thread(this::watch, "cluster-close-" + server);
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        try {
            while (!closed.await(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                Thread.getAllStackTraces().entrySet().stream()
                        .filter(thread -> isStuck(thread.getKey(), thread.getValue()))
                        .map(Map.Entry::getKey)
                        .forEach(Thread::interrupt);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isStuck(Thread thread, StackTraceElement[] stack) {
        if (thread.getName().startsWith(server)) {
            for (StackTraceElement frame : stack) {
                if (frame.getClassName().equals(WAITS_IN)
                        && frame.getMethodName().equals("close")) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The server has closed. */
    void ended() {
        closed.countDown();
    }
}
