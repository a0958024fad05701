package dev.jitney.runtime.namespace;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.security.AuthenticationException;
import dev.jitney.runtime.security.KeyCredential;
import dev.jitney.runtime.security.RuleGrant;
import dev.jitney.runtime.security.SharedAccessSignature;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("ENT-4: the current access rules of the namespace and of entities")
class AccessRuleIndexTest {
    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
        f.settle();
    }

    private static AccessRule rule(String key, @Nullable String second) {
        return new AccessRule("Own", Set.of(AccessRight.SEND), key, second);
    }

    private static QueueDescription queue(String path, AccessRule... rules) {
        return QueueDescription.named(path).accessRules(List.of(rules)).build();
    }

    private void done(CompletionStage<?> change) {
        f.settle();
        get(change);
    }

    private boolean has(String key) {
        return f.namespace().hasEntityRule("oWN", key);
    }

    private static boolean permits(KeyCredential credential, AccessRight right, String path) {
        return credential.permits(right, EntityAddress.parse(path));
    }

    @Test
    @DisplayName("the index follows creation, update, deletion and a restart of entities")
    void followsEntities() throws Exception {
        f.create(queue("a", rule("k1", "k2")));
        f.create(queue("b", rule("k1", null)));
        assertThat(has("k1")).isTrue();
        assertThat(has("k2")).isTrue();
        assertThat(has("k3")).isFalse();
        assertThat(f.namespace().hasEntityRule("other", "k1")).isFalse();
        done(f.namespace().updateQueue(queue("a", rule("k2", "k3"))));
        assertThat(has("k1")).as("the rule of b").isTrue();
        assertThat(has("k2")).isTrue();
        assertThat(has("k3")).isTrue();
        done(f.namespace().deleteEntity("b"));
        assertThat(has("k1")).isFalse();
        f.crash();
        f.settle();
        assertThat(has("k1")).isFalse();
        assertThat(has("k3")).isTrue();
        done(f.namespace().deleteEntity("a"));
        assertThat(has("k2")).isFalse();
        assertThat(has("k3")).isFalse();
    }

    @Test
    @DisplayName("the version changes with the rules and with nothing else")
    void versionFollowsRules() {
        Namespace namespace = f.namespace();
        long before = namespace.accessVersion();
        f.create(queue("plain"));
        done(namespace.updateQueue(
                QueueDescription.named("plain").maxDeliveryCount(3).build()));
        done(namespace.deleteEntity("plain"));
        done(namespace.setAccessRules(List.of(AccessRule.root("key"))));
        assertThat(namespace.accessVersion()).isEqualTo(before);
        List<Runnable> changes = List.of(
                () -> f.create(queue("a", rule("k1", null))),
                () -> done(namespace.updateQueue(queue("a", rule("k2", null)))),
                () -> done(namespace.deleteEntity("a")),
                () -> done(namespace.setAccessRules(List.of(AccessRule.root("new")))));
        for (Runnable change : changes) {
            long last = namespace.accessVersion();
            change.run();
            assertThat(namespace.accessVersion()).isGreaterThan(last);
        }
    }

    @Test
    @DisplayName("a rule name and its key are sufficient for plain SASL; a rule of an entity grants access to"
            + " that entity only")
    void plainCredentials() throws Exception {
        f.create(queue("a", rule("k1", null)));
        f.create(queue("b", rule("k2", null)));
        done(f.namespace()
                .createTopic(TopicDescription.named("t")
                        .accessRules(List.of(new AccessRule("Own", Set.of(AccessRight.LISTEN), "k3", null)))
                        .build()));
        done(f.namespace()
                .createSubscription(SubscriptionDescription.of("t", "s").build(), null));
        KeyCredential root = SharedAccessSignature.checkKey(AccessRule.ROOT_NAME, "key", f.namespace());
        assertThat(permits(root, AccessRight.MANAGE, "")).isTrue();
        assertThat(permits(root, AccessRight.LISTEN, "b")).isTrue();
        KeyCredential ofQueue = SharedAccessSignature.checkKey("own", "k1", f.namespace());
        assertThat(permits(ofQueue, AccessRight.SEND, "A")).isTrue();
        assertThat(permits(ofQueue, AccessRight.LISTEN, "a")).isFalse();
        assertThat(permits(ofQueue, AccessRight.SEND, "b")).isFalse();
        assertThat(permits(ofQueue, AccessRight.SEND, "")).isFalse();
        KeyCredential ofTopic = SharedAccessSignature.checkKey("own", "k3", f.namespace());
        assertThat(permits(ofTopic, AccessRight.LISTEN, "t/Subscriptions/s")).isTrue();
        assertThat(permits(ofTopic, AccessRight.LISTEN, "a")).isFalse();
        for (String[] wrong : new String[][] {
            {AccessRule.ROOT_NAME, ""},
            {AccessRule.ROOT_NAME, "KEY"},
            {AccessRule.ROOT_NAME, "key "},
            {AccessRule.ROOT_NAME, "\0"},
            {"nobody", "key"},
            {AccessRule.ROOT_NAME, "k1"},
            {"own", ""},
            {"own", "key"}
        }) {
            assertThatThrownBy(() -> SharedAccessSignature.checkKey(wrong[0], wrong[1], f.namespace()))
                    .isInstanceOf(AuthenticationException.class);
        }
        done(f.namespace().updateQueue(queue("a", rule("k9", null))));
        assertThat(ofQueue.isValid()).isFalse();
        assertThat(permits(ofQueue, AccessRight.SEND, "a")).isFalse();
    }

    @Test
    @DisplayName("a token checked again has the current rights of its rule, and none without the rule or the key")
    void tokensJudgedAgain() throws Exception {
        f.create(queue("a", rule("k1", null)));
        EntityAddress a = EntityAddress.parse("a");
        String token = SharedAccessSignature.create("sb://h/a", "Own", "k1", f.nowMs / 1000 + 60);
        RuleGrant grant = SharedAccessSignature.check(token, a, f.namespace(), f.nowMs);
        assertThat(grant.underRulesOf(f.namespace())).isEqualTo(grant);
        assertThat(grant.toString()).doesNotContain("k1");
        AccessRule listen = new AccessRule("own", Set.of(AccessRight.LISTEN), "k2", "k1");
        done(f.namespace().updateQueue(queue("a", listen)));
        RuleGrant now = grant.underRulesOf(f.namespace());
        assertThat(now).isNotNull();
        assertThat(now.rights()).containsExactly(AccessRight.LISTEN);
        assertThat(now.expiresAtMs()).isEqualTo(grant.expiresAtMs());
        done(f.namespace().updateQueue(queue("a", rule("k2", null))));
        assertThat(grant.underRulesOf(f.namespace())).isNull();
        done(f.namespace().deleteEntity("a"));
        assertThat(now.underRulesOf(f.namespace())).isNull();
    }
}
