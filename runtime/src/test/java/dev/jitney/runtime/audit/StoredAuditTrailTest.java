package dev.jitney.runtime.audit;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.AuditTrail;
import dev.jitney.runtime.AuditTrail.Entry;
import dev.jitney.runtime.AuditTrail.Result;
import dev.jitney.runtime.AuditTrail.Slice;
import dev.jitney.runtime.Documents;
import dev.jitney.runtime.Documents.Kind;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The audit trail of a namespace")
class StoredAuditTrailTest {
    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture(BrokerFixture.options("one", "two"), new InMemoryMessagingStore());
    }

    private Namespace one() {
        return f.broker.namespace("one");
    }

    private AuditedAction action(String key) {
        return new AuditedAction("update queue", key, "10.0.0.1:4711", one(), "orders", "");
    }

    private void done(String details) {
        Audit.done(action("root"), details);
    }

    private void done(int first, int last) {
        for (int i = first; i <= last; i++) {
            done(String.valueOf(i));
            if (i % 500 == 0) {
                f.settle();
            }
        }
        f.settle();
    }

    private void refused(int count) {
        for (int i = 0; i < count; i++) {
            Audit.refused(action("root"), "no");
        }
        f.settle();
    }

    private Slice slice(long before) {
        CompletionStage<Slice> slice = one().auditTrail().read(before);
        f.settle();
        return get(slice);
    }

    /** Returns all entries, the newest first. */
    private List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        long before = Long.MAX_VALUE;
        while (before > 0) {
            Slice slice = slice(before);
            entries.addAll(slice.entries());
            before = slice.next();
        }
        return entries;
    }

    private List<String> details() {
        return entries().stream().map(Entry::details).toList();
    }

    @Test
    @DisplayName("says who did what, from where, when, and with which result, in each view of the namespace")
    void entry() {
        done("lockDurationMs: 60000 -> 5000");
        f.nowMs += 1_000;
        Audit.refused(new AuditedAction("delete rule", "reader", "10.0.0.2:1", one(), "t/Subscriptions/s", "r"), "no");
        f.settle();

        assertThat(entries())
                .containsExactly(
                        new Entry(
                                2,
                                f.nowMs,
                                Result.REFUSED,
                                new AuditTrail.Action(
                                        "delete rule", "reader", "10.0.0.2:1", "one", "t/Subscriptions/s", "r"),
                                "no"),
                        new Entry(
                                1,
                                f.nowMs - 1_000,
                                Result.DONE,
                                new AuditTrail.Action("update queue", "root", "10.0.0.1:4711", "one", "orders", ""),
                                "lockDurationMs: 60000 -> 5000"));
        assertThat(one().unthrottled().auditTrail()).isSameAs(one().auditTrail());
        CompletionStage<Slice> other = f.broker.namespace("two").auditTrail().read(Long.MAX_VALUE);
        f.settle();
        assertThat(get(other)).isEqualTo(new Slice(List.of(), 0));
    }

    @Test
    @DisplayName("is read in slices, from the newest entry to the oldest one")
    void slices() {
        done(1, 70);

        Slice newest = slice(Long.MAX_VALUE);
        assertThat(newest.entries()).extracting(Entry::id).isEqualTo(ids(70, 39));
        assertThat(newest.next()).isEqualTo(39);
        assertThat(slice(39).next()).isEqualTo(7);
        assertThat(slice(7).entries()).extracting(Entry::id).isEqualTo(ids(6, 1));
        assertThat(slice(7).next()).isZero();
        assertThat(slice(20).entries()).extracting(Entry::id).isEqualTo(ids(19, 1));
        assertThat(slice(0)).isEqualTo(new Slice(List.of(), 0));
    }

    private static List<Long> ids(long from, long to) {
        return LongStream.rangeClosed(0, from - to).mapToObj(i -> from - i).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 31, 32, 33, 64, 100})
    @DisplayName("continues after a crash with the id after the last one")
    void restart(int count) throws StoreException {
        done(1, count);

        f.crash();
        done("after the crash");
        done("again");
        f.settle();

        assertThat(entries()).extracting(Entry::id).isEqualTo(ids(count + 2, 1));
        assertThat(details().subList(0, 2)).containsExactly("again", "after the crash");
    }

    @Test
    @DisplayName("keeps the newest ten thousand entries, and at most a group more")
    void bounded() throws StoreException {
        int count = AuditTrail.ENTRIES_MAX + 2 * StoredAuditTrail.DELETED_AT_ONCE + 10;
        done(1, count);
        assertThat(entries()).extracting(Entry::id).isEqualTo(ids(count, 2 * StoredAuditTrail.DELETED_AT_ONCE + 1));

        f.crash();
        done(count + 1, count + 1);

        assertThat(entries()).extracting(Entry::id).isEqualTo(ids(count + 1, 2 * StoredAuditTrail.DELETED_AT_ONCE + 1));
    }

    @Test
    @DisplayName("counts entries that the store does not take, and the author of the change does not notice")
    void failingStore() {
        done("before");
        f.settle();
        f.store.failNextCommit(StoreException.Reason.IO, false);
        done("lost");
        done("lost too");
        f.settle();

        f.letPass(5_000);
        done("after");
        f.settle();

        assertThat(details()).containsExactly("lost entries, which the store did not take: 2", "after", "before");
        assertThat(entries().get(0).result()).isEqualTo(Result.LEFT_OUT);
        assertThat(entries()).extracting(Entry::id).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("counts the entries beyond those that may wait for their commits")
    void tooMany() {
        for (int i = 1; i <= StoredAuditTrail.IN_PROGRESS_MAX + 10; i++) {
            done(String.valueOf(i));
        }
        f.settle();

        List<String> details = details();
        assertThat(details).hasSize(StoredAuditTrail.IN_PROGRESS_MAX + 1);
        assertThat(details.get(0)).isEqualTo("lost entries, which the store did not take: 10");
        assertThat(details.get(1)).isEqualTo(String.valueOf(StoredAuditTrail.IN_PROGRESS_MAX));
    }

    @Test
    @DisplayName("takes few refusals from a client that causes many, and counts the others")
    void refusals() {
        refused(StoredAuditTrail.REFUSALS_AT_ONCE + 40);
        assertThat(details())
                .hasSize(StoredAuditTrail.REFUSALS_AT_ONCE + 1)
                .startsWith("refused actions without an entry, because there were many: 40");

        refused(5);
        assertThat(details()).hasSize(StoredAuditTrail.REFUSALS_AT_ONCE + 1);

        f.nowMs += StoredAuditTrail.REFUSAL_EVERY_MS;
        refused(2);
        assertThat(details())
                .hasSize(StoredAuditTrail.REFUSALS_AT_ONCE + 3)
                .startsWith("refused actions without an entry, because there were many: 6", "no");
        done("a change is never left out");
        f.settle();
        assertThat(details()).startsWith("a change is never left out");
    }

    @Test
    @DisplayName("shows the number of refusals to a reader, also if nothing happens afterwards")
    void refusalsCountedForReader() {
        refused(StoredAuditTrail.REFUSALS_AT_ONCE + 1);
        refused(7);

        f.nowMs += StoredAuditTrail.COUNT_EVERY_MS;

        assertThat(details()).startsWith("refused actions without an entry, because there were many: 7");
    }

    @Test
    @DisplayName("takes few logins from a client that logs in often, and counts the others")
    void sessions() {
        done("a change");
        for (int i = 0; i < StoredAuditTrail.SESSIONS_AT_ONCE + 40; i++) {
            Audit.session(action("reader"));
        }
        f.settle();
        assertThat(details())
                .hasSize(StoredAuditTrail.SESSIONS_AT_ONCE + 2)
                .startsWith("logins and logouts without an entry, because there were many: 40")
                .endsWith("a change");
    }

    @Test
    @DisplayName("has no refusals of clients without an accepted key")
    void unknownClients() {
        Audit.refused(action(""), "no key");
        f.settle();

        assertThat(entries()).isEmpty();
    }

    @Test
    @DisplayName("takes the longest texts that clients can send")
    void longTexts() {
        String longText = "€".repeat(5_000);
        Audit.done(new AuditedAction("update queue", longText, "10.0.0.1:4711", one(), longText, longText), longText);
        f.settle();

        assertThat(entries()).hasSize(1);
        assertThat(entries().get(0).details())
                .hasSizeLessThan(2_100)
                .startsWith("€€")
                .endsWith("…");
    }

    @Test
    @DisplayName("shows its other entries if one has an unknown format")
    void unknownFormat() {
        done("known");
        f.settle();
        one().documents().put(Kind.AUDIT, 2, new byte[] {77});
        f.settle();

        Documents documents = one().documents();
        CompletionStage<Slice> slice = new StoredAuditTrail("one", documents, () -> f.nowMs).read(Long.MAX_VALUE);
        f.settle();

        assertThat(get(slice).entries())
                .extracting(Entry::details)
                .element(0)
                .asString()
                .contains("version 77");
        assertThat(get(slice).entries()).extracting(Entry::details).element(1).isEqualTo("known");
    }

    @Test
    @DisplayName("searches again for its last id if the store failed, and counts the entries that waited for it")
    void failingSearch() throws StoreException {
        done(1, 5);
        f.crash();
        f.store.failNextRead();

        CompletionStage<Slice> reading = one().auditTrail().read(Long.MAX_VALUE);
        done("lost");
        f.settle();
        assertThat(reading.toCompletableFuture()).isCompletedExceptionally();

        f.letPass(5_000);
        done("6");
        f.settle();
        assertThat(details())
                .containsExactly("lost entries, which the store did not take: 1", "6", "5", "4", "3", "2", "1");
        assertThat(entries()).extracting(Entry::id).isEqualTo(ids(7, 1));
    }
}
