package dev.jitney.server.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value that was read from files, and is read again when they change. While the files cannot be used, the earlier value stays in
 * use. One thread calls {@link #poll}; any thread may read.
 *
 * <table>
 * <caption>The result of a poll</caption>
 * <tr><th>files</th><th>result</th></tr>
 * <tr><td>unchanged</td><td>nothing; they are read once a minute in any case, because a file system may not show a change</td></tr>
 * <tr><td>changed, and the value can be used</td><td>the new value is in use</td></tr>
 * <tr><td>changed, and the value cannot be used</td><td>the earlier value stays; each poll reads again, since a certificate and its
 * key may be written one after the other. After the second failure in a row, the reason is logged once, and {@link #trouble}
 * returns it</td></tr>
 * </table>
 *
 * @param <T> type of the value, with a method {@code equals}
 */
/*
 * A file is identified by its real path, size, time and key: Kubernetes replaces mounted secrets by changing a symbolic link, other
 * programs write the file or rename another one.
 */
public final class Watched<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Watched.class);
    private static final long READ_ANYWAY_MS = 60_000;
    private static final int FAILURES_BEFORE_TROUBLE = 2;
    private static final int SHOWN_CHARACTERS_MAX = 200;

    private final String name;
    private final List<Path> files;
    private final Reader<T> reader;
    private final User<T> user;
    private List<String> stamps;
    private long readAtMs;
    private int failures;
    private volatile T current;
    private volatile @Nullable String trouble;
    private volatile long changes;

    /**
     * Reads the files.
     *
     * @param <T> type of the value
     */
    @FunctionalInterface
    public interface Reader<T> {
        /**
         * Returns the value of the files.
         *
         * @param nowMs time for checking validity, in milliseconds since the epoch
         * @throws TlsException if the files cannot be used
         */
        T read(long nowMs) throws TlsException;
    }

    /**
     * Puts a new value into use.
     *
     * @param <T> type of the value
     */
    @FunctionalInterface
    public interface User<T> {
        /**
         * Puts the value into use.
         *
         * @throws TlsException if it cannot be used
         */
        void use(T value) throws TlsException;
    }

    /**
     * @param name the option and its value, for the log
     * @param first the value in use
     * @param nowMs the time at which it was read, in milliseconds since the epoch
     */
    public Watched(String name, List<Path> files, Reader<T> reader, User<T> user, T first, long nowMs) {
        this.name = name;
        this.files = List.copyOf(files);
        this.reader = reader;
        this.user = user;
        this.current = first;
        this.readAtMs = nowMs;
        this.stamps = List.of(); // the files may have changed since they were read, so that the first poll reads them
    }

    /**
     * Reads the files if they have changed.
     *
     * @param nowMs time in milliseconds since the epoch
     */
    public void poll(long nowMs) {
        List<String> seen = stamps();
        boolean due = nowMs - readAtMs >= READ_ANYWAY_MS || nowMs < readAtMs;
        if (failures == 0 && !due && seen.equals(stamps)) {
            return;
        }
        stamps = seen;
        readAtMs = nowMs;
        try {
            T read = reader.read(nowMs);
            if (!read.equals(current)) {
                user.use(read);
                current = read;
                changes++;
                String shown = String.valueOf(read);
                LOG.info(
                        "{}: The files have changed, and the new ones are in use.{}",
                        name,
                        shown.length() <= SHOWN_CHARACTERS_MAX ? " " + shown : "");
            } else if (trouble != null) {
                LOG.info("{}: The files can be used again.", name);
            }
            failures = 0;
            trouble = null;
        } catch (TlsException | RuntimeException e) {
            failed(String.valueOf(e.getMessage()));
        }
    }

    private void failed(String reason) {
        failures++;
        if (failures >= FAILURES_BEFORE_TROUBLE && !reason.equals(trouble)) {
            trouble = reason;
            LOG.warn(
                    "{}: {} Jitney continues with the earlier files, and reads again until they can be used.",
                    name,
                    reason);
        }
    }

    private List<String> stamps() {
        List<String> all = new ArrayList<>();
        for (Path file : files) {
            try {
                Path real = file.toRealPath();
                BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
                all.add(real + " " + attributes.size() + " " + attributes.lastModifiedTime() + " "
                        + attributes.fileKey());
            } catch (IOException e) {
                all.add("unreadable");
            }
        }
        return all;
    }

    /** Returns the value in use. */
    public T current() {
        return current;
    }

    /** Returns the reason why the files cannot be used, as one sentence, or null if they can. */
    public @Nullable String trouble() {
        String reason = trouble;
        return reason == null ? null : name + ": " + reason;
    }

    /** Returns how often a new value was put into use. */
    public long changes() {
        return changes;
    }
}
