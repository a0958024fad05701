package dev.jitney.runtime.audit;

import dev.jitney.runtime.AuditTrail;
import dev.jitney.runtime.Clock;
import dev.jitney.runtime.Documents;
import dev.jitney.runtime.Documents.Document;
import dev.jitney.runtime.Documents.Kind;
import dev.jitney.runtime.rows.AuditRows;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The audit trail of a namespace as documents in its store. The last id is read from the store before the first use. Any thread may call
 * it; no lock is held while a document is written or read.
 */
public final class StoredAuditTrail implements AuditTrail {
    /** The number of entries that wait for their commits. */
    static final int IN_PROGRESS_MAX = 1_024;

    /** The number of old entries that are deleted at a time. */
    static final int DELETED_AT_ONCE = 256;

    /** The number of refused actions that are appended without a pause. */
    static final int REFUSALS_AT_ONCE = 60;

    /** The time after which one more refused action is appended. A client with any key can cause refusals, and cannot push out the trail. */
    static final long REFUSAL_EVERY_MS = 60_000;

    /** The number of reads that are appended without a pause. */
    static final int READS_AT_ONCE = 60;

    /** The time after which one more read is appended. */
    static final long READ_EVERY_MS = 60_000;

    /** The number of logins and logouts that are appended without a pause. */
    static final int SESSIONS_AT_ONCE = 60;

    /** The time after which one more login or logout is appended. */
    static final long SESSION_EVERY_MS = 60_000;

    /** The minimum time between two entries that count missing ones. */
    static final long COUNT_EVERY_MS = 60_000;

    private static final long UNKNOWN = -1;

    private final String namespace;
    private final Documents documents;
    private final Clock clock;

    // Guarded by this:

    /** The work that waits for the last id, in order. */
    private final List<Consumer<@Nullable Throwable>> waiting = new ArrayList<>();

    /** True until the work that waited for the last id has run. */
    private boolean searching;

    /** The oldest id that is not deleted. */
    private long firstId = 1;

    private long nextId = UNKNOWN;
    private int inProgress;
    private long lost;
    private final Ration refusals = new Ration(REFUSALS_AT_ONCE, REFUSAL_EVERY_MS);
    private final Ration reads = new Ration(READS_AT_ONCE, READ_EVERY_MS);
    private final Ration sessions = new Ration(SESSIONS_AT_ONCE, SESSION_EVERY_MS);
    private long countedAtMs = Long.MIN_VALUE / 2;

    /** The numbers of missing entries: those that the store did not take, and those that were left out by their kind. */
    private record Missing(long lost, long refusals, long reads, long sessions) {
        static final Missing NONE = new Missing(0, 0, 0, 0);
        static final Missing ONE = new Missing(1, 0, 0, 0);
    }

    /**
     * An entry without its id.
     *
     * @param missing the numbers of missing entries that nothing counts if this one is lost
     */
    private record Waiting(long timeMs, Result result, Action action, String details, Missing missing) {
        Entry numbered(long id) {
            return new Entry(id, timeMs, result, action, details);
        }
    }

    /**
     * @param namespace the name of the namespace
     * @param documents its documents
     */
    public StoredAuditTrail(String namespace, Documents documents, Clock clock) {
        this.namespace = namespace;
        this.documents = documents;
        this.clock = clock;
    }

    @Override
    public void append(Result result, Action action, String details) {
        long nowMs = clock.nowMs();
        if (result != Result.REFUSED || !action.key().isEmpty() && takeRefusal(nowMs)) {
            append(new Waiting(nowMs, result, action, details, Missing.ONE));
        }
    }

    @Override
    public void appendRead(Action action, String details) {
        long nowMs = clock.nowMs();
        if (takeRead(nowMs)) {
            append(new Waiting(nowMs, Result.DONE, action, details, Missing.ONE));
        }
    }

    @Override
    public void appendSession(Action action) {
        long nowMs = clock.nowMs();
        if (takeSession(nowMs)) {
            append(new Waiting(nowMs, Result.DONE, action, "", Missing.ONE));
        }
    }

    private synchronized boolean takeSession(long nowMs) {
        return sessions.take(nowMs);
    }

    private synchronized boolean takeRead(long nowMs) {
        return reads.take(nowMs);
    }

    private synchronized boolean takeRefusal(long nowMs) {
        return refusals.take(nowMs);
    }

    private void append(Waiting entry) {
        synchronized (this) {
            if (inProgress == IN_PROGRESS_MAX) {
                countMissing(entry);
                return;
            }
            inProgress++;
        }
        whenLastIdIsKnown(failure -> {
            if (failure == null) {
                write(entry);
            } else {
                finish(entry, failure);
            }
        });
    }

    private void write(Waiting entry) {
        long id;
        long oldestId;
        long keptId;
        synchronized (this) {
            id = nextId++;
            oldestId = firstId;
            keptId = nextId - ENTRIES_MAX;
            if (keptId < oldestId + DELETED_AT_ONCE) {
                keptId = oldestId; // nothing to delete
            }
            firstId = keptId;
        }
        documents
                .put(Kind.AUDIT, id, AuditRows.toBytes(entry.numbered(id)))
                .whenComplete((done, failure) -> finish(entry, failure));
        if (oldestId < keptId) {
            documents.delete(Kind.AUDIT, oldestId, keptId).whenComplete((done, failure) -> {
                if (failure != null) {
                    keep(oldestId);
                }
            });
        }
    }

    /** Handles entries that could not be deleted: a later deletion includes them. */
    private synchronized void keep(long oldestId) {
        firstId = Math.min(firstId, oldestId);
    }

