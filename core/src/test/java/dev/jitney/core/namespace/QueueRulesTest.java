package dev.jitney.core.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityNames;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.TierProfile;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chapter 19: creation and update of queues")
class QueueRulesTest {
    private static final Limits STANDARD = Limits.of(TierProfile.STANDARD);

    private static QueueDescription.Builder queue() {
        return QueueDescription.named("q");
    }

    private static @Nullable ErrorCode refusal(QueueDescription.Builder queue) {
        Rejection rejection = EntityRules.refuseCreation(queue.build(), STANDARD);
        return rejection == null ? null : rejection.code();
    }

    @Test
    @DisplayName("ENT-1: the defaults of the table")
    void defaults() {
        QueueDescription queue = queue().build();
        assertThat(queue.maxSizeInMegabytes()).isEqualTo(1024);
        assertThat(queue.maxMessageSizeInKilobytes()).isNull();
        assertThat(queue.lockDurationMs()).isEqualTo(60_000);
        assertThat(queue.defaultMessageTimeToLiveMs()).isEqualTo(MessageView.NEVER);
        assertThat(queue.autoDeleteOnIdleMs()).isEqualTo(MessageView.NEVER);
        assertThat(queue.maxDeliveryCount()).isEqualTo(10);
        assertThat(queue.deadLetteringOnMessageExpiration()).isFalse();
        assertThat(queue.requiresDuplicateDetection()).isFalse();
        assertThat(queue.duplicateDetectionHistoryTimeWindowMs()).isEqualTo(600_000);
        assertThat(queue.requiresSession()).isFalse();
        assertThat(queue.enablePartitioning()).isFalse();
        assertThat(queue.forwardTo()).isNull();
        assertThat(queue.forwardDeadLetteredMessagesTo()).isNull();
        assertThat(queue.enableBatchedOperations()).isTrue();
        assertThat(queue.status()).isEqualTo(EntityStatus.ACTIVE);
        assertThat(queue.userMetadata()).isNull();
    }

    @Test
    @DisplayName("ENT-1: the properties that can change do, in both directions")
    void changeable() {
        Map<String, UnaryOperator<QueueDescription.Builder>> changes = Map.of(
                "EnableExpress", q -> q.enableExpress(true),
                "MaxSizeInMegabytes", q -> q.maxSizeInMegabytes(2_048),
                "LockDuration", q -> q.lockDurationMs(5_000),
                "DefaultMessageTimeToLive", q -> q.defaultMessageTimeToLiveMs(1_000),
                "MaxDeliveryCount", q -> q.maxDeliveryCount(1),
                "EnableDeadLetteringOnMessageExpiration", q -> q.deadLetteringOnMessageExpiration(true),
                "DuplicateDetectionHistoryTimeWindow", q -> q.duplicateDetectionHistoryTimeWindowMs(20_000),
                "EnableBatchedOperations", q -> q.enableBatchedOperations(false),
                "Status", q -> q.status(EntityStatus.DISABLED),
                "UserMetadata", q -> q.userMetadata("m"));
        QueueDescription old = queue().build();
        changes.forEach((property, change) -> {
            QueueDescription changed = change.apply(old.toBuilder()).build();
            assertThat(changed).as(property).isNotEqualTo(old);
            assertThat(EntityRules.refuseUpdate(old, changed, STANDARD))
                    .as(property)
                    .isNull();
            assertThat(EntityRules.refuseUpdate(changed, old, STANDARD))
                    .as(property)
                    .isNull();
            assertThat(EntityRules.refuseUpdate(changed, changed, STANDARD))
                    .as(property)
                    .isNull();
        });
        assertThat(EntityRules.refuseUpdate(old, queue().lockDurationMs(4_999).build(), STANDARD))
                .as("an update checks the ranges")
                .extracting(Rejection::code)
                .isEqualTo(ErrorCode.OUT_OF_RANGE);
    }

    @Test
    @DisplayName("ENT-1: a fixed property keeps its value; a new one is refused as an argument, by name")
    void fixed() {
        Map<String, UnaryOperator<QueueDescription.Builder>> changes = Map.of(
                "RequiresSession", q -> q.requiresSession(true),
                "RequiresDuplicateDetection", q -> q.requiresDuplicateDetection(true));
        QueueDescription old = queue().build();
        changes.forEach((property, change) -> {
            QueueDescription changed = change.apply(old.toBuilder()).build();
            for (QueueDescription[] step : new QueueDescription[][] {{old, changed}, {changed, old}}) {
                assertThat(EntityRules.refuseUpdate(step[0], step[1], STANDARD))
                        .as(property)
                        .satisfies(rejection -> {
                            assertThat(rejection.code()).isEqualTo(ErrorCode.ARGUMENT);
                            assertThat(rejection.description()).contains(property);
                        });
            }
        });
        assertThat(EntityRules.refuseUpdate(old, old, STANDARD)).isNull();
    }

    @Test
    @DisplayName("QUOTA-9: at most 12 access rules and 1,024 characters of metadata")
    void boundsOfADescription() {
        assertThat(refusal(queue().accessRules(rules(12)))).isNull();
        assertThat(refusal(queue().accessRules(rules(13)))).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(refusal(queue().userMetadata("m".repeat(1_024)))).isNull();
        assertThat(refusal(queue().userMetadata("m".repeat(1_025)))).isEqualTo(ErrorCode.ARGUMENT);
    }

    private static List<AccessRule> rules(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new AccessRule("rule" + i, Set.of(AccessRight.SEND), "key", null))
                .toList();
    }

    @Test
    @DisplayName("TTL-18: STANDARD and PREMIUM accept the largest time to live, which is the default")
    void timeToLiveDefault() {
        for (TierProfile tier : new TierProfile[] {TierProfile.STANDARD, TierProfile.PREMIUM}) {
            Limits limits = Limits.of(tier);
            assertThat(limits.maxTimeToLiveMs()).isEqualTo(MessageView.NEVER);
            assertThat(EntityRules.refuseCreation(queue().build(), limits)).isNull();
        }
    }

    @Test
    @DisplayName("DLQ-2: no entity can have the name of a sub-queue of another one")
    void subQueuesAreNoEntities() {
        for (String path : new String[] {"q/$DeadLetterQueue", "Q/$deadletterqueue", "q/$Transfer/$DeadLetterQueue"}) {
            assertThat(EntityNames.refusePath(path)).extracting(Rejection::code).isEqualTo(ErrorCode.INVALID_OPERATION);
        }
    }
}
