package dev.jitney.runtime.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TopicDescription;
import dev.jitney.model.rule.RuleDescription;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ChangesTest {
    private static final AccessRule RULE = new AccessRule("app", Set.of(AccessRight.SEND), "secret-one", "secret-two");

    @Test
    @DisplayName("The log of a new entity has the properties that differ from the defaults")
    void created() {
        assertThat(Changes.ofNew(QueueDescription.named("q").build())).isEmpty();
        assertThat(Changes.ofNew(TopicDescription.named("t").build())).isEmpty();
        assertThat(Changes.ofNew(SubscriptionDescription.of("t", "s").build())).isEmpty();
        assertThat(Changes.ofNew(QueueDescription.named("q")
                        .maxDeliveryCount(3)
                        .requiresSession(true)
                        .accessRules(List.of(RULE))
                        .build()))
                .isEqualTo("maxDeliveryCount: 10 -> 3; requiresSession: false -> true;"
                        + " authorization rule app created with [SEND]");
    }

    @Test
    @DisplayName("The log of a changed entity has the differences, but not the content of free text")
    void changed() {
        QueueDescription old = QueueDescription.named("q").build();
        assertThat(Changes.between(
                        old,
                        old.toBuilder()
                                .path("Q")
                                .lockDurationMs(5_000)
                                .userMetadata("private")
                                .build()))
                .isEqualTo("lockDurationMs: 60000 -> 5000; userMetadata changed");
        assertThat(Changes.between(old, old)).isEmpty();
    }

    @Test
    @DisplayName("The values of keys are never logged, only that they changed")
    void keys() {
        AccessRule renewed = new AccessRule("app", Set.of(AccessRight.LISTEN), "secret-three", null);
        String told = Changes.betweenRules(List.of(RULE), List.of(renewed));
        assertThat(told)
                .isEqualTo("authorization rule app: [SEND] -> [LISTEN], primary key changed, secondary key changed");
        assertThat(Changes.betweenRules(List.of(RULE), List.of())).isEqualTo("authorization rule app deleted");
        assertThat(Changes.betweenRules(List.of(RULE), List.of(RULE))).isEmpty();
    }

    @Test
    @DisplayName("The log of a subscription rule has its filter and action")
    void rules() {
        assertThat(Changes.of(RuleDescription.takeEverything())).isEqualTo("filter: TrueRuleFilter[]");
    }
}