    private void finish(Waiting entry, @Nullable Throwable failure) {
        synchronized (this) {
            inProgress--;
            if (failure != null) {
                countMissing(entry);
            }
        }
        if (failure == null) {
            appendCounts();
        }
    }

    private synchronized void countMissing(Waiting entry) {
        Missing missing = entry.missing();
        lost += missing.lost();
        refusals.add(missing.refusals());
        reads.add(missing.reads());
        sessions.add(missing.sessions());
    }

    /** Appends an entry that counts the missing ones, if there are any. */
    private void appendCounts() {
        Waiting counts;
        synchronized (this) {
            long nowMs = clock.nowMs();
            long passed = nowMs - countedAtMs;
            Missing missing = new Missing(lost, refusals.leftOut(), reads.leftOut(), sessions.leftOut());
            if (missing.equals(Missing.NONE) || passed >= 0 && passed < COUNT_EVERY_MS) {
                return;
            }
            List<String> words = new ArrayList<>();
            if (missing.lost() > 0) {
                words.add("lost entries, which the store did not take: " + missing.lost());
            }
            if (missing.refusals() > 0) {
                words.add("refused actions without an entry, because there were many: " + missing.refusals());
            }
            if (missing.reads() > 0) {
                words.add("reads without an entry, because there were many: " + missing.reads());
            }
            if (missing.sessions() > 0) {
                words.add("logins and logouts without an entry, because there were many: " + missing.sessions());
            }
            counts = new Waiting(
                    nowMs,
                    Result.LEFT_OUT,
                    new Action("leave out entries", "", "", namespace, "", ""),
                    String.join("; ", words),
                    missing);
            lost = 0;
            refusals.add(-missing.refusals());
            reads.add(-missing.reads());
            sessions.add(-missing.sessions());
            countedAtMs = nowMs;
        }
        append(counts);
    }

    @Override
    public CompletionStage<Slice> read(long before) {
        CompletableFuture<Slice> slice = new CompletableFuture<>();
        whenLastIdIsKnown(failure -> {
            if (failure == null) {
                appendCounts();
                read(before, slice);
            } else {
                slice.completeExceptionally(failure);
            }
        });
        return slice;
    }

    private void read(long before, CompletableFuture<Slice> slice) {
        long first;
        long end;
        synchronized (this) {
            first = firstId;
            end = Math.min(before, nextId);
        }
        long from = Math.max(first, end - READ_MAX);
        if (from >= end) {
            slice.complete(new Slice(List.of(), 0));
            return;
        }
        documents.read(Kind.AUDIT, from, READ_MAX).whenComplete((found, failure) -> {
            if (failure != null) {
                slice.completeExceptionally(failure);
                return;
            }
            List<Entry> entries = new ArrayList<>();
            for (Document document : found) {
                if (document.id() < end) {
                    entries.add(entry(document));
                }
            }
            Collections.reverse(entries);
            slice.complete(new Slice(entries, from > first ? from : 0));
        });
    }

    /** Returns the entry in a document. An entry that a later release has written is shown without its content. */
    private Entry entry(Document document) {
        try {
            return AuditRows.read(document.id(), document.content());
        } catch (StoreException e) {
            return new Entry(
                    document.id(),
                    0,
                    Result.LEFT_OUT,
                    new Action("read entry", "", "", namespace, "", ""),
                    String.valueOf(e.getMessage()));
        }
    }

    // --- the last id ---

    /** Runs work once the last id is known, or with the failure of the search for it. */
    private void whenLastIdIsKnown(Consumer<@Nullable Throwable> work) {
        boolean known;
        synchronized (this) {
            known = nextId != UNKNOWN && !searching; // otherwise it would overtake work that waits
            if (!known) {
                waiting.add(work);
                if (searching) {
                    return;
                }
                searching = true;
            }
        }
        if (known) {
            work.accept(null);
        } else {
            exists(0, first -> {
                if (first == null) {
                    found(1, 1);
                } else {
                    search(first, first, 1);
                }
            });
        }
    }

    /**
     * Searches for the last id in growing steps. Two reads for each doubling of the number of entries are enough.
     *
     * @param known an id that exists
     */
    private void search(long first, long known, long step) {
        exists(known + step, id -> {
            if (id == null) {
                searchBetween(first, known, known + step);
            } else {
                search(first, id, step * 2);
            }
        });
    }

    /** @param end no id from here on exists */
    private void searchBetween(long first, long known, long end) {
        if (known + 1 == end) {
            found(first, end);
            return;
        }
        long middle = known + (end - known) / 2;
        exists(middle, id -> {
            if (id == null) {
                searchBetween(first, known, middle);
            } else {
                searchBetween(first, id, end);
            }
        });
    }

    /** Passes the smallest id from a number on, or null if there is none. */
    private void exists(long from, Consumer<@Nullable Long> then) {
        documents.read(Kind.AUDIT, from, 1).whenComplete((found, failure) -> {
            if (failure != null) {
                endSearch(failure);
            } else {
                then.accept(found.isEmpty() ? null : found.get(0).id());
            }
        });
    }

    private void found(long first, long next) {
        synchronized (this) {
            firstId = first;
            nextId = next;
        }
        endSearch(null);
    }

    private void endSearch(@Nullable Throwable failure) {
        while (true) {
            List<Consumer<@Nullable Throwable>> works;
            synchronized (this) {
                if (waiting.isEmpty()) {
                    searching = false;
                    return;
                }
                works = List.copyOf(waiting);
                waiting.clear();
            }
            works.forEach(work -> work.accept(failure));
        }
    }
}
