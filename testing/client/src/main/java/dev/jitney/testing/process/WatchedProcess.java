package dev.jitney.testing.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process whose output and resource use are read, and which ends at the latest with the Java machine that started it.
 * Thread-safe.
 */
public final class WatchedProcess implements AutoCloseable {
    private static final int ERRORS_KEPT = 200;

    private final Process process;
    private final ProcessCost cost;
    private final List<String> errors = new ArrayList<>();
    private final Thread shutdownHook;

    private WatchedProcess(Process process) {
        this.process = process;
        this.cost = new ProcessCost(process.pid());
        this.shutdownHook = new Thread(process::destroyForcibly, "end-server");
        Runtime.getRuntime().addShutdownHook(shutdownHook);
    }

    /**
     * Starts a process.
     *
     * @param line called with each line of its standard output, on a separate thread
     * @param ended called on that thread at the end of the output
     */
    public static WatchedProcess start(ProcessBuilder builder, Consumer<String> line, Runnable ended)
            throws IOException {
        WatchedProcess started = new WatchedProcess(builder.start());
        daemon("server-out", () -> {
            started.read(started.process.getInputStream(), line);
            ended.run();
        });
        daemon("server-err", () -> started.read(started.process.getErrorStream(), started::keep));
        return started;
    }

    /** Returns the last lines of its standard error. */
    public String errors() {
        synchronized (errors) {
            return String.join("\n", errors);
        }
    }

    /** Returns the resources that it has used. */
    public ProcessCost cost() {
        return cost;
    }

    /** Returns its process id. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether it is running. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it with SIGKILL, like a crash. Returns when it has ended. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends it with SIGTERM and waits. */
    public int terminate() throws InterruptedException {
        process.destroy();
        return awaitExit();
    }

    /** Waits for its end, at most one minute, and returns its exit status. */
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("Expected the server to end within a minute, but it runs: " + errors());
        }
        return process.exitValue();
    }

    /** Waits briefly for its end. Returns whether it has ended. */
    public boolean awaitExit(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Kills it if it is still running. */
    @Override
    public void close() {
        try {
            kill();
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException shuttingDown) {
            // The shutdown hook is already running and does the same.
        }
    }

    private void read(InputStream stream, Consumer<String> each) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                each.accept(line);
            }
        } catch (IOException e) {
            keep("its output could not be read: " + e);
        }
    }

    private void keep(String line) {
        synchronized (errors) {
            errors.add(line);
            if (errors.size() > ERRORS_KEPT) {
                errors.remove(0);
            }
        }
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
