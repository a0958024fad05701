package dev.jitney.runtime.namespace;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Documents;
import dev.jitney.runtime.Documents.Kind;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The documents that operators leave in a namespace")
class DocumentsTest {
    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("one", "one-more"),
                List.of(new InMemoryMessagingStore(), new InMemoryMessagingStore()));
    }

    private void put(Namespace namespace, Kind kind, long id, String content) {
        done(namespace.documents().put(kind, id, content.getBytes(StandardCharsets.UTF_8)));
    }

    private <T> T done(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    private List<String> read(Namespace namespace, Kind kind, long from, int max) {
        return done(namespace.documents().read(kind, from, max)).stream()
                .map(document -> document.id() + " " + new String(document.content(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    @DisplayName("are read in the order of their ids, from an id on, by namespace and kind")
    void readInOrder() {
        Namespace one = f.broker.namespace("one");
        Namespace other = f.broker.namespace("one-more");
        for (long id : new long[] {300, 2, 0, 1L << 40}) {
            put(one, Kind.JOB, id, "job");
        }
        put(one, Kind.AUDIT, 2, "entry");
        put(other, Kind.JOB, 3, "of another namespace");

        assertThat(read(one, Kind.JOB, 0, 10)).containsExactly("0 job", "2 job", "300 job", (1L << 40) + " job");
        assertThat(read(one, Kind.JOB, 2, 2)).containsExactly("2 job", "300 job");
        assertThat(read(one, Kind.AUDIT, 0, 10)).containsExactly("2 entry");
        assertThat(read(other, Kind.JOB, 0, 10)).containsExactly("3 of another namespace");
    }

    @Test
    @DisplayName("are replaced and deleted, and stay after a crash")
    void replaced() throws StoreException {
        for (long id = 1; id <= 5; id++) {
            put(f.broker.namespace("one"), Kind.JOB, id, "old");
        }
        put(f.broker.namespace("one"), Kind.JOB, 2, "new");
        done(f.broker.namespace("one").documents().delete(Kind.JOB, 3, 5));

        f.crash();

        assertThat(read(f.broker.namespace("one"), Kind.JOB, 0, 10)).containsExactly("1 old", "2 new", "5 old");
    }

    @Test
    @DisplayName("are not kept if the commit fails, and the caller gets the failure")
    void failedCommit() {
        put(f.broker.namespace("one"), Kind.JOB, 1, "kept");
        f.store.failNextCommit(StoreException.Reason.IO, false);
        CompletionStage<Void> failing = f.broker.namespace("one").documents().put(Kind.JOB, 2, new byte[1]);
        f.settle();

        assertThat(failure(failing)).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(read(f.broker.namespace("one"), Kind.JOB, 0, 10)).containsExactly("1 kept");
    }

    @Test
    @DisplayName("are limited in size, and a read returns about a mebibyte at most")
    void bounded() {
        Namespace one = f.broker.namespace("one");
        byte[] large = new byte[Documents.BYTES_MAX];
        IntStream.range(0, 40).forEach(id -> done(one.documents().put(Kind.AUDIT, id, large)));

        assertThat(done(one.documents().read(Kind.AUDIT, 0, 100))).hasSize(32);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.documents().put(Kind.AUDIT, 1, new byte[Documents.BYTES_MAX + 1]));
        assertThatIllegalArgumentException().isThrownBy(() -> one.documents().put(Kind.AUDIT, -1, large));
    }

    @Test
    @DisplayName("go with a namespace that is deleted at run time")
    void deletedNamespace() {
        CompletionStage<Namespace> creating = f.broker.createNamespace(
                "team",
                TierProfile.STANDARD,
                List.of(new AccessRule("team-root", Set.of(AccessRight.values()), "key", null)));
        Namespace team = done(creating);
        put(team, Kind.JOB, 1, "of the team");
        put(f.broker.namespace("one"), Kind.JOB, 1, "of another namespace");

        done(f.broker.deleteNamespace("team"));

        assertThat(f.stores.get(0).keys(Table.META).stream().map(key -> new String(key, StandardCharsets.US_ASCII)))
                .noneMatch(key -> key.startsWith("document/team/"))
                .anyMatch(key -> key.startsWith("document/one/"));
        CompletionStage<Void> late = team.documents().put(Kind.JOB, 2, new byte[0]);
        f.settle();
        assertThat(failure(late)).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
    }
}
