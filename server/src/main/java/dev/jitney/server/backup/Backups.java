package dev.jitney.server.backup;

import dev.jitney.gateway.http.operator.backup.BackupService;
import dev.jitney.gateway.http.operator.backup.BackupView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The backups of a running server, one at a time, in threads of their own that end when they are idle. Thread-safe. */
public final class Backups implements BackupService, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Backups.class);

    /** The number of orders that are still known after their end. */
    private static final int RUNS_MAX = 20;

    /** One for a backup, and one for lists. */
    private static final int THREADS = 2;

    private static final int WAITING_MAX = 16;
    private static final int IDLE_SECONDS = 10;
    private static final int CLOSE_SECONDS = 10;

    private final BackupSource source;
    private final Path path;
    private final String program;
    private final LongSupplier clockMs;
    private final @Nullable Path archive;
    private final ThreadPoolExecutor threads;
    private volatile boolean closed;

    /** The last orders by their numbers, the oldest first. Guarded by this. */
    private final Map<Long, Progress> runs = new LinkedHashMap<>();

    private long lastRun;
    private boolean running;
    private BackupFigures figures = BackupFigures.NONE;

    /**
     * @param path    the directory of the backups
     * @param archive the directory of the archive, or null for none
     * @param program the version of the program
     * @param clockMs the clock, in milliseconds since the epoch
     */
    public Backups(BackupSource source, Path path, @Nullable Path archive, String program, LongSupplier clockMs) {
        this.archive = archive;
        this.source = source;
        this.path = path.toAbsolutePath().normalize();
        this.program = program;
        this.clockMs = clockMs;
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), work -> {
                    Thread thread = new Thread(work, "jitney-backup");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        threads.execute(this::findNewest);
    }

    /** Finds the last backup of an earlier time, for the metrics. */
    private void findNewest() {
        try {
            List<BackupDirectory.Entry> all = BackupDirectory.of(path).list();
            Manifest newest = all.isEmpty() ? null : all.get(all.size() - 1).manifest();
            synchronized (this) {
                if (newest != null && figures.lastMomentMs() == 0) {
                    figures = figures.found(newest);
                }
            }
        } catch (BackupException e) {
            LOG.debug("Cannot read the backups in {}.", path, e); // an order reports it
        }
    }

    /** Returns numbers about the backups so far. */
    public synchronized BackupFigures figures() {
        return figures;
    }

    @Override
    public @Nullable String refusal() {
        return null;
    }

    @Override
    public String directory() {
        return path.toString();
    }

    @Override
    public synchronized @Nullable CompletionStage<BackupView> create(long bytesPerSecond, int keep) {
        if (running) {
            return null;
        }
        BackupRun run;
        try {
            run = new BackupRun(
                            source,
                            BackupDirectory.of(path),
                            program,
                            new Pace(bytesPerSecond, () -> closed),
                            keep,
                            clockMs)
                    .withArchive(archive);
        } catch (BackupException e) {
            Progress failed = new Progress();
            failed.fail("--backup-dir " + e.getMessage());
            figures = figures.oneFailed();
            return CompletableFuture.completedFuture(view(0, failed));
        }
        long number = ++lastRun;
        Progress progress = run.progress();
        runs.put(number, progress);
        if (runs.size() > RUNS_MAX) {
            runs.remove(runs.keySet().iterator().next());
        }
        running = true;
        try {
            threads.execute(() -> run(run, number));
        } catch (RejectedExecutionException e) {
            ended();
            progress.fail("The server is shutting down, or too many requests for backups wait. Try again later.");
        }
        return progress.moment().thenApply(reached -> view(number, reached));
    }

    private void run(BackupRun run, long number) {
        long startedNanos = System.nanoTime();
        Manifest made = null;
        try {
            made = run.run();
            Progress progress = run.progress();
            LOG.info(
                    "Backup {} is complete in {}: {} bytes, {} of them new. Commits waited for {} microseconds.{}",
                    made.id(),
                    path,
                    made.bytes(),
                    made.newBytes(),
                    progress.pausedNanos() / 1_000,
                    progress.warning().isEmpty() ? "" : " " + progress.warning());
        } catch (BackupException e) {
            LOG.warn("Backup order {} has failed. Older backups are unchanged. {}", number, e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.error("Backup order {} has failed because of an internal error.", number, e);
        } finally {
            synchronized (this) {
                long durationMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
                figures = made == null
                        ? figures.oneFailed()
                        : figures.made(made, durationMs, run.progress().pausedNanos());
            }
            ended();
        }
    }

    private synchronized void ended() {
        running = false;
    }

    @Override
    public synchronized @Nullable BackupView run(long run) {
        Progress progress = runs.get(run);
        return progress == null ? null : view(run, progress);
    }

    @Override
    public CompletionStage<List<BackupView>> list() {
        try {
            return CompletableFuture.supplyAsync(this::read, threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private List<BackupView> read() {
        try {
            List<BackupView> views = new ArrayList<>();
            for (BackupDirectory.Entry entry : BackupDirectory.of(path).list()) {
                Manifest manifest = entry.manifest();
                views.add(
                        manifest == null
                                ? new BackupView(0, entry.id(), "unreadable", 0, 0, 0, 0, 0, 0, entry.trouble(), "")
                                : view(0, "done", manifest, new Progress()));
            }
            return views;
        } catch (BackupException e) {
            throw new CompletionException(e);
        }
    }

    private static BackupView view(long run, Progress progress) {
        String state = progress.state().name().toLowerCase(Locale.ROOT);
        Manifest manifest = progress.manifest();
        if (manifest != null) {
            return view(run, state, manifest, progress);
        }
        return new BackupView(
                run,
                "",
                state,
                progress.momentMs(),
                progress.bytesTotal(),
                0,
                progress.bytesDone(),
                0,
                progress.pausedNanos(),
                progress.trouble(),
                progress.warning());
    }

    private static BackupView view(long run, String state, Manifest manifest, Progress progress) {
        return new BackupView(
                run,
                manifest.id(),
                state,
                manifest.momentMs(),
                manifest.bytes(),
                manifest.newBytes(),
                progress.bytesDone(),
                manifest.stores().size(),
                progress.pausedNanos(),
                "",
                progress.warning());
    }

    /** Cancels a backup that runs, and waits for its end, so that the stores can be closed. */
    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("A backup did not end within {} s.", CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
