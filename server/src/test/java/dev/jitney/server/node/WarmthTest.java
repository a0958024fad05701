package dev.jitney.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageCounts;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.sharded.ShardedBroker;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WarmthTest {
    private static final long ENOUGH_MS = 60_000;
    private static final NamespaceOptions NAMESPACE =
            new NamespaceOptions("ns", List.of(), Limits.of(TierProfile.STANDARD), ExpiryEnforcement.ON_RECEIVER);

    @Test
    @DisplayName(
            "CL-18: a follower sends, receives and completes messages over stores in memory, once, and closes everything")
    void usesABroker() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        AtomicReference<MessageCounts> left = new AtomicReference<>();
        Warmth warmth = new Warmth(2, stores -> {
            assertThat(stores).hasSize(2);
            Broker broker = ShardedBroker.open(BrokerOptions.of(List.of(NAMESPACE)), stores, System::currentTimeMillis);
            return new Warmth.Opened(broker, () -> {
                left.set(broker.namespaces().get(0).entity("warm-up").counts());
                broker.close();
                closed.incrementAndGet();
            });
        });
        warmth.start("a");
        assertThat(warmth.awaitEnd(ENOUGH_MS)).isTrue();
        assertThat(closed).hasValue(1);
        assertThat(left.get().active()).isZero();
    }

    @Test
    @DisplayName("CL-18: a fault of the warm-up has no effect")
    void survivesFaults() throws Exception {
        Warmth warmth = new Warmth(1, stores -> {
            throw new IOException("The test fails.");
        });
        warmth.start("a");
        assertThat(warmth.awaitEnd(ENOUGH_MS)).isTrue();
    }
}
