package dev.jitney.runtime.namespace;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.FragmentId;
import dev.jitney.core.RowWriter.EntityRow;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.rows.StoreRowReader;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Answer;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapters 19 and 21: the entities of a namespace")
class NamespaceTest {
    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
    }

    private static BrokerFixture broker(Limits limits) throws StoreException {
        NamespaceOptions namespace =
                new NamespaceOptions("ns", List.of(AccessRule.root("key")), limits, ExpiryEnforcement.ON_RECEIVER);
        return new BrokerFixture(BrokerOptions.of(List.of(namespace)), new InMemoryMessagingStore());
    }

    private static Limits entitiesMax(int count) {
        Limits l = Limits.of(TierProfile.STANDARD);
        return new Limits(
                l.tier(),
                l.maxMessageSizeBytes(),
                l.maxQueueSizeInMegabytes(),
                l.maxTimeToLiveMs(),
                l.maxIdLength(),
                l.maxPropertySizeBytes(),
                l.maxHeaderSizeBytes(),
                count,
                l.maxPartitionedEntities(),
                l.maxSubscriptions(),
                l.maxSqlFilters(),
                l.maxCorrelationFilters(),
                l.maxConnections(),
                l.maxReceivers(),
                l.maxLocks(),
                l.maxPeekCount(),
                l.maxPeekSizeBytes(),
                l.maxBatchDeleteCount());
    }

    private <T> CompletionStage<T> settled(CompletionStage<T> stage) {
        f.settle();
        return stage;
    }

    private static QueueDescription queue(String path) {
        return QueueDescription.named(path).build();
    }

    @Test
    @DisplayName("TTL-18: a queue created without a time to live has the maximum in STANDARD and PREMIUM")
    void largestTimeToLive() throws StoreException {
        for (TierProfile tier : List.of(TierProfile.STANDARD, TierProfile.PREMIUM)) {
            f = broker(Limits.of(tier));
            f.create("q");
            f.crash();
            assertThat(f.entity("q").description().defaultMessageTimeToLiveMs()).isEqualTo(MessageView.NEVER);
        }
    }

    @Test
    @DisplayName("ENT-1: an update is visible afterwards, also after a restart; a refused one changes nothing")
    void updateAndGet() throws StoreException {
        f.create("q");
        QueueDescription changed = QueueDescription.named("q")
                .lockDurationMs(5_000)
                .maxSizeInMegabytes(2_048)
                .defaultMessageTimeToLiveMs(1_000)
                .maxDeliveryCount(3)
                .deadLetteringOnMessageExpiration(true)
                .enableBatchedOperations(false)
                .status(EntityStatus.SEND_DISABLED)
                .userMetadata("m")
                .build();
        assertThat(get(settled(f.namespace().updateQueue(changed))).description())
                .isEqualTo(changed);
        assertThat(failure(settled(f.namespace()
                        .updateQueue(changed.toBuilder().requiresSession(true).build()))))
                .isEqualTo(ErrorCode.ARGUMENT);
        f.crash();
        assertThat(f.entity("q").description()).isEqualTo(changed);
    }

    @Test
    @DisplayName("MSG-9: an update under another spelling finds the queue and leaves its name as created")
    void updateKeepsTheName() throws StoreException {
        f.create("Orders");
        QueueDescription changed =
                QueueDescription.named("ORDERS").maxDeliveryCount(3).build();
        assertThat(get(settled(f.namespace().updateQueue(changed))).path()).isEqualTo("Orders");
        f.crash();
        assertThat(f.entity("orders").path()).isEqualTo("Orders");
        assertThat(BrokerFixture.describe(f.entity("orders")).maxDeliveryCount())
                .isEqualTo(3);
    }

    @Test
    @DisplayName("DLQ-2: a dead-letter queue cannot be created, changed or deleted apart from its queue")
    void deadLetterQueueIsNotManaged() {
        Entity q = f.create("q");
        f.send(q, "a");
        for (String path : List.of("q/$DeadLetterQueue", "Q/$deadletterqueue", "q/$Transfer/$DeadLetterQueue")) {
            assertThat(failure(settled(f.namespace().createQueue(queue(path))))).isEqualTo(ErrorCode.INVALID_OPERATION);
            assertThat(failure(settled(f.namespace().updateQueue(queue(path))))).isEqualTo(ErrorCode.INVALID_OPERATION);
            assertThat(failure(settled(f.namespace().deleteEntity(path)))).isEqualTo(ErrorCode.INVALID_OPERATION);
        }
        assertThat(f.counts(q).active()).isEqualTo(1);
        get(settled(f.namespace().deleteEntity("q")));
        assertThat(f.namespace().entities()).isEmpty();
    }

    @Test
    @DisplayName(
            "QUOTA-7: no more entities than the limit; a deletion makes room; an existing name is reported as such")
    void entityLimit() throws StoreException {
        f = broker(entitiesMax(2));
        f.create("a");
        f.create("b");
        assertThat(failure(settled(f.namespace().createQueue(queue("c"))))).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(failure(settled(f.namespace().createQueue(queue("A"))))).isEqualTo(ErrorCode.ENTITY_EXISTS);
        get(settled(f.namespace()
                .updateQueue(QueueDescription.named("a").maxDeliveryCount(1).build())));
        get(settled(f.namespace().deleteEntity("a")));
        get(settled(f.namespace().createQueue(queue("c"))));
    }

    @Test
    @DisplayName("QUOTA-7: concurrent creations do not exceed the limit together")
    void entityLimitUnderWay() throws StoreException {
        f = broker(entitiesMax(2));
        List<CompletionStage<Entity>> created = List.of(
                f.namespace().createQueue(queue("a")),
                f.namespace().createQueue(queue("b")),
                f.namespace().createQueue(queue("c")));
        f.settle();
        get(created.get(0));
        get(created.get(1));
        assertThat(failure(created.get(2))).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(f.namespace().entities()).hasSize(2);
    }

    @Test
    @DisplayName("QUOTA-7, QUOTA-12: entities above a lowered limit stay and work; only creating fails")
    void loweredEntityLimit() throws StoreException {
        f = broker(entitiesMax(3));
        f.create("a");
        f.create("b");
        f.create("c");
        InMemoryMessagingStore left = f.store.crash();
        NamespaceOptions lowered = new NamespaceOptions(
                "ns", List.of(AccessRule.root("key")), entitiesMax(1), ExpiryEnforcement.ON_RECEIVER);
        f = new BrokerFixture(BrokerOptions.of(List.of(lowered)), left);
        assertThat(f.namespace().entities()).hasSize(3);
        Answer sent = f.send(f.entity("c"), "m");
        f.settle();
        assertThat(sent.reply()).isNotNull();
        assertThat(failure(settled(f.namespace().createQueue(queue("d"))))).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
    }

    @Test
    @DisplayName("CNT-4: CreatedAt stays, UpdatedAt moves with an update, AccessedAt with use, all stored")
    void times() throws StoreException {
        long start = f.nowMs;
        ServedQueue q = (ServedQueue) f.create("q");
        f.nowMs += 5_000;
        get(settled(f.namespace()
                .updateQueue(QueueDescription.named("q").maxDeliveryCount(2).build())));
        f.nowMs += 7_000;
        f.send(q, "a");
        f.settle();
        f.crash();
        StoreRowReader rows = new StoreRowReader(f.store);
        EntityRow row = rows.entities().get(0);
        assertThat(row.createdAtMs()).isEqualTo(start);
        assertThat(row.updatedAtMs()).isEqualTo(start + 5_000);
        assertThat(rows.fragment(new FragmentId(q.id(), 0)).accessedAtMs()).isEqualTo(start + 12_000);
    }
}
