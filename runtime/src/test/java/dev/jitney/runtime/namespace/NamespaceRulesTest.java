package dev.jitney.runtime.namespace;

import static dev.jitney.runtime.sharded.BrokerFixture.failure;
import static dev.jitney.runtime.sharded.BrokerFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.ExpiryEnforcement;
import dev.jitney.model.Limits;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.BrokerOptions;
import dev.jitney.runtime.NamespaceOptions;
import dev.jitney.runtime.rows.ConfigurationsRow;
import dev.jitney.runtime.sharded.BrokerFixture;
import dev.jitney.runtime.store.InMemoryMessagingStore;
import dev.jitney.runtime.store.StoreException;
import dev.jitney.runtime.store.StoreException.Reason;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Issue 3, 3: authorization rules of a namespace, set at run time")
class NamespaceRulesTest {
    private static final List<AccessRule> CONFIGURED = List.of(AccessRule.root("key"));
    private static final List<AccessRule> ROTATED = List.of(
            new AccessRule(AccessRule.ROOT_NAME, Set.of(AccessRight.MANAGE), "new", "key"),
            new AccessRule("app", Set.of(AccessRight.SEND), "a", null));

    private BrokerFixture f;

    @BeforeEach
    void open() throws StoreException {
        f = new BrokerFixture();
        f.settle();
    }

    private CompletionStage<Void> set(List<AccessRule> rules) {
        CompletionStage<Void> done = f.namespace().setAccessRules(rules);
        f.settle();
        return done;
    }

    private void restartConfigured(List<AccessRule> rules) throws StoreException {
        InMemoryMessagingStore left = f.store.crash();
        long nowMs = f.nowMs;
        f = new BrokerFixture(
                BrokerOptions.of(List.of(new NamespaceOptions(
                        "NS", rules, Limits.of(TierProfile.STANDARD), ExpiryEnforcement.ON_RECEIVER))),
                left);
        f.nowMs = nowMs;
    }

    @Test
    @DisplayName("rules set at run time are in force once they are durable, and after a restart")
    void surviveARestart() throws StoreException {
        long createdAtMs = f.namespace().createdAtMs();
        f.nowMs += 1_000;
        CompletionStage<Void> done = f.namespace().setAccessRules(ROTATED);
        assertThat(f.namespace().accessRules()).isEqualTo(CONFIGURED);
        f.settle();
        get(done);
        for (int i = 0; i < 2; i++) {
            assertThat(f.namespace().accessRules()).isEqualTo(ROTATED);
            assertThat(f.namespace().createdAtMs()).isEqualTo(createdAtMs);
            assertThat(f.namespace().modifiedAtMs()).isEqualTo(createdAtMs + 1_000);
            restartConfigured(CONFIGURED);
        }
    }

    @Test
    @DisplayName("a changed configuration replaces rules set at run time, once")
    void giveWayToAChangedConfiguration() throws StoreException {
        get(set(ROTATED));
        List<AccessRule> other = List.of(AccessRule.root("other"));
        restartConfigured(other);
        assertThat(f.namespace().accessRules()).isEqualTo(other);
        get(set(ROTATED));
        restartConfigured(other);
        assertThat(f.namespace().accessRules()).isEqualTo(ROTATED);
    }

    private void restartInACluster(List<AccessRule> rules, String fingerprint) throws StoreException {
        InMemoryMessagingStore left = f.store.crash();
        f = new BrokerFixture(
                BrokerOptions.of(List.of(new NamespaceOptions(
                                "NS", rules, Limits.of(TierProfile.STANDARD), ExpiryEnforcement.ON_RECEIVER)
                        .appliedOnce(fingerprint))),
                left);
        f.settle();
    }

    @Test
    @DisplayName("CL-32: a cluster applies each configuration once; an older file on another node does not revert keys")
    void clustersApplyAConfigurationOnce() throws StoreException {
        List<AccessRule> other = List.of(AccessRule.root("other"));
        restartInACluster(CONFIGURED, "first");
        assertThat(f.namespace().isConfigurationKnown()).isFalse();
        record();
        restartInACluster(other, "second");
        assertThat(f.namespace().accessRules()).isEqualTo(other);
        record();
        restartInACluster(CONFIGURED, "first");
        assertThat(f.namespace().isConfigurationKnown()).isTrue();
        assertThat(f.namespace().accessRules()).isEqualTo(other);
        for (int i = 0; i < ConfigurationsRow.COUNT_MAX; i++) {
            restartInACluster(other, "later " + i);
            record();
        }
        restartInACluster(CONFIGURED, "first");
        assertThat(f.namespace().isConfigurationKnown()).isFalse();
        assertThat(f.namespace().accessRules()).isEqualTo(CONFIGURED);
    }

    private void record() {
        CompletionStage<Void> done = f.namespace().recordConfiguration();
        f.settle();
        get(done);
        assertThat(f.namespace().isConfigurationKnown()).isTrue();
    }

    @Test
    @DisplayName("CL-32: a configuration that was not applied completely is applied again")
    void interruptedConfigurations() throws StoreException {
        restartInACluster(CONFIGURED, "first");
        restartInACluster(CONFIGURED, "first");
        assertThat(f.namespace().isConfigurationKnown()).isFalse();
    }

    @Test
    @DisplayName("rules without Manage, and invalid rules, are refused and change nothing")
    void refusesBadRules() {
        assertThat(failure(set(List.of(ROTATED.get(1))))).isEqualTo(ErrorCode.ARGUMENT);
        assertThat(failure(set(List.of(AccessRule.root("a"), AccessRule.root("b")))))
                .isEqualTo(ErrorCode.ARGUMENT);
        assertThat(f.namespace().accessRules()).isEqualTo(CONFIGURED);
    }

    @Test
    @DisplayName("rules are not in force after a failed commit; they are after a commit whose answer was lost")
    void followTheStore() throws StoreException {
        f.store.failNextCommit(Reason.IO, false);
        assertThat(failure(set(ROTATED))).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(f.namespace().accessRules()).isEqualTo(CONFIGURED);
        f.store.failNextCommit(Reason.IO, true);
        assertThat(failure(set(ROTATED))).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(f.namespace().accessRules()).isEqualTo(ROTATED);
        restartConfigured(CONFIGURED);
        assertThat(f.namespace().accessRules()).isEqualTo(ROTATED);
    }

    @Test
    @DisplayName("a namespace keeps the time when it was first served, even if the first commit of the store failed")
    void remembersWhenItWasMade() throws StoreException {
        f = new BrokerFixture();
        long createdAtMs = f.namespace().createdAtMs();
        f.store.failNextCommit(Reason.IO, false);
        f.settle();
        f.settle();
        f.nowMs += 60_000;
        restartConfigured(CONFIGURED);
        assertThat(f.namespace().createdAtMs()).isEqualTo(createdAtMs);
    }
}
