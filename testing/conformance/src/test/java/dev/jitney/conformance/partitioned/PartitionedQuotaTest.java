package dev.jitney.conformance.partitioned;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.conformance.support.TestBroker;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PartitionedQuotaTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.frozenWithStores(2);

    @Test
    @DisplayName(
            "PART-63: a namespace has room for a hundred partitioned queues and topics, and for more ordinary ones")
    void hundred() {
        for (int i = 0; i < 99; i++) {
            Partitions.queue(broker);
        }
        broker.topics().create(t -> t.enablePartitioning(true));
        assertThatThrownBy(() -> Partitions.queue(broker)).hasMessageContaining("100 partitioned");
        assertThatThrownBy(() -> broker.topics().create(t -> t.enablePartitioning(true)))
                .hasMessageContaining("100 partitioned");
        broker.queue(q -> q.enablePartitioning(false));
    }
}
