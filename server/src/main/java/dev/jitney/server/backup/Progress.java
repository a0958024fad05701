package dev.jitney.server.backup;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The progress of one backup. One thread changes it, any thread reads it. */
public final class Progress {
    /** The state of a backup. */
    public enum State {
        /** The stores are being prepared; the moment is not known yet. */
        STARTING,
        /** The moment has passed, and files are being copied. */
        COPYING,
        /** The backup is complete. */
        DONE,
        /** The backup has failed. It does not exist. */
        FAILED
    }

    private final CompletableFuture<Progress> moment = new CompletableFuture<>();
    private volatile State state = State.STARTING;
    private volatile long momentMs;
    private volatile long pausedNanos;
    private volatile long bytesTotal;
    private volatile long bytesDone;
    private volatile @Nullable Manifest manifest;
    private volatile String trouble = "";
    private volatile String warning = "";

    /** Returns a future that completes when the moment has passed, or the backup has failed before. It never fails. */
    public CompletableFuture<Progress> moment() {
        return moment;
    }

    /** Returns the state. */
    public State state() {
        return state;
    }

    /** Returns the moment whose data the backup has, in milliseconds since the epoch, or 0 before it. */
    public long momentMs() {
        return momentMs;
    }

    /** Returns the time for which commits waited at the moment, in nanoseconds. */
    public long pausedNanos() {
        return pausedNanos;
    }

    /** Returns the bytes of all files, or 0 before they are known. */
    public long bytesTotal() {
        return bytesTotal;
    }

    /** Returns the bytes that were read so far. */
    public long bytesDone() {
        return bytesDone;
    }

    /** Returns the complete backup, or null. */
    public @Nullable Manifest manifest() {
        return manifest;
    }

    /** Returns the reason of a failure, or empty text. */
    public String trouble() {
        return trouble;
    }

    /** Returns a sentence about a problem that did not prevent the backup, or empty text. */
    public String warning() {
        return warning;
    }

    void reached(long atMs, long paused) {
        momentMs = atMs;
        pausedNanos = paused;
        state = State.COPYING;
        moment.complete(this);
    }

    void total(long bytes) {
        bytesTotal = bytes;
    }

    void done(long bytes) {
        bytesDone += bytes; // one thread writes
    }

    void warn(String sentence) {
        warning = sentence;
    }

    void complete(Manifest made) {
        manifest = made;
        state = State.DONE;
        moment.complete(this);
    }

    void fail(String reason) {
        trouble = reason;
        state = State.FAILED;
        moment.complete(this);
    }
}
