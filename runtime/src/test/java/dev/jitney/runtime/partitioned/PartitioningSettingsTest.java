package dev.jitney.runtime.partitioned;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.TransferFailureTarget;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.namespace.Partitions;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Chapter 17.1: the effect of a namespace's settings on the partitioning of its queues and topics")
class PartitioningSettingsTest {

    private static BrokerOptions options(TierProfile tier, Partitioning partitioning) {
        return BrokerOptions.of(List.of(new NamespaceOptions(
                "ns",
                List.of(AccessRule.root("key")),
                Limits.of(tier),
                ExpiryEnforcement.ON_RECEIVER,
                0,
                TransferFailureTarget.TRANSFER_DLQ,
                false,
                partitioning)));
    }

    private static BrokerFixture broker(TierProfile tier, Partitioning partitioning) throws StoreException {
        return new BrokerFixture(options(tier, partitioning), new InMemoryMessagingStore());
    }

    private static CompletionStage<Entity> queue(BrokerFixture f, String path, boolean partitioned) {
        CompletionStage<Entity> created = f.namespace()
                .createQueue(QueueDescription.named(path)
                        .enablePartitioning(partitioned)
                        .build());
        f.settle();
        return created;
    }

    private static CompletionStage<Entity> topic(BrokerFixture f, String path, boolean partitioned) {
        CompletionStage<Entity> created = f.namespace()
                .createTopic(TopicDescription.named(path)
                        .enablePartitioning(partitioned)
                        .build());
        f.settle();
        return created;
    }

    private static int fragments(Entity entity) {
        Partitions fragments = ((ServedEntity) entity).fragments();
        return fragments == null ? 1 : fragments.count();
    }

    @ParameterizedTest
    @CsvSource({
        // tier, partitions in PREMIUM, requested, fragments
        "STANDARD, 2, false, 1",
        "STANDARD, 2, true, 16",
        "STANDARD, 1, true, 16",
        "PREMIUM, 2, false, 2",
        "PREMIUM, 2, true, 2",
        "PREMIUM, 4, false, 4",
        "PREMIUM, 1, false, 1",
    })
    @DisplayName("PART-6, PART-7, PART-18, PART-20, C-23: STANDARD follows the request, PREMIUM its setting,"
            + " which it reports")
    void fragments(TierProfile tier, int premium, boolean asked, int expected) throws StoreException {
        BrokerFixture f = broker(tier, new Partitioning(false, premium));
        Entity queue = get(queue(f, "q", asked));
        Entity topic = get(topic(f, "t", asked));
        for (int starts = 0; starts < 2; starts++) {
            assertThat(fragments(queue)).isEqualTo(expected);
            assertThat(fragments(topic)).isEqualTo(expected);
            assertThat(((QueueDescription) queue.description()).enablePartitioning())
                    .isEqualTo(expected > 1);
            assertThat(((TopicDescription) topic.description()).enablePartitioning())
                    .isEqualTo(expected > 1);
            f.crash();
            queue = f.entity("q");
            topic = f.entity("t");
        }
    }

    @Test
    @DisplayName("PART-7, HTTP 5.3: PREMIUM with one partition refuses a request for partitions, and changes nothing")
    void onePartition() throws StoreException {
        BrokerFixture f = broker(TierProfile.PREMIUM, new Partitioning(true, 1));
        assertThat(failure(queue(f, "q", true))).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(failure(topic(f, "t", true))).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(f.namespace().entities()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"STANDARD, true", "STANDARD, false", "PREMIUM, true"})
    @DisplayName("PART-8, PART-22: the property cannot be changed, in either direction and tier")
    void fixed(TierProfile tier, boolean partitioned) throws StoreException {
        BrokerFixture f = broker(tier, Partitioning.DEFAULT);
        QueueDescription queue =
                (QueueDescription) get(queue(f, "q", partitioned)).description();
        TopicDescription topic =
                (TopicDescription) get(topic(f, "t", partitioned)).description();
        CompletionStage<Entity> changedQueue = f.namespace()
                .updateQueue(queue.toBuilder().enablePartitioning(!partitioned).build());
        CompletionStage<Entity> changedTopic = f.namespace()
                .updateTopic(topic.toBuilder().enablePartitioning(!partitioned).build());
        f.settle();
        assertThat(failure(changedQueue)).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(failure(changedTopic)).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(f.entity("q").description()).isEqualTo(queue);
        assertThat(f.entity("t").description()).isEqualTo(topic);
    }

    @Test
    @DisplayName(
            "PART-63: a namespace has at most 100 partitioned queues and topics, and accepts another after a deletion")
    void atMostAHundred() throws StoreException {
        BrokerFixture f = broker(TierProfile.STANDARD, Partitioning.DEFAULT);
        for (int i = 0; i < 50; i++) {
            get(queue(f, "q" + i, true));
            get(topic(f, "t" + i, true));
        }
        assertThat(failure(queue(f, "more", true))).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(failure(topic(f, "more", true))).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        get(queue(f, "plain", false));
        CompletionStage<Void> deleted = f.namespace().deleteEntity("t7");
        f.settle();
        get(deleted);
        get(queue(f, "more", true));
    }

    @Test
    @DisplayName("PART-63: PREMIUM has no such limit")
    void noLimitInPremium() throws StoreException {
        BrokerFixture f = broker(TierProfile.PREMIUM, Partitioning.DEFAULT);
        for (int i = 0; i < 101; i++) {
            get(queue(f, "q" + i, true));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PREMIUM, 2, PREMIUM, 4, only 2",
        "PREMIUM, 4, PREMIUM, 2, more",
        "PREMIUM, 4, PREMIUM, 1, more",
        "STANDARD, 2, PREMIUM, 2, more",
        "PREMIUM, 2, STANDARD, 2, only 2",
    })
    @DisplayName("PART-25: a start with another number of partitions is refused, with the necessary action")
    void otherNumber(TierProfile tier, int partitions, TierProfile nextTier, int nextPartitions, String found)
            throws StoreException {
        BrokerFixture f = broker(tier, new Partitioning(false, partitions));
        get(queue(f, "orders", true));
        f.crash();
        BrokerOptions changed = options(nextTier, new Partitioning(false, nextPartitions));
        assertThatThrownBy(() -> BrokerFixture.load(changed, List.copyOf(f.stores), () -> f.nowMs))
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("partitions of 'orders'", "hold " + found + ".", "Start with the tier");
    }
}
