package dev.jitney.core.queue.state;

/**
 * The memory budget of all fragments of a shard for cached data: message content, window entries, and filters of
 * message ids. For the shard's thread.
 */
public final class MemoryBudget {
    private final long contentBytesMax;
    private final int entriesMax;
    private final int windowEntriesMax;
    private final long filterBytesMax;
    private long contentBytes;
    private long filterBytes;
    private int entries;

    /**
     * Creates a budget. Filters of message ids have half as much memory as message content, in addition to it.
     *
     * @param contentBytesMax cached message content
     * @param entriesMax entries of all windows
     * @param windowEntriesMax entries of one window
     */
    public MemoryBudget(long contentBytesMax, int entriesMax, int windowEntriesMax) {
        this.contentBytesMax = contentBytesMax;
        this.entriesMax = entriesMax;
        this.windowEntriesMax = windowEntriesMax;
        this.filterBytesMax = contentBytesMax / 2;
    }

    int windowEntriesMax() {
        return windowEntriesMax;
    }

    boolean reserveContent(int bytes) {
        if (contentBytes + bytes > contentBytesMax) {
            return false;
        }
        contentBytes += bytes;
        return true;
    }

    void releaseContent(int bytes) {
        contentBytes -= bytes;
    }

    boolean reserveFilter(long bytes) {
        if (filterBytes + bytes > filterBytesMax) {
            return false;
        }
        filterBytes += bytes;
        return true;
    }

    void releaseFilter(long bytes) {
        filterBytes -= bytes;
    }

    void addEntries(int count) {
        entries += count;
    }

    /** Returns whether idle fragments should release memory. */
    public boolean isTight() {
        return entries > entriesMax || contentBytes > contentBytesMax - contentBytesMax / 8;
    }

    public long contentBytes() {
        return contentBytes;
    }

    /** Returns the bytes of all filters of message ids. */
    public long filterBytes() {
        return filterBytes;
    }

    public int entries() {
        return entries;
    }
}
