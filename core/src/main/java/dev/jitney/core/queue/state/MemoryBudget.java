package dev.jitney.core.queue.state;

/**
 * The memory budget of all fragments of a shard for cached data: message content and window entries. For the shard's
 * thread.
 */
public final class MemoryBudget {
    private final long contentBytesMax;
    private final int entriesMax;
    private final int windowEntriesMax;
    private long contentBytes;
    private int entries;

    /**
     * Creates a budget.
     *
     * @param contentBytesMax cached message content
     * @param entriesMax entries of all windows
     * @param windowEntriesMax entries of one window
     */
    public MemoryBudget(long contentBytesMax, int entriesMax, int windowEntriesMax) {
        this.contentBytesMax = contentBytesMax;
        this.entriesMax = entriesMax;
        this.windowEntriesMax = windowEntriesMax;
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

    public int entries() {
        return entries;
    }
}
