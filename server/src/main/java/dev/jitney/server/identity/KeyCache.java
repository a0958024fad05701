package dev.jitney.server.identity;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current keys of an identity provider. They are read in the background: at the start, at regular times, and when a
 * token names an unknown key, at most once in {@value #AGAIN_MS} ms. Any thread may call it, and none waits.
 *
 * <p>While the provider cannot be read, the old keys stay valid for {@value #AGE_MAX_MS} ms, so that an outage of the
 * provider does not stop clients that have tokens. A key that the provider has withdrawn is invalid from the next read.
 */
final class KeyCache {
    /** The time between two reads for unknown keys, and after a failure, in milliseconds. */
    static final long AGAIN_MS = 10_000;

    /** The time for which keys are valid without a successful read: one day, in milliseconds. */
    static final long AGE_MAX_MS = 86_400_000;

    /** The limit of tokens that wait for a read at the same time. */
    static final int WAITING_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(KeyCache.class);

    private final KeySource source;
    private final ScheduledExecutorService executor;
    private final LongSupplier clockMs;
    private final AtomicInteger waiting = new AtomicInteger();

    private volatile ProviderKeys keys = ProviderKeys.NONE;
    private volatile long version;
    private volatile long readAtMs;
    private volatile @Nullable String failure;
    private long triedAtMs;
    private boolean tried;
    private @Nullable CompletableFuture<Void> reading;

    /**
     * @param executor runs the reads; its owner stops it
     * @param clockMs  a clock that never runs backwards, in milliseconds
     */
    KeyCache(KeySource source, ScheduledExecutorService executor, LongSupplier clockMs) {
        this.source = source;
        this.executor = executor;
        this.clockMs = clockMs;
    }

    /** Starts the first read, and the regular ones. */
    void start() {
        read();
        executor.scheduleWithFixedDelay(this::tick, AGAIN_MS, AGAIN_MS, TimeUnit.MILLISECONDS);
    }

    /** Reads again if the keys are old, or if the last read has failed; ends keys that are too old. */
    void tick() {
        long nowMs = clockMs.getAsLong();
        if (!keys.isEmpty() && nowMs - readAtMs > AGE_MAX_MS) {
            LOG.error(
                    "The keys of the identity provider {} could not be read for a day and are not valid any more. Tokens are"
                            + " refused until a read succeeds.",
                    source);
            replace(ProviderKeys.NONE);
        }
        if (failure != null || keys.isEmpty() || nowMs - readAtMs >= source.refreshMs()) {
            read();
        }
    }

    ProviderKeys keys() {
        return keys;
    }

    /** Returns a number that grows when keys are withdrawn. */
    long version() {
        return version;
    }

    /** Returns the reason why the last read has failed, or null if it has not. */
    @Nullable
    String failure() {
        return failure;
    }

    /**
     * Reads the keys again for a token whose key is unknown, unless they were read just before.
     *
     * @return completes after a bounded time, never with a failure; null if the token should not wait
     */
    @Nullable
    CompletionStage<Void> readAgain() {
        if (waiting.incrementAndGet() > WAITING_MAX) {
            waiting.decrementAndGet();
            return null;
        }
        CompletableFuture<Void> current = soon();
        if (current == null) {
            waiting.decrementAndGet();
            return null;
        }
        return current.thenRun(waiting::decrementAndGet);
    }

    private synchronized @Nullable CompletableFuture<Void> soon() {
        if (reading != null) {
            return reading;
        }
        return tried && clockMs.getAsLong() - triedAtMs < AGAIN_MS ? null : read();
    }

    private synchronized CompletableFuture<Void> read() {
        CompletableFuture<Void> running = reading;
        if (running != null) {
            return running;
        }
        CompletableFuture<Void> started = new CompletableFuture<>();
        reading = started;
        tried = true;
        triedAtMs = clockMs.getAsLong();
        executor.execute(() -> source.read().thenApply(ProviderKeys::parse).whenComplete(this::done));
        return started;
    }

    private void done(@Nullable ProviderKeys read, @Nullable Throwable problem) {
        if (read != null) {
            readAtMs = clockMs.getAsLong();
            if (failure != null || keys.isEmpty()) {
                LOG.info("{} keys of the identity provider {} were read", read.count(), source);
            }
            failure = null;
            replace(read);
        } else {
            Throwable cause = problem == null || problem.getCause() == null ? problem : problem.getCause();
            String reason = cause == null ? "" : String.valueOf(cause.getMessage());
            if (!reason.equals(failure)) {
                LOG.warn(
                        "The keys of the identity provider {} cannot be read; trying again every {} s: {}",
                        source,
                        AGAIN_MS / 1_000,
                        reason);
            }
            failure = reason;
        }
        CompletableFuture<Void> ended;
        synchronized (this) {
            ended = reading;
            reading = null;
        }
        if (ended != null) {
            ended.complete(null);
        }
    }

    private synchronized void replace(ProviderKeys current) {
        boolean withdrawn = !current.hasAllOf(keys);
        keys = current;
        if (withdrawn) {
            version++; // after the keys, so that a reader of the new version sees the new keys
        }
    }
}
