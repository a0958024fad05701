package dev.jitney.conformance.partitioned;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.conformance.support.TestBroker;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PartitionedQuotaTest {
    private static final int ROOM = 3;

    @RegisterExtension
    static final TestBroker broker =
            TestBroker.frozen(b -> b.stores(2).limits(Map.of("maxPartitionedEntities", (long) ROOM)));

    @Test
    @DisplayName(
            "PART-63, QUOTA-12: a namespace accepts the configured number of partitioned queues and topics, and additional ordinary ones")
    void room() {
        for (int i = 0; i < ROOM - 1; i++) {
            Partitions.queue(broker);
        }
        broker.topics().create(t -> t.enablePartitioning(true));
        assertThatThrownBy(() -> Partitions.queue(broker)).hasMessageContaining(ROOM + " partitioned");
        assertThatThrownBy(() -> broker.topics().create(t -> t.enablePartitioning(true)))
                .hasMessageContaining(ROOM + " partitioned");
        broker.queue(q -> q.enablePartitioning(false));
    }
}
