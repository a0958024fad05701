package dev.jitney.runtime.security;

import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityAddress;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Namespace;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.store.StoreException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A lasting grant")
class LastingGrantTest {
    private static final EntityAddress ORDERS = EntityAddress.parse("orders");
    private static final EntityAddress BILLS = EntityAddress.parse("bills");

    private BrokerFixture f;
    private Namespace namespace;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
        namespace = f.namespace();
        rules(rule("again", "first-key", AccessRight.LISTEN, AccessRight.SEND));
        done(namespace.createQueue(QueueDescription.named("bills").build()));
        done(namespace.createQueue(QueueDescription.named("orders")
                .accessRules(List.of(rule("own", "own-key", AccessRight.LISTEN)))
                .build()));
    }

    private <T> T done(CompletionStage<T> stage) {
        f.settle();
        return get(stage);
    }

    private static AccessRule rule(String name, String key, AccessRight... rights) {
        return new AccessRule(name, Set.of(rights), key, null);
    }

    private void rules(AccessRule... rules) {
        done(namespace.setAccessRules(Stream.concat(Stream.of(AccessRule.root("key")), List.of(rules).stream())
                .toList()));
    }

    private LastingGrant grant(String scope, String rule, String key) throws Exception {
        long expiryS = f.nowMs / 1_000 + 60;
        String token = SharedAccessSignature.create("sb://ns/" + scope, rule, key, expiryS);
        return LastingGrant.of(SharedAccessSignature.check(token, ORDERS, namespace, f.nowMs));
    }

    private boolean permits(LastingGrant grant, AccessRight right, EntityAddress entity) {
        Grant now = grant.now(namespace, IdentityProvider.NONE);
        return now != null && now.permits(right, entity, f.nowMs);
    }

    @Test
    @DisplayName("outlives its token and a new key, and has the rights of its rule")
    void outlivesTheToken() throws Exception {
        LastingGrant grant = grant("", "again", "first-key");
        f.nowMs += 24 * 3_600_000L;
        rules(rule("again", "second-key", AccessRight.LISTEN, AccessRight.SEND));

        assertThat(permits(grant, AccessRight.LISTEN, ORDERS)).isTrue();
        assertThat(permits(grant, AccessRight.SEND, BILLS)).isTrue();
        assertThat(permits(grant, AccessRight.MANAGE, ORDERS)).isFalse();
    }

    @Test
    @DisplayName("follows its rule: a right that the rule loses is gone, and so is everything with the rule")
    void followsTheRule() throws Exception {
        LastingGrant grant = grant("", "again", "first-key");

        rules(rule("again", "first-key", AccessRight.LISTEN));
        assertThat(permits(grant, AccessRight.SEND, ORDERS)).isFalse();
        rules();
        assertThat(grant.now(namespace, IdentityProvider.NONE)).isNull();
    }

    @Test
    @DisplayName("covers what its token covered, and nothing else")
    void keepsTheScope() throws Exception {
        LastingGrant grant = grant("orders", "again", "first-key");

        assertThat(permits(grant, AccessRight.LISTEN, ORDERS)).isTrue();
        assertThat(permits(grant, AccessRight.LISTEN, BILLS)).isFalse();
    }

    @Test
    @DisplayName("of a rule of an entity does not become one of a rule of the namespace with the same name")
    void ofAnEntity() throws Exception {
        LastingGrant grant = grant("orders", "own", "own-key");
        assertThat(permits(grant, AccessRight.LISTEN, ORDERS)).isTrue();
        assertThat(permits(grant, AccessRight.LISTEN, BILLS)).isFalse();

        rules(rule("own", "another-key", AccessRight.LISTEN, AccessRight.SEND));
        assertThat(permits(grant, AccessRight.SEND, ORDERS)).isFalse();
        done(namespace.updateQueue(((QueueDescription)
                        Objects.requireNonNull(namespace.entity("orders")).description())
                .toBuilder().accessRules(List.of()).build()));
        assertThat(grant.now(namespace, IdentityProvider.NONE)).isNull();
    }
}
