package dev.jitney.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("QUOTA-8: the connections of access rules")
class CredentialCountsTest {
    private final CredentialCounts counts = new CredentialCounts(0);
    private Namespace namespace;
    private int max;

    @BeforeEach
    void open() throws StoreException {
        namespace = new BrokerFixture().namespace();
        max = namespace.limits().maxConnections();
    }

    private void connect(String rule, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(counts.connected(namespace, rule)).isNull();
        }
    }

    private boolean isRefused(String rule) {
        return counts.connected(namespace, rule) != null;
    }

    @Test
    @DisplayName("the only rule with connections may have all of them")
    void one() {
        connect("other", 1);
        counts.disconnected(namespace, "other");
        connect("one", max);
    }

    @Test
    @DisplayName("the last fifth is for rules with less than an equal share")
    void two() {
        connect("other", 1);
        connect("greedy", max * 4 / 5 - 1);
        assertThat(isRefused("greedy")).isTrue();
        assertThat(counts.counts())
                .anySatisfy(count -> assertThat(count.connections()).isEqualTo(max * 4 / 5 - 1));
        connect("third", 1);
        connect("other", max / 5 - 1);
        counts.disconnected(namespace, "other");
        assertThat(isRefused("greedy")).isTrue();
    }

    @Test
    @DisplayName("rules with more than an equal share grow as long as a fifth of the connections is free")
    void room() {
        connect("other", 1);
        connect("greedy", max * 4 / 5 - 1);
        counts.disconnected(namespace, "other");
        connect("greedy", 1);
        connect("other", 1);
        assertThat(isRefused("greedy")).isTrue();
    }

    @Test
    @DisplayName("the rules of another namespace do not count")
    void namespaces() throws StoreException {
        Namespace another =
                new BrokerFixture(BrokerFixture.options("another"), new InMemoryMessagingStore()).namespace();
        assertThat(counts.connected(another, "other")).isNull();
        connect("one", max);
    }
}
