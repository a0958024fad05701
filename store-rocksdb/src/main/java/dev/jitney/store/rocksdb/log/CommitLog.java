package dev.jitney.store.rocksdb.log;

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
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The log of one store: every commit is appended with one synced write and can be read back until {@link #flushed} says
 * that it is in table files. Then the files are written over from their start: the file system has nothing to allocate
 * and no sizes to store, which is what makes a synced append dear.
 *
 * <p>For one thread. After an exception from {@link #append} the log is to be opened again, which tells whether that
 * commit is in it.
 */
public final class CommitLog implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("\\d{6}\\.log");
    private static final int BUFFER_START = 64 << 10;
    private static final int BUFFER_MAX = 1 << 20;

    private final Path directory;
    private final long log;
    private final long fileBytes;
    private final List<LogFile> files = new ArrayList<>();
    private @Nullable LogFile current;
    private ByteBuffer buffer = aligned(BUFFER_START);
    private long number;
    private long flushed;
    private boolean failed;
    private volatile long sizeBytes;

    private CommitLog(Path directory, long log, long fileBytes) {
        this.directory = directory;
        this.log = log;
        this.fileBytes = fileBytes;
    }

    /**
     * Makes a new log. Files of an older one that are there are removed.
     *
     * @param directory where its files go; made if it is not there
     * @param fileBytes how long a file may become unless one commit is longer
     */
    public static CommitLog make(Path directory, long fileBytes) throws IOException {
        if (!Files.isDirectory(directory)) {
            OwnerOnly.createDirectories(directory);
            sync(Objects.requireNonNull(directory.toAbsolutePath().getParent()));
        }
        for (Path old : files(directory)) {
            Files.delete(old);
        }
        return new CommitLog(directory, new SecureRandom().nextLong(), fileBytes);
    }

    /**
     * Opens a log and hands on what the tables do not have yet, oldest first.
     *
     * @param flushed   the last commit that is in table files, at least 1
     * @param fileBytes as {@link #make}
     * @throws LogDamageException if acknowledged commits are missing; nothing of the log was changed
     */
    public static <X extends Exception> CommitLog open(
            Path directory, LogPosition flushed, long fileBytes, LogReplay<X> replay)
            throws IOException, LogDamageException, X {
        LogRecovery recovery = new LogRecovery(directory, flushed);
        recovery.find(files(directory));
        CommitLog opened = new CommitLog(directory, flushed.log(), fileBytes);
        opened.number = recovery.last();
        for (LogRecovery.Run run : recovery.runs()) {
            LogFile file = new LogFile(run.file(), run.end(), run.last());
            opened.files.add(file);
            if (run.last() == recovery.last()) {
                opened.current = file;
            }
        }
        opened.flushed = flushed.number();
        opened.measure();
        try {
            opened.writeLastAgain(recovery.lastRun());
            recovery.replay(replay);
        } catch (Exception e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    /**
     * What was read of the last commit may never have been synced, if writing it is what failed. From here on it counts, so
     * it has to be on disk.
     */
    private void writeLastAgain(LogRecovery.Run run) throws IOException {
        LogFile file = new LogFile(run.file(), run.lastAt(), run.last() - 1);
        try (file) {
            byte[] content = LogRecovery.content(run.file(), run.lastAt());
            write(file, run.last(), content, content.length);
        }
    }

    /** Where the next commit will be. */
    public LogPosition next() {
        return new LogPosition(log, number + 1);
    }

    /** Whether a commit of that length begins another file: the time to say what is {@link #flushed}. */
    public boolean beginsFile(int length) {
        LogFile file = current;
        return file == null || file.end() > 0 && file.end() + LogRecord.blocks(length) > fileBytes;
    }

    /** Says that all commits up to one are in table files and need not be kept. */
    public void flushed(long upTo) {
        flushed = Math.max(flushed, upTo);
    }

    /** Bytes of the files with commits that are not flushed. */
    public long unflushedBytes() {
        return files.stream()
                .filter(file -> file.lastNumber() > flushed)
                .mapToLong(LogFile::end)
                .sum();
    }

    /**
     * Appends the {@link #next} commit; it is on disk when this returns.
     *
     * @param length how many octets of the array are the commit, at least 1
     */
    public void append(byte[] content, int length) throws IOException {
        if (failed) {
            throw new IOException("Expected the log in " + directory + " to be opened again after a failed write");
        }
        failed = true;
        LogFile file = current;
        if (file == null || beginsFile(length)) {
            file = nextFile();
            current = file;
        }
        write(file, number + 1, content, length);
        number++;
        failed = false;
    }

    private void write(LogFile file, long number, byte[] content, int length) throws IOException {
        long left = LogRecord.blocks(length);
        ByteBuffer out = room(left);
        LogRecord.putHeader(out, log, number, content, length);
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

    /** Bytes of all its files, those that are kept to be written again included. Any thread may ask. */
    public long sizeBytes() {
        return sizeBytes;
    }

    private ByteBuffer room(long octets) {
        while (buffer.capacity() < octets && buffer.capacity() < BUFFER_MAX) {
            buffer = aligned(2 * buffer.capacity());
        }
        return buffer.clear();
    }

    /** The file with the oldest commits if none of them is needed any more, otherwise a new one. */
    private LogFile nextFile() throws IOException {
        Optional<LogFile> free = files.stream()
                .filter(file -> file != current && file.lastNumber() <= flushed)
                .min(Comparator.comparing(LogFile::lastNumber));
        if (free.isEmpty()) {
            return newFile();
        }
        free.get().startOver(fileBytes);
        return free.get();
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

    private static List<Path> files(Path directory) throws IOException {
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

    /** Writes the names in a directory to disk, where the system can do that. */
    public static void sync(Path directory) throws IOException {
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /** Closes the log and removes its files; for when everything is in table files that need no log. */
    public void delete() throws IOException {
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
