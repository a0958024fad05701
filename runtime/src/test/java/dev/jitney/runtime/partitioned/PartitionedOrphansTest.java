package dev.jitney.runtime.partitioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.namespace.ServedEntity;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import dev.jitney.runtime.store.Table;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A partitioned subscription that was deleted while some of its partitions could not be deleted with it. */
@DisplayName(
        "STATE-3, QUOTA-2, QUOTA-3, PART-56: partitions left over from a deletion release the bodies that they share")
class PartitionedOrphansTest extends PartitionedScenario {
    private static final String DELETED = "pt/subscriptions/deleted";
    private static final String KEPT = "pt/subscriptions/kept";

    private int home;

    @BeforeEach
    void sharedBodies() throws StoreException {
        open(2);
        settled(f.namespace()
                .createTopic(
                        TopicDescription.named("pt").enablePartitioning(true).build()));
        subscribe("deleted");
        sendPlain(f.entity("pt"), 32); // these are not shared
        subscribe("kept");
        sendPlain(f.entity("pt"), 32);
        home = ((ServedEntity) f.entity(DELETED)).shard().index();
        assertThat(bodies()).isEqualTo(32);
    }

    private <T> T settled(CompletionStage<T> stage) {
        f.settle();
        return BrokerFixture.get(stage);
    }

    private void subscribe(String name) {
        settled(f.namespace()
                .createSubscription(SubscriptionDescription.of("pt", name).build(), RuleDescription.takeEverything()));
    }

    private int bodies() {
        return f.stores.stream().mapToInt(store -> store.size(Table.BODIES)).sum();
    }

    private int remains() {
        return f.stores.stream().mapToInt(store -> store.size(Table.REMAINS)).sum();
    }

    private void thenNothingIsLeftOver() {
        Entity kept = f.entity(KEPT);
        Listening listening = attach(kept, SubQueue.MAIN, ReceiveMode.RECEIVE_AND_DELETE, 100);
        assertThat(listening.messages).hasSize(32);
        assertThat(bodies()).isZero();
        assertThat(remains()).isZero();
        assertThat(f.counts(f.entity("pt")).sizeBytes()).isZero();
        assertThat(f.stores)
                .allSatisfy(store -> assertThat(store.size(Table.MESSAGES)).isZero());
    }

    @Test
    @DisplayName("after a failure of their store during the deletion")
    void failed() {
        f.stores.get(1 - home).failNextCommit(Reason.IO, false);
        CompletionStage<Void> deletion = f.namespace().deleteEntity(DELETED);
        f.settle();
        f.letPass(60_000);
        BrokerFixture.get(deletion);
        assertThat(f.namespace().entity(DELETED)).isNull();
        thenNothingIsLeftOver();
    }

    @Test
    @DisplayName("after a kill between the deletion of the subscription and that of its partitions")
    void killed() throws StoreException {
        f.namespace().deleteEntity(DELETED);
        f.shard(home).turn();
        f.crash();
        assertThat(f.namespace().entity(DELETED)).isNull();
        f.settle();
        thenNothingIsLeftOver();
    }

    @Test
    @DisplayName("also after another kill before they are released")
    void killedTwice() throws StoreException {
        f.namespace().deleteEntity(DELETED);
        f.shard(home).turn();
        f.crash();
        f.turn();
        assertThat(remains()).isPositive();
        f.crash();
        f.settle();
        thenNothingIsLeftOver();
    }
}
