package dev.jitney.conformance.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusException;
import dev.jitney.conformance.support.Await;
import dev.jitney.conformance.support.PartitionedRun;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of forwarding to a store that is unavailable (FWD-16). */
class JavaSdkStoppedStoreTest extends ForwardTest {
    private static final int STOPPED = 2;

    @RegisterExtension
    static final TestBroker broker = TestBroker.frozenWithStores(3);

    @Override
    TestBroker broker() {
        return broker;
    }

    @Test
    @DisplayName("FWD-16, DLQ-32: while the store of the destination is unavailable, messages wait and are counted")
    void stoppedStore() {
        List<String> queues =
                IntStream.range(0, 12).mapToObj(i -> broker.queue()).toList();
        broker.stopStore(STOPPED);
        String to = queues.stream().filter(queue -> !works(queue)).findFirst().orElseThrow();
        String from = queues.stream().filter(this::works).findFirst().orElseThrow();
        start(to);
        broker.update(from, q -> q.forwardTo(to));
        broker.stopStore(STOPPED);
        List<String> sent = List.of("a", "b", "c");
        sent.forEach(id -> sdk.send(from, id));
        Await.until("messages in transit", () -> counts(from).transfer() == 3);
        assertThat(counts(from).total()).isEqualTo(3);
        assertThat(counts(from).sizeBytes()).isPositive();
        start(to);
        Await.until("all messages at the destination", () -> {
            broker.advance(Duration.ofMinutes(1));
            return counts(to).active() == 3;
        });
        empty(from);
        assertThat(take(to, 3)).isEqualTo(sent);
    }

    /**
     * Returns whether a queue accepts the messages of this test. If it is partitioned, they belong to one fragment
     * (PART-28).
     */
    private boolean works(String queue) {
        if (!PartitionedRun.ASKED) {
            return broker.isAvailable(queue);
        }
        try {
            sdk.send(queue, "probe");
        } catch (ServiceBusException e) {
            return false;
        }
        take(queue, 1);
        return true;
    }

    private static void start(String queue) {
        broker.startStore(STOPPED);
        Await.until("the store of " + queue, () -> broker.isAvailable(queue));
    }
}
