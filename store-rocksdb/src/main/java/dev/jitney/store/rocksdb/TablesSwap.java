package dev.jitney.store.rocksdb;

import dev.jitney.store.rocksdb.log.FileCommitLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replacement of a replica's tables by a checkpoint, in renames that a restart completes (CL-45). It changes names only;
 * {@link IncomingCheckpoint} checks and syncs the checkpoint before.
 *
 * <table>
 * <caption>The directories in the directory of the store</caption>
 * <tr><th>step</th><th>{@code db}</th><th>{@code db.incoming}</th><th>{@code db.replaced}</th><th>a restart</th></tr>
 * <tr><td></td><td>old tables</td><td></td><td></td><td>opens the old tables</td></tr>
 * <tr><td>{@link Step#TAKEN}</td><td>old tables</td><td>checkpoint</td><td></td><td>completes the replacement</td></tr>
 * <tr><td>{@link Step#UNMARKED}</td><td>old tables</td><td>checkpoint</td><td></td><td>completes the replacement</td></tr>
 * <tr><td>{@link Step#ASIDE}</td><td></td><td>checkpoint</td><td>old tables</td><td>completes the replacement</td></tr>
 * <tr><td>{@link Step#PLACED}</td><td>checkpoint</td><td></td><td>old tables</td><td>opens the new tables</td></tr>
 * <tr><td>{@link Step#REMOVED}</td><td>checkpoint</td><td></td><td></td><td>opens the new tables</td></tr>
 * </table>
 *
 * <p>Each step is synced before the next. The old tables are removed only after the new ones were opened. For the thread that
 * opens the store, while the database is closed, except {@link #end}.
 */
final class TablesSwap {
    static final String TABLES = "db";
    static final String INCOMING = "db.incoming";
    static final String REPLACED = "db.replaced";

    private static final Logger LOG = LoggerFactory.getLogger(TablesSwap.class);

    private final Path directory;
    private final Path tables;
    private final Path incoming;
    private final Path replaced;
    private final Consumer<Step> steps;

    /** The changes on disk, in order. A process may be killed after any of them. */
    enum Step {
        /** The checkpoint is in the directory of the store. From now on a restart completes the replacement. */
        TAKEN,
        /** The durability marker, which describes the old tables, is deleted. */
        UNMARKED,
        /** The old tables have another name. */
        ASIDE,
        /** The checkpoint has the name of the tables. */
        PLACED,
        /** The old tables are deleted, after the new ones were opened. */
        REMOVED
    }

    /**
     * @param directory the absolute directory of the store
     * @param steps     receives each step
     */
    TablesSwap(Path directory, Consumer<Step> steps) {
        this.directory = directory;
        this.steps = steps;
        tables = directory.resolve(TABLES);
        incoming = directory.resolve(INCOMING);
        replaced = directory.resolve(REPLACED);
    }

    /** Returns whether a checkpoint was taken that is not in its place yet. */
    boolean isInterrupted() {
        return Files.isRegularFile(incoming.resolve("CURRENT"));
    }

    /** Takes a checkpoint, which must be synced. */
    void begin(Path checkpoint) throws IOException {
        delete(replaced); // the tables that are in use were opened after that replacement
        rename(checkpoint, incoming);
        FileCommitLog.sync(Objects.requireNonNull(checkpoint.toAbsolutePath().getParent()));
        steps.accept(Step.TAKEN);
    }

    /** Completes a replacement that has begun; does nothing if none has. */
    void complete() throws IOException {
        if (!isInterrupted()) {
            return;
        }
        Files.deleteIfExists(directory.resolve(DurabilityMarker.FILE_NAME));
        FileCommitLog.sync(directory);
        steps.accept(Step.UNMARKED);
        if (Files.exists(tables)) {
            rename(tables, replaced);
            steps.accept(Step.ASIDE);
        }
        rename(incoming, tables);
        steps.accept(Step.PLACED);
    }

    /** Deletes the old tables, if there are any, after the new ones were opened. The next opening repeats what fails. */
    void end() {
        if (!Files.exists(replaced)) {
            return;
        }
        try {
            delete(replaced);
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("Failed to delete the replaced tables in {}. The next start of Jitney tries again.", replaced, e);
            return;
        }
        steps.accept(Step.REMOVED);
    }

    private void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        FileCommitLog.sync(directory);
    }

    private static void delete(Path path) throws IOException {
        if (Files.exists(path)) {
            List<Path> content;
            try (Stream<Path> walk = Files.walk(path)) {
                content = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path one : content) {
                Files.delete(one);
            }
        }
    }
}
