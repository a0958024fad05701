package dev.jitney.cluster.ratis;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;

/** The files of Ratis' log: {@code log_FIRST-LAST}, and {@code log_inprogress_FIRST} for the one that is written. */
final class LogFiles {
    private static final Pattern CLOSED = Pattern.compile("log_(\\d{1,18})-(\\d{1,18})");
    private static final Pattern OPEN = Pattern.compile("log_inprogress_(\\d{1,18})");

    private final Path directory;

    /** @param directory the directory {@code current} of the group */
    LogFiles(Path directory) {
        this.directory = directory;
    }

    /** Returns the files of the log of a cluster, below the directory of all logs. */
    static LogFiles of(Path directory, UUID cluster) {
        return new LogFiles(directory.resolve(cluster.toString()).resolve("current"));
    }

    /** A closed file. */
    private record Closed(Path file, long first, long last) {}

    /** Returns the index of the first entry, or -1 if the log is empty. */
    long first() throws IOException {
        long first = Long.MAX_VALUE;
        for (Path file : list()) {
            String name = String.valueOf(file.getFileName());
            Matcher closed = CLOSED.matcher(name);
            Matcher open = OPEN.matcher(name);
            if (closed.matches()) {
                first = Math.min(first, Long.parseLong(closed.group(1)));
            } else if (open.matches()) {
                first = Math.min(first, Long.parseLong(open.group(1)));
            }
        }
        return first == Long.MAX_VALUE ? -1 : first;
    }

    /**
     * Returns the index of the last entry, or -1 if the log is empty. Call it while Ratis does not use the files.
     *
     * @throws IOException if the file that is written cannot be read
     */
    long last() throws IOException {
        long last = -1;
        for (Path file : list()) {
            String name = String.valueOf(file.getFileName());
            Matcher closed = CLOSED.matcher(name);
            Matcher open = OPEN.matcher(name);
            if (closed.matches()) {
                last = Math.max(last, Long.parseLong(closed.group(2)));
            } else if (open.matches()) {
                last = Math.max(last, Long.parseLong(open.group(1)) + entries(file) - 1);
            }
        }
        return last;
    }

    private static int entries(Path file) throws IOException {
        LogSegmentPath path = LogSegmentPath.matchLogSegment(file);
        if (path == null) {
            return 0; // it was empty
        }
        try {
            return LogSegment.readSegmentFile(
                    path.getPath().toFile(),
                    path.getStartEnd(),
                    RatisSettings.APPEND_MAX,
                    RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION,
                    null,
                    entry -> {});
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "The file " + file + " of the replicated log cannot be read (" + e.getMessage() + "). "
                            + RatisServer.REPAIR,
                    e);
        }
    }

    /** Returns the size in bytes. */
    long bytes() throws IOException {
        long bytes = 0;
        for (Path file : list()) {
            bytes += size(file);
        }
        return bytes;
    }

    /**
     * Returns the index up to which whole files may be removed, so that the rest has at most so many bytes (CL-41). The last
     * closed file always stays: a follower whose next entry is the first of the log would have to install a
     * checkpoint again and again otherwise (RATIS-2500).
     *
     * @param upTo     the last entry that no store of this node needs
     * @param bytesMax the size to keep
     * @return the index, or -1 if nothing has to be removed
     */
    long removable(long upTo, long bytesMax) throws IOException {
        List<Closed> closed = closed();
        long bytes = bytes();
        long last = -1;
        for (int i = 0;
                i < closed.size() - 1 && bytes > bytesMax && closed.get(i).last() <= upTo;
                i++) {
            last = closed.get(i).last();
            bytes -= size(closed.get(i).file());
        }
        return last;
    }

    /**
     * Removes the closed files up to an index, the oldest first, so that the log has no gap at any moment. Call it while Ratis does not
     * use the files.
     */
    void removeUpTo(long index) throws IOException {
        for (Closed closed : closed()) {
            if (closed.last() <= index) {
                Files.delete(closed.file());
            }
        }
    }

    /**
     * Removes the entry that was being written when the process was killed, or what was not synced when the power failed. Call it
     * while Ratis does not use the files.
     *
     * @param synced the mark beside the log
     */
    void removeTornTail(SyncedMark synced) throws IOException {
        for (Path file : list()) {
            Matcher open = OPEN.matcher(String.valueOf(file.getFileName()));
            if (open.matches()) {
                long upTo = synced.requiredUpTo(file);
                long before = Long.parseLong(open.group(1)) - 1;
                TornTail.remove(file, upTo == SyncedMark.ALL ? SyncedMark.ALL : Math.max(0, upTo - before));
            }
        }
    }

    /**
     * Syncs the file that is written, and the names of all files. Ratis 3.3.0 takes everything that it reads at its start for synced,
     * but a kill can leave entries that only the page cache has. Without this, the node would acknowledge them, and lose them when the power
     * fails (CL-1). Ratis has synced the closed files itself. Call it while Ratis does not use the files.
     */
    void sync() throws IOException {
        List<Path> files = list();
        for (Path file : files) {
            if (OPEN.matcher(String.valueOf(file.getFileName())).matches()) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.force(true);
                }
            }
        }
        if (!files.isEmpty()) {
            DurableFiles.sync(directory);
        }
    }

    /**
     * Refuses a closed file without entries, which is damaged or is just being restored. Ratis would remove it. Call it while Ratis does
     * not use the files.
     *
     * @throws IOException if there is such a file
     */
    void requireEntries() throws IOException {
        for (Closed closed : closed()) {
            if (!TornTail.hasEntry(closed.file())) {
                throw new IOException("The file " + closed.file() + " of the replicated log has no entries any more. "
                        + RatisServer.REPAIR);
            }
        }
    }

    /** Returns the closed files, the oldest first. */
    private List<Closed> closed() throws IOException {
        List<Closed> closed = new ArrayList<>();
        for (Path file : list()) {
            Matcher name = CLOSED.matcher(String.valueOf(file.getFileName()));
            if (name.matches()) {
                closed.add(new Closed(file, Long.parseLong(name.group(1)), Long.parseLong(name.group(2))));
            }
        }
        closed.sort(Comparator.comparingLong(Closed::first));
        return closed;
    }

    private List<Path> list() throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, "log_*")) {
            all.forEach(files::add);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        return files;
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0; // removed meanwhile
        }
    }
}
