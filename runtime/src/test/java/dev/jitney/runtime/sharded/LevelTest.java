package dev.jitney.runtime.sharded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.store.FormatLevels;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.LevelRow;
import dev.jitney.runtime.store.RowBatch;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The level of a broker")
class LevelTest {
    private static final BrokerOptions FORMER = BrokerFixture.options("ns").with(new FormatLevels(1, 1));
    private static final BrokerOptions NEW = BrokerFixture.options("ns").with(new FormatLevels(1, 2));

    private final List<InMemoryMessagingStore> stores =
            List.of(new InMemoryMessagingStore(), new InMemoryMessagingStore());

    private BrokerFixture open(BrokerOptions options) throws StoreException {
        return new BrokerFixture(options, stores);
    }

    @Test
    @DisplayName("is raised by a batch of the first shard, and counts once that is durable (CL-60, CL-61)")
    void raises() throws Exception {
        BrokerFixture f = open(NEW);
        assertThat(f.broker.level()).isEqualTo(1);

        CompletableFuture<Void> raised = f.broker.raiseLevel(2).toCompletableFuture();
        assertThat(f.broker.level()).as("before the commit").isEqualTo(1);
        f.broker.turn();

        assertThat(raised).isCompleted();
        assertThat(f.broker.level()).isEqualTo(2);
        assertThat(LevelRow.stored(stores.get(0))).isEqualTo(2);
        assertThat(LevelRow.stored(stores.get(1))).isZero();
        assertThat(open(NEW).broker.level()).isEqualTo(2);
    }

    @Test
    @DisplayName("does not fall, and a level that is reached already is no error (CL-61)")
    void onlyRises() throws Exception {
        BrokerFixture f = open(NEW);
        f.broker.raiseLevel(2);
        f.broker.turn();
        CompletableFuture<Void> lower = f.broker.raiseLevel(1).toCompletableFuture();
        f.broker.turn();
        assertThat(lower).isCompleted();
        assertThat(LevelRow.stored(stores.get(0))).isEqualTo(2);
        assertThatIllegalArgumentException().isThrownBy(() -> f.broker.raiseLevel(3));
    }

    @Test
    @DisplayName("keeps the former release from opening the stores, also without a cluster (CL-61, CL-84)")
    void refuses() throws Exception {
        BrokerFixture f = open(NEW);
        f.broker.raiseLevel(2);
        f.broker.turn();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> open(FORMER))
                .withMessage(
                        "The data has level 2, but the release of the node supports level 1 only. Install a release that"
                                + " supports level 2 or a newer one on the node.");
    }

    @Test
    @DisplayName("is no guess if its row is damaged (CL-60)")
    void damaged() throws Exception {
        RowBatch batch = new RowBatch();
        batch.put(Table.META, LevelRow.key(), new byte[] {1});
        stores.get(0).commit(batch);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> open(NEW))
                .matches(e -> e.reason() == StoreException.Reason.CORRUPT);
    }
}
