package dev.jitney.store.rocksdb;

import dev.jitney.runtime.store.LogPosition;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import dev.jitney.store.rocksdb.log.CommitFile;
import dev.jitney.store.rocksdb.log.FileCommitLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The copy of one open store as of one commit: a checkpoint of the tables, and the commits that follow it in the log.
 *
 * <table>
 * <caption>The steps, in this order</caption>
 * <tr><th>step</th><th>what it does</th><th>commits meanwhile</th></tr>
 * <tr><td>{@link RocksDbMessagingStore#beginBackup}</td><td>holds the log, flushes the tables, and links their files into {@code
 * db}</td><td>continue</td></tr>
 * <tr><td>{@link #cut}</td><td>takes the number of the last commit</td><td>must not run; the caller stops them</td></tr>
 * <tr><td>{@link #finish}</td><td>copies the commits up to that number into {@code commits}, and releases the log</td><td>
 * continue</td></tr>
 * </table>
 *
 * <p>The checkpoint is in the state that a crash could leave, see {@link Tables#checkpointForReplay}. The commits complete it,
 * because the last one is newer than all that were in memory when the checkpoint was written. {@link StoreRestore} applies them.
 *
 * <p>The store must stay open from the beginning to the end. A store that fails and is opened again has another path of batches, and
 * the old one no longer knows the last commit. Then {@link #cut} and {@link #finish} fail.
 *
 * <p>For one thread.
 */
public final class StoreBackup implements AutoCloseable {
    /** The name of the directory with the tables. */
    public static final String TABLES = "db";

    /** The name of the file with the commits behind the tables, see {@link CommitFile}. */
    public static final String COMMITS = "commits";

    private final GuardedStore<CommitPipeline> store;
    private final Path directory;
    private final CommitPipeline pipeline;
    private final FileCommitLog log;
    private final LogPosition tables;
    private long last = -1;

    private StoreBackup(
            GuardedStore<CommitPipeline> store, Path directory, CommitPipeline pipeline, LogPosition tables) {
        this.store = store;
        this.directory = directory;
        this.pipeline = pipeline;
        this.log = pipeline.log();
        this.tables = tables;
    }

    static StoreBackup begin(GuardedStore<CommitPipeline> store, Path directory) throws StoreException {
        Path target = directory.toAbsolutePath().normalize();
        StoreBackup begun = store.withPath("to write a checkpoint of", pipeline -> {
            OwnerOnly.createDirectories(target);
            LogPosition flushed = position(pipeline.tables().flushed());
            pipeline.log().hold(flushed.number());
            boolean complete = false;
            try {
                LogPosition tables = position(pipeline.tables().checkpointForReplay(target.resolve(TABLES)));
                complete = true;
                return new StoreBackup(store, target, pipeline, tables);
            } finally {
                if (!complete) {
                    pipeline.log().release();
                }
            }
        });
        OwnerOnly.tighten(target.resolve(TABLES));
        return begun;
    }

    /** Returns a position in table files. The first commit to a log is flushed before any other, so there is one. */
    private static LogPosition position(byte @Nullable [] row) {
        return Objects.requireNonNull(LogPosition.decode(Objects.requireNonNull(row)));
    }

    /**
     * Takes the last commit of the copy. No commit may run at this moment.
     *
     * @throws StoreException if the store has failed, was closed or was opened again since the beginning
     */
    public void cut() throws StoreException {
        requireSamePath();
        last = pipeline.last().number();
    }

    private void requireSamePath() throws StoreException {
        if (!store.writesTo(pipeline)) {
            throw new StoreException(
                    StoreException.Reason.IO,
                    "Expected the messaging store in " + store.directory()
                            + " to stay open during its backup, but it has failed, was closed or was opened again."
                            + " Order the backup again");
        }
    }

    /**
     * Writes the commits up to the cut.
     *
     * @throws StoreException if the store has failed, was closed or was opened again since the beginning, or the copy cannot be
     *     written
     */
    public void finish() throws StoreException {
        if (last < 0) {
            throw new IllegalStateException("Expected a cut before the end of a backup.");
        }
        try {
            requireSamePath();
            CommitFile.copy(log.directory(), tables, last, directory.resolve(COMMITS));
            FileCommitLog.sync(directory);
        } catch (IOException e) {
            throw Faults.of("to copy the latest commits into " + directory, e);
        } finally {
            log.release();
        }
    }

    /** Returns the number that identifies the log of the store. */
    public long log() {
        return tables.log();
    }

    /** Returns the number of the last commit of the copy, after {@link #cut}. */
    public long lastCommit() {
        return last;
    }

    /** Releases the log if the backup was not finished. */
    @Override
    public void close() {
        log.release();
    }
}
