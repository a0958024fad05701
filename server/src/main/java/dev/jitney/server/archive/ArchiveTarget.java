package dev.jitney.server.archive;

import java.io.IOException;
import java.util.List;

/** A moment of an archive to which a backup is restored, and the files with the commits up to it. For one thread. */
public final class ArchiveTarget {
    private final long momentMs;
    private final long[] after;
    private final long[] numbers;
    private final List<ArchiveFile> files;

    /**
     * @param after   of each store, the last commit that the backup has
     * @param numbers of each store, the last commit at the moment
     * @param files   the files with the commits between them, without gaps
     */
    ArchiveTarget(long momentMs, long[] after, long[] numbers, List<ArchiveFile> files) {
        this.momentMs = momentMs;
        this.after = after.clone();
        this.numbers = numbers.clone();
        this.files = List.copyOf(files);
    }

    /** Returns the moment, in milliseconds since the epoch. */
    public long momentMs() {
        return momentMs;
    }

    /** Returns the bytes of the files. */
    public long bytes() {
        return files.stream().mapToLong(ArchiveFile::validBytes).sum();
    }

    /** Receives the commits of all stores, those of each store in the order of their numbers. */
    @FunctionalInterface
    public interface Commits<X extends Exception> {
        /**
         * Receives a commit.
         *
         * @param store   the store, from 0
         * @param number  its number
         * @param content its rows
         */
        void add(int store, long number, byte[] content) throws X;
    }

    /**
     * Reads the commits behind the backup, up to the moment.
     *
     * @throws ArchiveException if a file is missing or damaged; commits of it may have been passed on before
     */
    public <X extends Exception> void read(Commits<X> commits) throws ArchiveException, X {
        long[] next = after.clone();
        for (ArchiveFile file : files) {
            try (ArchiveFileReader reader = ArchiveDirectory.open(file)) {
                ArchiveFileReader.Found found = reader.next();
                while (found != null && !isReached(next)) {
                    int store = found.store();
                    if (found.kind() == ArchiveFormat.COMMIT
                            && found.number() > next[store]
                            && found.number() <= numbers[store]) {
                        commits.add(store, found.number(), found.content());
                        next[store] = found.number();
                    }
                    found = reader.next();
                }
                if (!isReached(next)) {
                    reader.requireComplete(file);
                }
            } catch (IOException e) {
                throw new ArchiveException(
                        file.path() + ": The file is missing or cannot be read (" + e
                                + "). Restore it from a copy, or take a new backup.",
                        e);
            }
        }
        if (!isReached(next)) {
            throw new ArchiveException(
                    "Expected all commits up to the moment in the archive, but some are missing after "
                            + (files.isEmpty()
                                    ? "the backup"
                                    : files.get(files.size() - 1).name()) + ".");
        }
    }

    private boolean isReached(long[] next) {
        boolean reached = true;
        for (int i = 0; i < next.length; i++) {
            reached &= next[i] >= numbers[i];
        }
        return reached;
    }
}
