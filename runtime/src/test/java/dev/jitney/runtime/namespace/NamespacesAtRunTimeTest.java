package dev.jitney.runtime.namespace;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import dev.jitney.runtime.Entity;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NamespacesAtRunTimeTest {
    private static final AccessRule ROOT_OF_B =
            new AccessRule("team-b-root", Set.of(AccessRight.values()), "key-of-team-b", null);

    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture(
                BrokerFixture.options("one", "two"),
                List.of(new InMemoryMessagingStore(), new InMemoryMessagingStore()));
    }

    private CompletionStage<Namespace> creating(String name, AccessRule... rules) {
        return f.broker.createNamespace(name, TierProfile.STANDARD, List.of(rules));
    }

    private Namespace create(String name, AccessRule... rules) {
        CompletionStage<Namespace> creating = creating(name, rules);
        f.settle();
        return get(creating);
    }

    private CompletionStage<Void> delete(String name) {
        CompletionStage<Void> deleting = f.broker.deleteNamespace(name);
        f.settle();
        return deleting;
    }

    /** Begins a deletion that takes several turns. */
    private void leave(Namespace made) {
        for (int i = 0; i < 1_000; i++) {
            made.createQueue(QueueDescription.named("n" + i).build());
        }
        f.settle();
        f.broker.deleteNamespace(made.name());
        for (int turns = 0; f.broker.leavingNamespaces().isEmpty(); turns++) {
            assertThat(turns).isLessThan(100);
            f.turn();
        }
    }

    private Entity queue(Namespace namespace, String path) {
        CompletionStage<Entity> created =
                namespace.createQueue(QueueDescription.named(path).build());
        f.settle();
        return get(created);
    }

    private List<String> served() {
        return f.broker.namespaces().stream().map(Namespace::name).toList();
    }

    private List<String> rowsOfNamespaces() {
        return f.stores.get(0).keys(Table.META).stream()
                .map(key -> new String(key, StandardCharsets.UTF_8))
                .filter(key -> key.contains("namespace/"))
                .toList();
    }

    @Test
    @DisplayName("a namespace created at run time survives kill -9 with its tier, keys, entities and messages")
    void durable() throws StoreException {
        CompletionStage<Namespace> creating =
                f.broker.createNamespace("Team-B", TierProfile.PREMIUM, List.of(ROOT_OF_B));
        f.settle();
        Namespace made = get(creating);
        assertThat(served()).containsExactly("one", "two", "Team-B");
        assertThat(made.isConfigured()).isFalse();
        f.send(queue(made, "q"), "kept");
        f.settle();
        f.nowMs += 1_000;
        f.crash();
        Namespace again = f.broker.namespace("team-b.example");
        assertThat(again.name()).isEqualTo("Team-B");
        assertThat(again.isConfigured()).isFalse();
        assertThat(again.limits().tier()).isEqualTo(TierProfile.PREMIUM);
        assertThat(again.accessRules()).containsExactly(ROOT_OF_B);
        assertThat(again.createdAtMs()).isEqualTo(made.createdAtMs());
        assertThat(f.broker.namespaceOfKey("team-b-root")).isSameAs(again);
        assertThat(f.counts(Objects.requireNonNull(again.entity("q"))).active()).isEqualTo(1);
        assertThat(f.broker.namespace("one").isConfigured()).isTrue();
    }

    @Test
    @DisplayName("keys that were changed at run time survive, too")
    void changedKeys() throws StoreException {
        AccessRule other = new AccessRule("other", Set.of(AccessRight.values()), "another-key", null);
        CompletionStage<Void> set = create("team-b", ROOT_OF_B).setAccessRules(List.of(other));
        f.settle();
        get(set);
        f.crash();
        f.settle();
        f.crash();
        assertThat(f.broker.namespace("team-b").accessRules()).containsExactly(other);
    }

    @Test
    @DisplayName("a creation without a commit has no effect after a restart")
    void uncommitted() throws StoreException {
        creating("team-b", ROOT_OF_B);
        f.crash();
        assertThat(served()).containsExactly("one", "two");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("after a failed commit, the store decides whether a namespace exists")
    void failedCommit(boolean stored) {
        f.settle();
        f.stores.get(0).failNextCommit(StoreException.Reason.IO, stored);
        CompletionStage<Namespace> creating = creating("team-b", ROOT_OF_B);
        f.letPass(60_000);
        assertThat(failure(creating)).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(served().contains("team-b")).isEqualTo(stored);
        if (stored) {
            assertThat(f.broker.namespace("team-b").accessRules()).containsExactly(ROOT_OF_B);
        } else {
            create("team-b", ROOT_OF_B);
        }
        queue(f.broker.namespace("team-b"), "q");
        assertThat(f.broker.namespace("team-b").entity("q")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("after a failed commit, the store decides whether a namespace is being deleted")
    void failedDeletion(boolean stored) {
        create("team-b", ROOT_OF_B);
        f.stores.get(0).failNextCommit(StoreException.Reason.IO, stored);
        CompletionStage<Void> deleting = f.broker.deleteNamespace("team-b");
        f.letPass(60_000);
        assertThat(failure(deleting)).isEqualTo(ErrorCode.SERVER_BUSY);
        get(delete("team-b"));
        assertThat(served()).containsExactly("one", "two");
        assertThat(f.broker.leavingNamespaces()).isEmpty();
    }

    @Test
    @DisplayName("a deleted namespace is removed with queues, topics and messages, from memory and from every store")
    void deleted() throws StoreException {
        Namespace made = create("team-b", ROOT_OF_B);
        for (int i = 0; i < 300; i++) {
            made.createQueue(QueueDescription.named("q" + i).build());
        }
        made.createQueue(
                QueueDescription.named("parts").enablePartitioning(true).build());
        CompletionStage<Entity> topic =
                made.createTopic(TopicDescription.named("t").build());
        f.settle();
        get(topic);
        CompletionStage<Entity> subscription =
                made.createSubscription(SubscriptionDescription.of("t", "s").build(), RuleDescription.takeEverything());
        f.settle();
        get(subscription);
        Entity q = Objects.requireNonNull(made.entity("q1"));
        f.send(q, "a", "b");
        f.send(get(topic), "c");
        BrokerFixture.Listening listening = f.listen(q, 1);
        f.settle();
        int ofOthers = rowsOfNamespaces().size();

        get(delete("TEAM-B"));
        assertThat(served()).containsExactly("one", "two");
        assertThat(made.isGone()).isTrue();
        assertThat(listening.closed).isNotNull();
        for (InMemoryMessagingStore store : f.stores) {
            for (Table table : List.of(Table.ENTITIES, Table.MESSAGES, Table.RULES, Table.PARTS)) {
                assertThat(store.size(table)).as("%s", table).isZero();
            }
        }
        assertThat(rowsOfNamespaces()).hasSize(ofOthers - 2).noneMatch(key -> key.contains("team-b"));
        f.crash();
        assertThat(served()).containsExactly("one", "two");

        assertThat(create("team-b", ROOT_OF_B).entities()).isEmpty();
    }

    @Test
    @DisplayName("a deletion interrupted by kill -9 continues at the next start, and the namespace is not"
            + " served meanwhile")
    void interrupted() throws StoreException {
        Namespace made = create("team-b", ROOT_OF_B);
        leave(made);
        f.crash();
        assertThat(served()).containsExactly("one", "two");
        assertThat(f.broker.leavingNamespaces()).containsExactly("team-b");
        CompletionStage<Namespace> tooEarly = creating("team-b", ROOT_OF_B);
        f.turn();
        assertThat(failure(tooEarly)).isEqualTo(ErrorCode.SERVER_BUSY);
        f.settle();
        assertThat(f.broker.leavingNamespaces()).isEmpty();
        assertThat(f.stores.get(0).size(Table.ENTITIES) + f.stores.get(1).size(Table.ENTITIES))
                .isZero();
        create("team-b", ROOT_OF_B);
    }

    @Test
    @DisplayName("an entity created during the deletion of its namespace is refused, or deleted with it")
    void createdMeanwhile() {
        Namespace made = create("team-b", ROOT_OF_B);
        CompletionStage<Void> deleting = f.broker.deleteNamespace("team-b");
        Stream.iterate(0, i -> i < 40, i -> i + 1).forEach(i -> {
            made.createQueue(QueueDescription.named("q" + i).build());
            made.createQueue(
                    QueueDescription.named("p" + i).enablePartitioning(true).build());
            f.turn();
        });
        f.settle();
        get(deleting);
        CompletionStage<Entity> late =
                made.createQueue(QueueDescription.named("late").build());
        CompletionStage<Void> rules = made.setAccessRules(List.of(AccessRule.root("key")));
        f.settle();
        assertThat(failure(late)).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        assertThat(failure(rules)).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);
        for (InMemoryMessagingStore store : f.stores) {
            assertThat(store.size(Table.ENTITIES) + store.size(Table.PARTS)).isZero();
        }
        assertThat(rowsOfNamespaces()).noneMatch(key -> key.contains("team-b"));
    }

    @Test
    @DisplayName("while a store does not work, no deletion begins; later the deletion removes everything")
    void storeAway() {
        Namespace made = create("team-b", ROOT_OF_B);
        queue(made, "q");
        f.broker.stopStore(1);
        f.settle();
        assertThat(failure(delete("team-b"))).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(served()).contains("team-b");
        f.broker.startStore(1);
        f.settle();
        get(delete("team-b"));
        assertThat(served()).doesNotContain("team-b");
    }

    @Test
    @DisplayName("a configuration that contains the name takes the namespace over with its entities, but not"
            + " during its deletion")
    void takenOver() throws StoreException {
        Namespace made = create("three", ROOT_OF_B);
        queue(made, "q");
        BrokerFixture other = new BrokerFixture(
                BrokerFixture.options("one", "two", "three"),
                f.stores.stream().map(InMemoryMessagingStore::copy).toList());
        Namespace three = other.broker.namespace("three");
        assertThat(three.isConfigured()).isTrue();
        assertThat(three.entity("q")).isNotNull();
        assertThat(three.accessRules()).containsExactly(AccessRule.root("key"));
        other.settle();
        CompletionStage<Void> deleting = other.broker.deleteNamespace("three");
        assertThat(failure(deleting)).isEqualTo(ErrorCode.INVALID_OPERATION);

        leave(made);
        List<InMemoryMessagingStore> left =
                f.stores.stream().map(InMemoryMessagingStore::crash).toList();
        assertThatThrownBy(() -> new BrokerFixture(BrokerFixture.options("one", "two", "three"), left))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("'three' is being deleted");
    }

    @Test
    @DisplayName("names, keys and the number of namespaces have limits, and errors mention them")
    void refusals() {
        assertThat(failure(creating("", ROOT_OF_B))).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(failure(creating("a.b", ROOT_OF_B))).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(failure(creating("x".repeat(51), ROOT_OF_B))).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(failure(creating("no-rules"))).isEqualTo(ErrorCode.ARGUMENT);
        CompletionStage<Namespace> localhost = creating("LocalHost", ROOT_OF_B);
        CompletionStage<Namespace> address = creating("127", ROOT_OF_B);
        CompletionStage<Namespace> taken = creating("ONE", ROOT_OF_B);
        CompletionStage<Namespace> keyName = creating("fine", AccessRule.root("another"));
        f.settle();
        assertThat(failure(localhost)).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(failure(address)).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(failure(taken)).isEqualTo(ErrorCode.ENTITY_EXISTS);
        assertThat(failure(keyName)).isEqualTo(ErrorCode.ENTITY_EXISTS);
        assertThat(failure(delete("one"))).isEqualTo(ErrorCode.INVALID_OPERATION);
        assertThat(failure(delete("nobody"))).isEqualTo(ErrorCode.ENTITY_NOT_FOUND);

        CompletionStage<Namespace> first = creating("twin", ROOT_OF_B);
        CompletionStage<Namespace> second = creating("TWIN", ROOT_OF_B);
        f.settle();
        get(first);
        assertThat(failure(second)).isEqualTo(ErrorCode.ENTITY_EXISTS);

        for (int i = 3; i < f.broker.namespacesMax(); i++) {
            create("n" + i, new AccessRule("k" + i, Set.of(AccessRight.values()), "key", null));
        }
        CompletionStage<Namespace> more =
                creating("more", new AccessRule("k", Set.of(AccessRight.values()), "key", null));
        f.settle();
        assertThat(failure(more)).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
    }
}
