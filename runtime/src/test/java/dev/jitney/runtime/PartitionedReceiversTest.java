package dev.jitney.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.QueueDescription;
import dev.jitney.model.ReceiveMode;
import dev.jitney.model.SubQueue;
import dev.jitney.runtime.BrokerFixture.Listening;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a partitioned queue tells of its receivers")
class PartitionedReceiversTest {
    private BrokerFixture f;
    private Entity queue;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("ns"),
                Stream.generate(InMemoryMessagingStore::new).limit(4).toList());
        queue = f.create(QueueDescription.named("q").enablePartitioning(true).build());
    }

    private Receiver attach() {
        Listening listening = new Listening();
        Receiver receiver =
                queue.attach(SubQueue.MAIN, ReceiveMode.PEEK_LOCK, Runnable::run, listening, listening.attached);
        f.settle();
        return receiver;
    }

    @Test
    @DisplayName("PART-57, IDLE-2: receivers count once, and one that goes counts until its fragments know")
    void going() {
        Receiver first = attach();
        Receiver second = attach();
        assertThat(queue.figures().receivers()).isEqualTo(2);
        first.detach();
        assertThat(queue.figures().receivers()).isEqualTo(2);
        f.settle();
        assertThat(queue.figures().receivers()).isEqualTo(1);
        second.detach();
        f.settle();
        assertThat(queue.figures().receivers()).isZero();
    }
}
