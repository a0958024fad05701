package dev.jitney.server.archive;

import dev.jitney.runtime.BrokerException;
import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.MessagingStore;
import dev.jitney.server.stores.StoresOnDisk;
import dev.jitney.store.rocksdb.RocksDbMessagingStore;
import dev.jitney.store.rocksdb.log.CommitFeed;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the archive of a running server, in a thread of its own: copies the commits of all stores, and takes a moment of all of them
 * at intervals. Commits never wait for it. While it cannot write, the logs of the stores keep the commits, up to a limit. Beyond the
 * limit, the archive has a gap.
 *
 * <p>{@link #begin} before the broker opens, {@link #start} afterwards, {@link #stopMoments} before the broker closes, and {@link
 * #close} between the broker and its stores. Any thread may call the other methods.
 */
public final class Archiver implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Archiver.class);

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long PARK_NANOS_MAX = SECOND / 2;
    private static final long RETRY_NANOS_MIN = SECOND / 2;
    private static final long RETRY_NANOS_MAX = 10 * SECOND;
    private static final long CLOSE_MS = 10_000;
    private static final long PRUNE_NANOS = 600 * SECOND;

    /** The age at which a file without commits is closed. */
    private static final long IDLE_FILE_MS = 3_600_000;

    /** The commits of one store that are written before it is another one's turn. */
    private static final long TURN_BYTES = 1 << 20;

    /** The time for which a shard waits for the others at a moment: at first, and after many attempts. */
    private static final long MOMENT_NANOS_MIN = 3_000_000;

    private static final long MOMENT_NANOS_MAX = 20_000_000;

    /** The share of an interval for which shards may wait. */
    private static final int MOMENT_SHARE = 20;

    /** The number of missed intervals after which moments count as coarse, and the shortest time. */
    private static final int COARSE_INTERVALS = 10;

    private static final long COARSE_MS_MIN = 15_000;

    /** The memory of all stores together for commits that wait: at most, and as a share of the heap. */
    private static final long MEMORY_MAX = 16 << 20;

    private static final int MEMORY_SHARE = 64;
    private static final long MEMORY_MIN = 256 << 10;

    /** The source of moments at which no store has a commit in progress. */
    @FunctionalInterface
    public interface Moments {
        /**
         * Tries to run an action at a moment, as {@code Broker.tryOneMoment} does.
         *
         * @return -1 if there was none
         */
        long tryOneMoment(long waitNanos, Runnable action) throws InterruptedException;
    }

    private final ArchiveOptions options;
    private final UUID set;
    private final List<? extends MessagingStore> stores;
    private final LongSupplier clockMs;
    private final Thread thread = new Thread(this::run, "jitney-archive");
    private final CommitFeed[] feeds;
    private final long holdBytes;
    private final long memory;

    // Used by the thread only, after the start.
    private final long[] at;
    private final long[] atLastMoment;
    private @Nullable List<LogPosition> origins;
    private @Nullable FileChannel held;
    private @Nullable ArchiveFileWriter writer;
    /** The number of the file that was opened last, or 0. */
    private long sequence;

    private boolean gapLogged;
    private long retryNanos = RETRY_NANOS_MIN;
    private long momentWaitNanos = MOMENT_NANOS_MIN;
    private long nextMomentNanos = System.nanoTime();
    private long nextPruneNanos = System.nanoTime();
    private boolean coarseLogged;
    private String missed = "";

    private volatile @Nullable Moments moments;
    private volatile boolean closing;
    private volatile String trouble = "";
    private volatile String coarse = "";
    private volatile long lastMomentMs;
    private volatile long bytes;
    private volatile long commits;
    private volatile long failures;
    private volatile long missedMoments;
    private volatile long gaps;
    private final long startedMs;

    private Archiver(ArchiveOptions options, UUID set, List<? extends MessagingStore> stores, LongSupplier clockMs) {
        this.options = options;
        this.set = set;
        this.stores = stores;
        this.clockMs = clockMs;
        startedMs = clockMs.getAsLong();
        int count = stores.size();
        feeds = new CommitFeed[count];
        at = new long[count];
        atLastMoment = new long[count];
        holdBytes = Math.max(1, options.holdBytes() / count);
        memory = Math.max(MEMORY_MIN, Math.min(MEMORY_MAX, Runtime.getRuntime().maxMemory() / MEMORY_SHARE) / count);
        thread.setDaemon(true);
    }

    /**
     * Begins an archive. From now on, the logs of the stores keep what is not archived.
     *
     * @param set    identifies the data directory of the stores
     * @param stores the stores of a server, which nothing uses yet
     * @throws ArchiveException if the directory has other files, or belongs to another data directory or a server that runs. If the
     *     disk does not work, the archive begins later
     */
    public static Archiver begin(
            ArchiveOptions options, UUID set, List<? extends MessagingStore> stores, LongSupplier clockMs)
            throws ArchiveException {
        Archiver begun = new Archiver(options, set, stores, clockMs);
        for (int i = 0; i < stores.size(); i++) {
            CommitFeed feed = begun.feed(i);
            if (feed != null) {
                feed.hold(0, begun.holdBytes);
            }
        }
        try {
            begun.open();
        } catch (IOException e) {
            begun.failed(e);
        } catch (ArchiveException e) {
            begun.abandon();
            throw e;
        }
        return begun;
    }

    /** Begins to write. */
    public void start(Moments source) {
        moments = source;
        thread.start();
    }

    private void run() {
        for (int i = 0; i < feeds.length; i++) {
            if (feeds[i] != null) {
                feeds[i].pass(thread, memory);
            }
        }
        while (!closing) {
            long pause;
            try {
                round();
                pause = Math.max(0, Math.min(PARK_NANOS_MAX, nextMomentNanos - System.nanoTime()));
            } catch (IOException | ArchiveException e) {
                failed(e);
                pause = retryNanos;
                retryNanos = Math.min(RETRY_NANOS_MAX, 2 * retryNanos);
                nextMomentNanos = System.nanoTime();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.error("The archive hit an internal error, and begins again.", e);
                failed(e);
                pause = RETRY_NANOS_MAX;
            }
            if (pause > 0 && !closing) {
                LockSupport.parkNanos(pause);
            }
        }
        end();
    }

    private void failed(Exception why) {
        failures++;
        abandon();
        String reason = why instanceof ArchiveException ? String.valueOf(why.getMessage()) : why + ".";
        if (trouble.isEmpty()) {
            LOG.error(
                    "The archive in {} cannot be written: {} Clients are served. The logs of the stores keep up to {} MiB of"
                            + " commits for it, and then the archive gets a gap.",
                    options.directory(),
                    reason,
                    options.holdBytes() >> 20);
        }
        trouble = "The archive in " + options.directory() + " cannot be written: " + reason
                + (anyGivenUp() ? " It has a gap from now on. Take a new backup when it works again." : "");
        if (anyGivenUp() && !gapLogged) {
            gapLogged = true;
            LOG.error("The logs do not keep more commits for the archive in {}. It gets a gap.", options.directory());
        }
    }

    private boolean anyGivenUp() {
        boolean any = false;
        for (CommitFeed feed : feeds) {
            any |= feed != null && feed.isGivenUp();
        }
        return any;
    }

    private void abandon() {
        ArchiveFileWriter open = writer;
        writer = null;
        if (open != null) {
            open.abandon();
        }
        FileChannel lock = held;
        held = null;
        if (lock != null) {
            try {
                lock.close();
            } catch (IOException e) {
                // The system releases the lock with the process.
            }
        }
    }

    /** Returns the commits of a store, or null while it is unavailable. */
    private @Nullable CommitFeed feed(int store) {
        CommitFeed known = feeds[store];
        if (known == null) {
            RocksDbMessagingStore onDisk = StoresOnDisk.onDisk(stores.get(store));
            if (onDisk != null) {
                known = onDisk.feed();
                feeds[store] = known;
            }
        }
        return known;
    }

    // --- opening ---

    /** Opens the next file, which continues the last one if the logs still have all commits behind it. */
    private void open() throws IOException, ArchiveException {
        ArchiveDirectory directory = ArchiveDirectory.of(options.directory());
        held = directory.hold();
        ArchiveDirectory.Tail tail = directory.repaired();
        ArchiveFile last = tail.last();
        if (last != null && !last.header().set().equals(set)) {
            throw new ArchiveException("--archive-dir " + options.directory()
                    + ": Expected an archive of this data directory, but it is that of another one. Give each data directory an"
                    + " archive of its own, also after a restore.");
        }
        boolean givenUp = sequence > 0 || gapLogged || anyGivenUp();
        List<LogPosition> before = before(last);
        ArchiveHeader.Start start = start(tail, before, givenUp);
        for (int i = 0; i < at.length; i++) {
            at[i] = before.get(i).number();
        }
        origins = before;
        begin(tail.sequence() + 1, start, start == ArchiveHeader.Start.CONTINUES ? (int) tail.skipped() : 0);
        if (last != null && lastMomentMs == 0) {
            lastMomentMs = last.lastMomentMs();
        }
        if (!tail.damage().isEmpty()) {
            LOG.warn(
                    "{} The file stays.{}",
                    tail.damage(),
                    start == ArchiveHeader.Start.CONTINUES
                            ? " The logs have its commits, which are archived again. Backups cannot be restored to the moments in it."
                            : "");
        }
        if (start != ArchiveHeader.Start.CONTINUES && start != ArchiveHeader.Start.FIRST) {
            gaps++;
            LOG.warn(
                    "The archive in {} has a gap. {} Older backups cannot be restored to a time behind it. Take a new backup.",
                    options.directory(),
                    start.reason());
        } else if (!trouble.isEmpty()) {
            LOG.info("The archive in {} is written again.", options.directory());
        }
        gapLogged = false;
        trouble = "";
        retryNanos = RETRY_NANOS_MIN;
    }

    private void begin(long sequence, ArchiveHeader.Start start, int skipped) throws IOException {
        List<LogPosition> before = new ArrayList<>();
        for (int i = 0; i < at.length; i++) {
            before.add(new LogPosition(Objects.requireNonNull(origins).get(i).log(), at[i]));
        }
        writer = ArchiveFileWriter.make(
                options.directory(), new ArchiveHeader(set, sequence, clockMs.getAsLong(), start, skipped, before));
        this.sequence = sequence;
        holdAll();
    }

    /** Returns the positions with which the next file begins: those of the last file if nothing is missing behind it. */
    private List<LogPosition> before(@Nullable ArchiveFile last) throws IOException, ArchiveException {
        List<LogPosition> archived = last == null ? null : last.after();
        boolean continues = archived != null && archived.size() == at.length;
        List<LogPosition> now = new ArrayList<>();
        for (int i = 0; i < at.length; i++) {
            CommitFeed feed = feed(i);
            LogPosition end = feed == null ? null : feed.last();
            LogPosition position = archived == null || archived.size() != at.length ? null : archived.get(i);
            if (feed == null || end == null) {
                if (position == null) {
                    throw new ArchiveException(
                            "Expected all messaging stores at the beginning of an archive, but store " + i
                                    + " is unavailable. See: jitney store list.");
                }
                now.add(position); // checked when the store is there again
                continue;
            }
            if (position != null && continues) {
                feed.hold(position.number(), holdBytes);
                continues = isThere(feed, end, position);
            }
            now.add(end);
        }
        return continues && archived != null ? archived : now;
    }

    private static boolean isThere(CommitFeed feed, LogPosition end, LogPosition position) throws IOException {
        return end.log() == position.log()
                && end.number() >= position.number()
                && (end.number() == position.number() || feed.read(position.number() + 1) != null);
    }

    private ArchiveHeader.Start start(ArchiveDirectory.Tail tail, List<LogPosition> before, boolean givenUp) {
        ArchiveFile last = tail.last();
        if (last != null && before.equals(last.after()) && tail.skipped() <= ArchiveDirectory.FILES_MAX) {
            return ArchiveHeader.Start.CONTINUES;
        }
        if (!tail.damage().isEmpty()) {
            return ArchiveHeader.Start.DAMAGED;
        }
        if (last == null) {
            return sequence == 0 ? ArchiveHeader.Start.FIRST : ArchiveHeader.Start.NOT_ARCHIVED;
        }
        return givenUp ? ArchiveHeader.Start.GIVEN_UP : ArchiveHeader.Start.NOT_ARCHIVED;
    }

    private void holdAll() {
        for (int i = 0; i < feeds.length; i++) {
            if (feeds[i] != null) {
                feeds[i].hold(at[i], holdBytes);
            }
        }
    }

    // --- writing ---

    private void round() throws IOException, ArchiveException, InterruptedException {
        if (writer == null) {
            open();
        }
        attach();
        drain(null);
        if (System.nanoTime() - nextMomentNanos >= 0) {
            nextMomentNanos = System.nanoTime() + options.interval().toNanos();
            moment();
            rotate();
            if (System.nanoTime() - nextPruneNanos >= 0) {
                nextPruneNanos = System.nanoTime() + PRUNE_NANOS;
                prune();
            }
        }
    }

    /** Takes in a store that was unavailable when the file was opened. */
    private void attach() throws IOException, ArchiveException {
        for (int i = 0; i < feeds.length; i++) {
            if (feeds[i] == null) {
                CommitFeed feed = feed(i);
                LogPosition end = feed == null ? null : feed.last();
                if (feed != null && end != null) {
                    LogPosition position = new LogPosition(
                            Objects.requireNonNull(origins).get(i).log(), at[i]);
                    feed.hold(at[i], holdBytes);
                    feed.pass(thread, memory);
                    if (!isThere(feed, end, position)) {
                        throw missing(i);
                    }
                }
            }
        }
    }

    /** Closes the file before a gap. */
    private IOException missing(int store) throws IOException {
        ArchiveFileWriter open = writer;
        writer = null;
        if (open != null) {
            open.finish();
        }
        return new IOException(
                "Expected commit " + (at[store] + 1) + " of store " + store + " in its log, but it is missing there");
    }

    /**
     * Writes the commits that wait.
     *
     * @param upTo of each store, the last commit to write, or null for all until the next moment
     */
    private void drain(long @Nullable [] upTo) throws IOException {
        boolean more = true;
        while (more) {
            more = false;
            for (int i = 0; i < feeds.length; i++) {
                CommitFeed feed = feeds[i];
                if (feed != null) {
                    more |= drain(i, feed, upTo == null ? feed.lastNumber() : upTo[i]);
                }
            }
            more &= upTo != null || System.nanoTime() - nextMomentNanos < 0;
        }
    }

    private boolean drain(int store, CommitFeed feed, long last) throws IOException {
        ArchiveFileWriter open = Objects.requireNonNull(writer);
        long written = 0;
        while (at[store] < last && written < TURN_BYTES) {
            byte[] content = feed.read(at[store] + 1);
            if (content == null) {
                throw missing(store);
            }
            open.commit(store, at[store] + 1, content);
            at[store]++;
            written += content.length;
            commits++;
            bytes += content.length + ArchiveFormat.RECORD_HEADER;
        }
        return written > 0 && at[store] < last;
    }

    /** Records a moment, and makes everything durable. */
    private void moment() throws IOException, InterruptedException {
        long[] numbers = new long[at.length];
        long[] timeMs = {0};
        if (take(numbers, timeMs)) {
            drain(numbers);
            Objects.requireNonNull(writer).moment(timeMs[0], numbers);
            System.arraycopy(numbers, 0, atLastMoment, 0, numbers.length);
        }
        Objects.requireNonNull(writer).sync();
        holdAll();
        if (timeMs[0] > 0) {
            lastMomentMs = timeMs[0];
            coarse = "";
            if (coarseLogged) {
                coarseLogged = false;
                LOG.info("The archive in {} has moments at its interval again.", options.directory());
            }
        } else {
            missedMoments++;
            reportCoarse();
        }
    }

    private void reportCoarse() {
        long limitMs =
                Math.max(COARSE_MS_MIN, COARSE_INTERVALS * options.interval().toMillis());
        if (clockMs.getAsLong() - Math.max(startedMs, lastMomentMs) > limitMs) {
            coarse = "The archive in " + options.directory() + " has no moment after "
                    + Instant.ofEpochMilli(lastMomentMs) + ": " + missed;
            if (!coarseLogged) {
                coarseLogged = true;
                LOG.warn("{} Commits are archived, and can be restored from the next moment on.", coarse);
            }
        }
    }

    /** Takes the last commit of each store at one moment. */
    private boolean take(long[] numbers, long[] timeMs) throws InterruptedException {
        Moments source = moments;
        for (int i = 0; i < feeds.length; i++) {
            if (feeds[i] == null) {
                missed = "Store " + i + " is unavailable.";
                return false;
            }
        }
        long nowMs = clockMs.getAsLong();
        read(numbers);
        if (lastMomentMs > 0 && Arrays.equals(numbers, atLastMoment)) {
            timeMs[0] = nowMs; // no store has changed between the last moment and this time
            return true;
        }
        if (source == null) {
            return false;
        }
        try {
            long held = source.tryOneMoment(momentWaitNanos, () -> {
                read(numbers);
                timeMs[0] = clockMs.getAsLong();
            });
            if (held >= 0) {
                momentWaitNanos = MOMENT_NANOS_MIN;
                return true;
            }
            missed = "The stores did not finish a commit within " + momentWaitNanos / 1_000_000 + " ms of each other.";
        } catch (BrokerException e) {
            missed = String.valueOf(e.rejection().description());
        }
        timeMs[0] = 0;
        momentWaitNanos = Math.min(longestWait(), momentWaitNanos + momentWaitNanos / 4);
        return false;
    }

    private long longestWait() {
        return Math.max(
                MOMENT_NANOS_MIN, Math.min(MOMENT_NANOS_MAX, options.interval().toNanos() / MOMENT_SHARE));
    }

    private void read(long[] numbers) {
        for (int i = 0; i < feeds.length; i++) {
            numbers[i] = feeds[i].lastNumber();
        }
    }

    /** Closes a file that is large or old, and begins the next one. */
    private void rotate() throws IOException {
        ArchiveFileWriter open = Objects.requireNonNull(writer);
        long ageMs = clockMs.getAsLong() - open.madeMs();
        if (open.bytes() >= options.fileBytes()
                || ageMs >= options.fileTime().toMillis() && open.commits() > 0
                || ageMs >= IDLE_FILE_MS) {
            open.finish();
            writer = null;
            begin(sequence + 1, ArchiveHeader.Start.CONTINUES, 0);
        }
    }

    private void prune() throws IOException, ArchiveException {
        long keepMs = options.keep().toMillis();
        if (keepMs > 0) {
            long before = clockMs.getAsLong() - keepMs;
            int deleted = ArchiveDirectory.of(options.directory())
                    .prune(file -> file.lastMomentMs() > 0 && file.lastMomentMs() < before);
            if (deleted > 0) {
                LOG.info(
                        "Deleted {} files of the archive in {}, because they were older than --archive-keep.",
                        deleted,
                        options.directory());
            }
        }
    }

    // --- the end ---

    /** Takes no more moments from the broker, which is about to close. */
    public void stopMoments() {
        moments = (waitNanos, action) -> -1;
    }

    /**
     * Writes the last commits, if that is possible in {@value #CLOSE_MS} ms. The broker must be closed, and its stores open. What is
     * not written stays in the logs.
     */
    @Override
    public void close() {
        moments = (waitNanos, action) -> {
            action.run(); // nothing commits any more
            return 0;
        };
        closing = true;
        LockSupport.unpark(thread);
        if (!thread.isAlive()) {
            abandon();
            return;
        }
        try {
            thread.join(CLOSE_MS);
            if (thread.isAlive()) {
                LOG.warn("The archive in {} is not complete. The next start continues it.", options.directory());
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() {
        try {
            if (writer == null) {
                open();
            }
            attach();
            moment();
            ArchiveFileWriter open = Objects.requireNonNull(writer);
            writer = null;
            open.finish();
        } catch (IOException | ArchiveException e) {
            LOG.warn(
                    "The archive in {} is not complete ({}). The next start continues it.",
                    options.directory(),
                    e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            abandon();
            for (CommitFeed feed : feeds) {
                if (feed != null) {
                    feed.close();
                }
            }
        }
    }

    // --- state ---

    /** Returns sentences about problems that need attention; empty if all is well. */
    public List<String> troubles() {
        List<String> all = new ArrayList<>();
        for (String sentence : List.of(trouble, coarse)) {
            if (!sentence.isEmpty()) {
                all.add(sentence);
            }
        }
        return all;
    }

    /** Returns the current numbers. */
    public ArchiveFigures figures() {
        return new ArchiveFigures(lastMomentMs, bytes, commits, failures, missedMoments, gaps, !trouble.isEmpty());
    }
}
