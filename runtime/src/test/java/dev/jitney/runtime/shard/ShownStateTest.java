package dev.jitney.runtime.shard;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.core.Command;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.sharded.BrokerFixture.Listening;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Chapter 21: the visible state of entities")
class ShownStateTest {
    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
    }

    @Test
    @DisplayName(
            "CNT-1, CNT-4: counters and the time of access are correct after every commit, without a task in the shard")
    void followEveryCommit() throws StoreException {
        Entity q = f.create("q");
        assertThat(q.accessedAtMs()).as("not used yet").isZero();
        f.nowMs += 1_000;
        f.send(q, "a", "b", "c");
        assertThat(q.counts().active()).as("not committed yet").isZero();
        f.settle();
        assertThat(q.counts().active()).isEqualTo(3);
        assertThat(q.accessedAtMs()).isEqualTo(f.nowMs);

        f.nowMs += 1_000;
        Listening listening = f.listen(q, 2);
        f.settle();
        assertThat(q.counts().locked()).isEqualTo(2);
        assertThat(q.accessedAtMs()).isEqualTo(f.nowMs);

        f.nowMs += 1_000;
        UUID first = Objects.requireNonNull(listening.messages.get(0).lockToken());
        f.submit(q, new Command.CompleteMessages(List.of(first)));
        f.settle();
        assertThat(q.counts().active()).isEqualTo(2);
        long lastUsedMs = f.nowMs;
        assertThat(q.accessedAtMs()).isEqualTo(lastUsedMs);

        f.nowMs += 1_000;
        f.crash();
        assertThat(f.entity("q").counts().active()).isEqualTo(2);
        assertThat(f.entity("q").counts().locked()).isZero();
        assertThat(f.entity("q").accessedAtMs()).isEqualTo(lastUsedMs);
    }

    @Test
    @DisplayName("CNT-4: an unused entity shows no access, not even after a restart")
    void unusedEntities() throws StoreException {
        f.create("q");
        f.nowMs += 1_000;
        f.crash();
        assertThat(f.entity("q").accessedAtMs()).isZero();
    }

    @Test
    @Timeout(60)
    @DisplayName("Issue 3, speed: 10,000 entities and as many rules are loaded within seconds, and none is missing")
    void manyEntities() throws StoreException {
        Namespace namespace = f.namespace();
        CompletionStage<?> last =
                namespace.createTopic(TopicDescription.named("t0").build());
        for (int t = 0; t < 100; t++) {
            last = namespace.createTopic(TopicDescription.named("t" + t).build());
        }
        f.settle();
        for (int i = 0; i < 9_900; i++) {
            last = namespace.createSubscription(
                    SubscriptionDescription.of("t" + i % 100, "s" + i).build(), RuleDescription.takeEverything());
        }
        f.settle();
        get(last);
        long startNanos = System.nanoTime();
        f.crash();
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        assertThat(f.namespace().entities()).hasSize(100);
        assertThat(f.namespace().entities().stream()
                        .flatMap(topic -> topic.subscriptions().stream())
                        .mapToInt(subscription -> subscription.rules().size())
                        .sum())
                .isEqualTo(9_900);
        assertThat(tookMs).as("milliseconds for loading").isLessThan(60_000);
    }
}
