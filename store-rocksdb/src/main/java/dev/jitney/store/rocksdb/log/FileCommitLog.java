package dev.jitney.store.rocksdb.log;

import dev.jitney.runtime.store.CommitLog;
import dev.jitney.runtime.store.LogPosition;
import dev.jitney.store.rocksdb.files.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A log in its own files, for a store on one node. Every commit is appended with one synced write and can be read
 * until it is {@linkplain #retire retired}. Then the files are overwritten from their start: the file system has no
 * space to allocate and no sizes to store, which would make a synced append slow.
 *
 * <p>For one thread. After an exception from {@link #append}, open the log again to determine whether that commit is
 * in it.
 */
public final class FileCommitLog implements CommitLog {
    private static final Pattern NAME = Pattern.compile("\\d{6}\\.log");

    /** The number of files that are kept for reuse. More of them remain only after commits were held for long. */
    private static final int FREE_FILES_MAX = 4;

    private static final int BUFFER_START = 64 << 10;
    private static final int BUFFER_MAX = 1 << 20;

    private final Path directory;
    private final long log;
    private final long fileBytes;
    private final CommitFeed feed;
    private final List<LogFile> files = new ArrayList<>();
    private @Nullable LogFile current;
    private ByteBuffer buffer = aligned(BUFFER_START);
    private long number;
    private long retired;
    private boolean failed;
    private volatile long sizeBytes;

    /** The number after which no commit may be overwritten; the largest number if all retired ones may be. */
    private volatile long heldAfter = Long.MAX_VALUE;

    private FileCommitLog(Path directory, long log, long fileBytes, CommitFeed feed) {
        this.directory = directory;
        this.log = log;
        this.fileBytes = fileBytes;
        this.feed = feed;
    }

    /**
     * Creates a new log and deletes the files of an older one.
     *
     * @param directory the directory of its files, created if it does not exist
     * @param fileBytes maximum length of a file, unless one commit is longer
     */
    public static FileCommitLog make(Path directory, long fileBytes) throws IOException {
        return make(directory, fileBytes, new CommitFeed());
    }

    /**
     * Creates a new log, as {@link #make(Path, long)} does.
     *
     * @param feed receives the commits
     */
    public static FileCommitLog make(Path directory, long fileBytes, CommitFeed feed) throws IOException {
        if (!Files.isDirectory(directory)) {
            OwnerOnly.createDirectories(directory);
            sync(Objects.requireNonNull(directory.toAbsolutePath().getParent()));
        }
        for (Path old : files(directory)) {
            Files.delete(old);
        }
        FileCommitLog made = new FileCommitLog(directory, new SecureRandom().nextLong(), fileBytes, feed);
        feed.opened(directory, made.log, 0);
        return made;
    }

    /**
     * Opens a log and replays the commits that the tables do not have yet, oldest first.
     *
     * @param flushed   the last commit that is in table files, at least 1
     * @param fileBytes as in {@link #make}
     * @throws LogDamageException if acknowledged commits are missing; the log is unchanged
     */
    public static <X extends Exception> FileCommitLog open(
            Path directory, LogPosition flushed, long fileBytes, LogReplay<X> replay)
            throws IOException, LogDamageException, X {
        return open(directory, flushed, fileBytes, new CommitFeed(), replay);
    }

    /**
     * Opens a log, as the other method of this name does.
     *
     * @param feed receives the commits
     */
    public static <X extends Exception> FileCommitLog open(
            Path directory, LogPosition flushed, long fileBytes, CommitFeed feed, LogReplay<X> replay)
            throws IOException, LogDamageException, X {
        LogRecovery recovery = new LogRecovery(directory, flushed);
        recovery.find(files(directory));
        FileCommitLog opened = new FileCommitLog(directory, flushed.log(), fileBytes, feed);
        opened.number = recovery.last();
        for (LogRecovery.Run run : recovery.runs()) {
            LogFile file = new LogFile(run.file(), run.end(), run.last());
            opened.files.add(file);
            if (run.last() == recovery.last()) {
                opened.current = file;
            }
        }
        opened.retired = flushed.number();
        opened.measure();
        try {
            opened.writeLastAgain(recovery.lastRun());
            recovery.replay(replay);
            feed.opened(directory, opened.log, opened.number);
        } catch (Exception e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    /**
     * Writes the last commit again. It may never have been synced if its write failed. From now on it counts as
     * durable, so it must be on disk.
     */
    private void writeLastAgain(LogRecovery.Run run) throws IOException {
        LogFile file = new LogFile(run.file(), run.lastAt(), run.last() - 1);
        try (file) {
            byte[] content = LogRecovery.content(run.file(), run.lastAt());
            write(file, run.last(), content);
        }
    }

    @Override
    public LogPosition next() {
        return new LogPosition(log, number + 1);
    }

    /**
     * {@inheritDoc}
     *
     * <p>That is when the next commit begins another file.
     */
    @Override
    public boolean wantsRetirement(int bytes) {
        LogFile file = current;
        return file == null || file.end() > 0 && file.end() + LogRecord.blocks(bytes) > fileBytes;
    }

    @Override
    public void retire(long upTo) {
        retired = Math.max(retired, upTo);
    }

    /**
     * Keeps the files with commits after a number until {@link #release}, although they may be retired: the log grows
     * meanwhile. For a copy of these commits, see {@link CommitFile}. Any thread may call it.
     *
     * @param number a commit that is in table files, with all before it
     */
    public void hold(long number) {
        heldAfter = number;
    }

    /** Ends {@link #hold}. Any thread may call it. */
    public void release() {
        heldAfter = Long.MAX_VALUE;
    }

    /** Returns the directory of the files. */
    public Path directory() {
        return directory;
    }

    /** Returns the bytes of the files with commits that are not retired. */
    @Override
    public long unretiredBytes() {
        return files.stream()
                .filter(file -> file.lastNumber() > retired)
                .mapToLong(LogFile::end)
                .sum();
    }

    @Override
    public void append(byte[] content) throws IOException {
        if (failed) {
            throw new IOException("Expected the log in " + directory + " to be opened again after a failed write");
        }
        failed = true;
        LogFile file = current;
        if (file == null || wantsRetirement(content.length)) {
            file = nextFile();
            current = file;
        }
        write(file, number + 1, content);
        number++;
        feed.appended(number, content);
        failed = false;
    }

    private void write(LogFile file, long number, byte[] content) throws IOException {
        int length = content.length;
        long left = LogRecord.blocks(length);
        ByteBuffer out = room(left);
        LogRecord.putHeader(out, log, number, content);
        for (int done = 0; left > 0; ) {
            int octets = Math.min(length - done, out.remaining());
            out.put(content, done, octets);
            done += octets;
            int end = (int) Math.min(left, out.capacity());
            while (out.position() < end) {
                out.put((byte) 0);
            }
            out.flip();
            file.write(out);
            left -= end;
            out.clear();
        }
        file.wrote(number);
        measure();
    }

    private void measure() {
        long bytes = 0;
        for (LogFile file : files) {
            bytes += file.length();
        }
        sizeBytes = bytes;
    }

    /** Returns the bytes of all its files, including those that are kept for reuse. Any thread may call it. */
    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    private ByteBuffer room(long octets) {
        while (buffer.capacity() < octets && buffer.capacity() < BUFFER_MAX) {
            buffer = aligned(2 * buffer.capacity());
        }
        return buffer.clear();
    }

    /** Returns the file with the oldest commits if all of them are retired, otherwise a new one. */
    private LogFile nextFile() throws IOException {
        List<LogFile> free = free(reusable());
        if (free.isEmpty()) {
            return newFile();
        }
        delete(free.subList(1, Math.max(1, free.size() - FREE_FILES_MAX))); // remains of a long hold
        LogFile oldest = free.get(0);
        oldest.startOver(fileBytes);
        return oldest;
    }

    /** Returns the number up to which commits may be overwritten, because nothing needs them. */
    private long reusable() {
        long reusable = Math.min(retired, heldAfter);
        long fed = feed.heldAfter();
        if (fed >= reusable) {
            return reusable;
        }
        long held = files.stream()
                .filter(file -> file != current && file.lastNumber() > fed && file.lastNumber() <= reusable)
                .mapToLong(LogFile::length)
                .sum();
        if (held + fileBytes <= feed.holdBytesMax()) {
            return fed;
        }
        feed.giveUp();
        return reusable;
    }

    /** Returns the files whose commits may be overwritten, the oldest first. */
    private List<LogFile> free(long reusable) {
        return files.stream()
                .filter(file -> file != current && file.lastNumber() <= reusable)
                .sorted(Comparator.comparing(LogFile::lastNumber))
                .toList();
    }

    /** Deletes files. A file that cannot be deleted stays, and is used again. */
    private void delete(List<LogFile> surplus) {
        for (LogFile file : surplus) {
            try {
                file.close();
                Files.delete(file.path());
                files.remove(file);
            } catch (IOException e) {
                file.reopen();
            }
        }
    }

    /** Deletes the files whose commits nothing needs, before the log is closed but kept. The last commit stays. */
    public void trim() {
        delete(free(reusable()));
        measure();
    }

    private LogFile newFile() throws IOException {
        int name = 1;
        while (Files.exists(directory.resolve(name(name)))) {
            name++;
        }
        Path path = OwnerOnly.createFile(directory.resolve(name(name)));
        sync(directory);
        LogFile file = new LogFile(path, 0, 0);
        files.add(file);
        return file;
    }

    private static String name(int number) {
        return String.format(Locale.ROOT, "%06d.log", number);
    }

    static List<Path> files(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(
                            path -> NAME.matcher(path.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    private static ByteBuffer aligned(int bytes) {
        return ByteBuffer.allocateDirect(bytes + LogRecord.BLOCK)
                .alignedSlice(LogRecord.BLOCK)
                .slice(0, bytes);
    }

    /** Syncs the names in a directory to disk, where the system supports that. */
    public static void sync(Path directory) throws IOException {
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    @Override
    public void remove() throws IOException {
        close();
        for (LogFile file : files) {
            Files.deleteIfExists(file.path());
        }
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (LogFile file : files) {
            try {
                file.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
