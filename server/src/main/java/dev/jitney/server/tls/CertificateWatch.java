package dev.jitney.server.tls;

import dev.jitney.runtime.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of certificates of a process, polled by one thread. A poll without changes costs a few calls of the file system.
 *
 * <p>Life cycle: {@link #start} begins the polls, {@link #close} ends them. Any thread may call the methods.
 */
public final class CertificateWatch implements AutoCloseable {
    /** The time between two polls, in milliseconds. */
    public static final long POLL_MS = 5_000;

    private static final Logger LOG = LoggerFactory.getLogger(CertificateWatch.class);
    private static final long REMIND_MS = TimeUnit.DAYS.toMillis(1);

    private final Clock clock;
    private final List<Watched<?>> files = new CopyOnWriteArrayList<>();
    private final List<LongFunction<@Nullable String>> endings = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "certificates");
        made.setDaemon(true);
        return made;
    });
    private long remindedAtMs = Long.MIN_VALUE;

    public CertificateWatch(Clock clock) {
        this.clock = clock;
    }

    /** Adds files. */
    public void add(Watched<?> watched) {
        files.add(watched);
    }

    /**
     * Adds a check of certificates in use.
     *
     * @param ending returns a sentence about a certificate that expires soon after the given time, or null
     */
    public void addEnding(LongFunction<@Nullable String> ending) {
        endings.add(ending);
    }

    /** Begins the polls. */
    public void start(long periodMs) {
        thread.scheduleWithFixedDelay(this::poll, periodMs, periodMs, TimeUnit.MILLISECONDS);
    }

    /** Polls all files once. */
    public synchronized void poll() {
        long nowMs = clock.nowMs();
        for (Watched<?> each : files) {
            try {
                each.poll(nowMs);
            } catch (RuntimeException e) { // a periodic task that throws is not run again
                LOG.warn("The files of certificates cannot be read.", e);
            }
        }
        List<String> soon = endings(nowMs);
        if (!soon.isEmpty() && (remindedAtMs == Long.MIN_VALUE || nowMs - remindedAtMs >= REMIND_MS)) {
            remindedAtMs = nowMs;
            soon.forEach(LOG::warn);
        }
    }

    private List<String> endings(long nowMs) {
        List<String> all = new ArrayList<>();
        for (LongFunction<@Nullable String> ending : endings) {
            String sentence = ending.apply(nowMs);
            if (sentence != null) {
                all.add(sentence);
            }
        }
        return all;
    }

    /** Returns sentences about files that cannot be used and certificates that expire soon. */
    public List<String> troubles() {
        List<String> all = new ArrayList<>(
                files.stream().map(Watched::trouble).filter(Objects::nonNull).toList());
        all.addAll(endings(clock.nowMs()));
        return all;
    }

    /** Returns the number of files that cannot be used. */
    public long failing() {
        return files.stream().filter(each -> each.trouble() != null).count();
    }

    /** Returns how often new files were put into use. */
    public long changes() {
        return files.stream().mapToLong(Watched::changes).sum();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
