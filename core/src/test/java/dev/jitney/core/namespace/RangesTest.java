package dev.jitney.core.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.EntityDescription;
import dev.jitney.model.EntityStatus;
import dev.jitney.model.ErrorCode;
import dev.jitney.model.IsoDurations;
import dev.jitney.model.Limits;
import dev.jitney.model.MessageView;
import dev.jitney.model.Partitioning;
import dev.jitney.model.QueueDescription;
import dev.jitney.model.Rejection;
import dev.jitney.model.SubscriptionDescription;
import dev.jitney.model.TierProfile;
import dev.jitney.model.TopicDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("HTTP 5.2, 5.3: ranges, tiers and incompatible properties, for every kind of entity")
class RangesTest {
    private static final Limits STANDARD = Limits.of(TierProfile.STANDARD);

    private static QueueDescription.Builder queue() {
        return QueueDescription.named("q");
    }

    private static TopicDescription.Builder topic() {
        return TopicDescription.named("t");
    }

    private static SubscriptionDescription.Builder subscription() {
        return SubscriptionDescription.of("t", "s");
    }

    private static @Nullable Rejection refusal(EntityDescription description, Limits limits) {
        return EntityRules.refuseCreation(description, limits, path -> null);
    }

    private static void assertJudged(
            EntityDescription description, Limits limits, @Nullable ErrorCode expected, String... words) {
        Rejection refusal = refusal(description, limits);
        assertThat(refusal == null ? null : refusal.code())
                .as("%s: %s", description, refusal)
                .isEqualTo(expected);
        if (refusal != null) {
            assertThat(refusal.description())
                    .satisfies(text ->
                            List.of(words).forEach(word -> assertThat(text).contains(word)));
        }
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource(
            nullValues = "-",
            value = {
                "LockDuration,PT5S,-",
                "LockDuration,PT5M,-",
                "LockDuration,PT4.999S,OUT_OF_RANGE",
                "LockDuration,PT5M0.001S,OUT_OF_RANGE",
                "LockDuration,PT0S,OUT_OF_RANGE",
                "LockDuration,-PT1M,OUT_OF_RANGE",
                "DefaultMessageTimeToLive,PT1S,-",
                "DefaultMessageTimeToLive,P10675199DT2H48M5.477S,-",
                "DefaultMessageTimeToLive,PT0.999S,OUT_OF_RANGE",
                "DefaultMessageTimeToLive,PT0S,OUT_OF_RANGE",
                "DefaultMessageTimeToLive,-P1D,OUT_OF_RANGE",
                "AutoDeleteOnIdle,PT5M,-",
                "AutoDeleteOnIdle,P10675199DT2H48M5.4775807S,-",
                "AutoDeleteOnIdle,PT4M59S,OUT_OF_RANGE",
                "AutoDeleteOnIdle,-PT5M,OUT_OF_RANGE",
            })
    @DisplayName("ENT-1, IDLE-4, LOCK-1, TTL-16, HTTP checklist 32, 37: durations of all kinds of entities")
    void durations(String property, String value, @Nullable ErrorCode expected) {
        long ms = IsoDurations.parseMs(value);
        String[] words = {
            property,
            property.equals("LockDuration") && ms > 0 && ms > 300_000 ? "00:05:00.001" : IsoDurations.format(ms)
        };
        switch (property) {
            case "LockDuration" -> {
                assertJudged(queue().lockDurationMs(ms).build(), STANDARD, expected, words);
                assertJudged(subscription().lockDurationMs(ms).build(), STANDARD, expected, words);
            }
            case "DefaultMessageTimeToLive" -> {
                assertJudged(queue().defaultMessageTimeToLiveMs(ms).build(), STANDARD, expected, words);
                assertJudged(topic().defaultMessageTimeToLiveMs(ms).build(), STANDARD, expected, words);
                assertJudged(subscription().defaultMessageTimeToLiveMs(ms).build(), STANDARD, expected, words);
            }
            default -> {
                assertJudged(queue().autoDeleteOnIdleMs(ms).build(), STANDARD, expected, words);
                assertJudged(topic().autoDeleteOnIdleMs(ms).build(), STANDARD, expected, words);
                assertJudged(subscription().autoDeleteOnIdleMs(ms).build(), STANDARD, expected, words);
            }
        }
    }

    @Test
    @DisplayName("HTTP 2.10: a lock time that is too long is refused with the text of Service Bus and the time as .NET"
            + " formats it")
    void lockTimeInTheWordsOfTheService() {
        Rejection refusal = refusal(queue().lockDurationMs(25L * 86_400_000).build(), STANDARD);
        assertThat(refusal).isNotNull();
        assertThat(refusal.description())
                .startsWith("The supplied lock time exceeds")
                .contains("LockDuration", "25.00:00:00", "PT5M");
    }

    @ParameterizedTest(name = "required {0}, {1}: {2}")
    @CsvSource(
            nullValues = "-",
            value = {
                "true,PT20S,-",
                "true,P7D,-",
                "true,PT19S,OUT_OF_RANGE",
                "true,P7DT1S,OUT_OF_RANGE",
                "false,PT1S,-",
                "false,P30D,-",
                "false,PT0S,OUT_OF_RANGE",
                "false,-PT1M,OUT_OF_RANGE",
            })
    @DisplayName(
            "DUP-3, HTTP 5.2: the range of the window applies to duplicate detection; otherwise any positive time is"
                    + " valid")
    void duplicateWindow(boolean required, String window, @Nullable ErrorCode expected) {
        long ms = IsoDurations.parseMs(window);
        String name = "DuplicateDetectionHistoryTimeWindow";
        assertJudged(
                queue().requiresDuplicateDetection(required)
                        .duplicateDetectionHistoryTimeWindowMs(ms)
                        .build(),
                STANDARD,
                expected,
                name);
        assertJudged(
                topic().requiresDuplicateDetection(required)
                        .duplicateDetectionHistoryTimeWindowMs(ms)
                        .build(),
                STANDARD,
                expected,
                name);
    }

    @ParameterizedTest(name = "{0} {1} MB: {2}")
    @CsvSource(
            nullValues = "-",
            value = {
                "STANDARD,1024,-",
                "STANDARD,2048,-",
                "STANDARD,5120,-",
                "STANDARD,1,ARGUMENT",
                "STANDARD,0,ARGUMENT",
                "STANDARD,-1024,ARGUMENT",
                "STANDARD,1500,ARGUMENT",
                "STANDARD,6144,ARGUMENT",
                "STANDARD,16384,ARGUMENT",
                "STANDARD,9223372036854775807,ARGUMENT",
                "PREMIUM,1024,-",
                "PREMIUM,5120,-",
                "PREMIUM,10240,-",
                "PREMIUM,20480,-",
                "PREMIUM,40960,-",
                "PREMIUM,81920,-",
                "PREMIUM,7168,ARGUMENT",
                "PREMIUM,163840,ARGUMENT",
            })
    @DisplayName("QUOTA-1, PART-17, PART-19, HTTP checklist 33: valid sizes")
    void entitySizes(TierProfile tier, long megabytes, @Nullable ErrorCode expected) {
        String[] words = {"The specified value " + megabytes + " is invalid.", "MaxSizeInMegabytes", "1024;2048;3072"};
        assertJudged(queue().maxSizeInMegabytes(megabytes).build(), Limits.of(tier), expected, words);
        assertJudged(topic().maxSizeInMegabytes(megabytes).build(), Limits.of(tier), expected, words);
    }

    @Test
    @DisplayName(
            "QUOTA-12: a configured limit decides; any size up to a small limit is valid, and the limit is the default")
    void sizesUnderALimitThatWasSet() {
        Limits small = sizeMax(STANDARD, 2);
        assertJudged(queue().maxSizeInMegabytes(1).build(), small, null);
        assertJudged(queue().maxSizeInMegabytes(3).build(), small, ErrorCode.ARGUMENT, "1 to 2");
        QueueDescription fitted = (QueueDescription) EntityRules.withTierDefaults(queue().build(), small);
        assertThat(fitted.maxSizeInMegabytes()).isEqualTo(2);
        Limits large = sizeMax(STANDARD, 81_920);
        assertJudged(queue().maxSizeInMegabytes(81_920).build(), large, null);
        assertJudged(
                queue().maxSizeInMegabytes(81_921).build(),
                large,
                ErrorCode.ARGUMENT,
                "a multiple of 1024 up to 81920");
        assertJudged(
                queue().maxSizeInMegabytes(163_840).build(), sizeMax(Limits.of(TierProfile.PREMIUM), 163_840), null);
    }

    @Test
    @DisplayName("QUOTA-12: a size that was allowed before does not block other changes")
    void sizesOfOldStay() {
        Limits lowered = sizeMax(STANDARD, 1_024);
        QueueDescription old = queue().maxSizeInMegabytes(5_120)
                .maxMessageSizeInKilobytes(512L)
                .build();
        assertThat(EntityRules.refuseUpdate(
                        old, old.toBuilder().maxDeliveryCount(3).build(), lowered))
                .isNull();
        assertThat(EntityRules.refuseUpdate(
                        old, old.toBuilder().maxSizeInMegabytes(4_096).build(), lowered))
                .isNotNull();
        TopicDescription oldTopic = topic().maxSizeInMegabytes(5_120).build();
        assertThat(EntityRules.refuseUpdate(
                        oldTopic, oldTopic.toBuilder().userMetadata("m").build(), lowered))
                .isNull();
    }

    @ParameterizedTest(name = "{0} {1} KB: {2}")
    @CsvSource(
            nullValues = "-",
            value = {
                "STANDARD,256,-",
                "STANDARD,255,ARGUMENT",
                "STANDARD,1023,ARGUMENT",
                "STANDARD,1024,ARGUMENT",
                "PREMIUM,1024,-",
                "PREMIUM,102400,-",
                "PREMIUM,1023,ARGUMENT",
                "PREMIUM,102401,ARGUMENT",
            })
    @DisplayName("QUOTA-5, HTTP checklist 39: the maximum message size can be set in PREMIUM and is only echoed in"
            + " other tiers")
    void messageSizes(TierProfile tier, long kilobytes, @Nullable ErrorCode expected) {
        String[] words = {
            "The property value for 'MaxMessageSizeInKilobytes' must be between ",
            tier == TierProfile.PREMIUM ? "1024 and 102400" : "256 and 256",
            tier == TierProfile.PREMIUM ? "'Premium' tier" : "'Standard' tier",
            String.valueOf(kilobytes)
        };
        assertJudged(queue().maxMessageSizeInKilobytes(kilobytes).build(), Limits.of(tier), expected, words);
        assertJudged(topic().maxMessageSizeInKilobytes(kilobytes).build(), Limits.of(tier), expected, words);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    @DisplayName("HTTP checklist 35: MaxDeliveryCount is from 1 to the largest int")
    void maxDeliveryCount(int count) {
        assertJudged(
                queue().maxDeliveryCount(count).build(),
                STANDARD,
                ErrorCode.OUT_OF_RANGE,
                "MaxDeliveryCount",
                count + "");
        assertJudged(subscription().maxDeliveryCount(count).build(), STANDARD, ErrorCode.OUT_OF_RANGE, "2147483647");
        assertJudged(queue().maxDeliveryCount(Integer.MAX_VALUE).build(), STANDARD, null);
    }

    @Test
    @DisplayName(
            "QUOTA-9, HTTP checklist 36: metadata of 1,024 characters; a character outside the BMP counts as two, as"
                    + " in .NET")
    void userMetadata() {
        for (String fits : new String[] {"", "m".repeat(1_024), "😀".repeat(512)}) {
            assertJudged(queue().userMetadata(fits).build(), STANDARD, null);
            assertJudged(topic().userMetadata(fits).build(), STANDARD, null);
            assertJudged(subscription().userMetadata(fits).build(), STANDARD, null);
        }
        for (String large : new String[] {"m".repeat(1_025), "😀".repeat(512) + "m"}) {
            assertJudged(
                    queue().userMetadata(large).build(), STANDARD, ErrorCode.ARGUMENT, "UserMetadata", "1024", "1025");
            assertJudged(topic().userMetadata(large).build(), STANDARD, ErrorCode.ARGUMENT);
            assertJudged(subscription().userMetadata(large).build(), STANDARD, ErrorCode.ARGUMENT);
        }
    }

    @Test
    @DisplayName("QUOTA-10, FWD-4: a feature that BASIC does not have is refused as an argument, by name")
    void basic() {
        Limits basic = Limits.of(TierProfile.BASIC);
        assertJudged(queue().defaultMessageTimeToLiveMs(1_000).build(), basic, null);
        assertJudged(
                queue().requiresSession(true).defaultMessageTimeToLiveMs(1_000).build(),
                basic,
                ErrorCode.ARGUMENT,
                "RequiresSession");
        assertJudged(
                queue().requiresDuplicateDetection(true).build(),
                basic,
                ErrorCode.ARGUMENT,
                "RequiresDuplicateDetection");
        assertJudged(queue().forwardTo("d").build(), basic, ErrorCode.ARGUMENT, "ForwardTo");
        assertJudged(
                queue().forwardDeadLetteredMessagesTo("d").build(),
                basic,
                ErrorCode.ARGUMENT,
                "ForwardDeadLetteredMessagesTo");
        assertJudged(queue().autoDeleteOnIdleMs(300_000).build(), basic, ErrorCode.ARGUMENT, "AutoDeleteOnIdle");
        assertJudged(topic().build(), basic, ErrorCode.ARGUMENT, "topics");
        assertJudged(subscription().build(), basic, ErrorCode.ARGUMENT, "topics");
    }

    @Test
    @DisplayName("TTL-19: in BASIC 14 days are the default and the maximum")
    void basicTimeToLive() {
        Limits basic = Limits.of(TierProfile.BASIC);
        long days14 = 14L * 86_400_000;
        assertThat(EntityRules.withTierDefaults(queue().build(), basic).defaultMessageTimeToLiveMs())
                .isEqualTo(days14);
        assertJudged(queue().defaultMessageTimeToLiveMs(days14).build(), basic, null);
        assertJudged(
                queue().defaultMessageTimeToLiveMs(days14 + 1).build(),
                basic,
                ErrorCode.OUT_OF_RANGE,
                "DefaultMessageTimeToLive from PT1S to P14D");
    }

    @Test
    @DisplayName("HTTP 5.3: express excludes duplicate detection and PREMIUM; partitioning is compatible with all"
            + " properties")
    void express() {
        Limits premium = Limits.of(TierProfile.PREMIUM);
        assertJudged(queue().enableExpress(true).enablePartitioning(true).build(), STANDARD, null);
        assertJudged(topic().enableExpress(true).enablePartitioning(true).build(), STANDARD, null);
        assertJudged(
                queue().enableExpress(true).requiresDuplicateDetection(true).build(),
                STANDARD,
                ErrorCode.ARGUMENT,
                "Both DelayedPersistence",
                "RequiresDuplicateDetection");
        assertJudged(
                topic().enableExpress(true).requiresDuplicateDetection(true).build(),
                STANDARD,
                ErrorCode.ARGUMENT,
                "Both DelayedPersistence");
        assertJudged(queue().enableExpress(true).build(), premium, ErrorCode.ARGUMENT, "EnableExpress", "PREMIUM");
        assertJudged(topic().enableExpress(true).build(), premium, ErrorCode.ARGUMENT, "EnableExpress", "PREMIUM");
        assertJudged(queue().enablePartitioning(true).build(), premium, null);
        assertJudged(topic().enablePartitioning(true).build(), premium, null);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("PART-6, PART-7: STANDARD follows EnablePartitioning; PREMIUM always partitions, or never and"
            + " refuses it")
    void partitioning(boolean asked) {
        Limits premium = Limits.of(TierProfile.PREMIUM);
        Partitioning one = new Partitioning(true, 1);
        for (EntityDescription description : List.of(
                queue().enablePartitioning(asked).build(),
                topic().enablePartitioning(asked).build())) {
            assertPartitioned(description, new Partitioning(true, 2), STANDARD, asked);
            assertPartitioned(description, new Partitioning(false, 4), STANDARD, asked);
            assertPartitioned(description, Partitioning.DEFAULT, premium, true);
            Rejection refusal = EntityRules.refusePartitioning(description, one, premium);
            if (asked) {
                assertThat(refusal).isNotNull();
                assertThat(refusal.code()).isEqualTo(ErrorCode.ARGUMENT);
                assertThat(refusal.description()).contains("EnablePartitioning", "PREMIUM");
            } else {
                assertPartitioned(description, one, premium, false);
            }
        }
        EntityDescription subscription = subscription().build();
        assertThat(EntityRules.partitioned(subscription, Partitioning.DEFAULT, premium))
                .isSameAs(subscription);
        assertPartitioned(subscription, Partitioning.DEFAULT, premium, false);
    }

    private static void assertPartitioned(
            EntityDescription asked, Partitioning partitioning, Limits limits, boolean expected) {
        assertThat(EntityRules.refusePartitioning(asked, partitioning, limits)).isNull();
        assertThat(EntityRules.isPartitioned(EntityRules.partitioned(asked, partitioning, limits)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(EntityStatus.class)
    @DisplayName("SUSP-1, SUSP-2, SUSP-3: a queue accepts every status, a topic and a subscription all except one")
    void statuses(EntityStatus status) {
        assertJudged(queue().status(status).build(), STANDARD, null);
        assertJudged(
                topic().status(status).build(),
                STANDARD,
                status == EntityStatus.RECEIVE_DISABLED ? ErrorCode.ARGUMENT : null,
                "ReceiveDisabled");
        assertJudged(
                subscription().status(status).build(),
                STANDARD,
                status == EntityStatus.SEND_DISABLED ? ErrorCode.ARGUMENT : null,
                "SendDisabled");
        assertThat(EntityRules.refuseUpdate(
                                topic().build(), topic().status(status).build(), STANDARD)
                        == null)
                .isEqualTo(status != EntityStatus.RECEIVE_DISABLED);
    }

    @Test
    @DisplayName(
            "ENT-1, DUP-1, SESS-1, PART-8, HTTP checklist 31: properties that are fixed at creation, also for topics"
                    + " and subscriptions")
    void fixedProperties() {
        assertFixed(
                topic().build(),
                topic().requiresDuplicateDetection(true).build(),
                ErrorCode.ARGUMENT,
                "RequiresDuplicateDetection");
        assertFixed(
                topic().build(),
                topic().enablePartitioning(true).build(),
                ErrorCode.INVALID_OPERATION,
                "Partitioning cannot be changed");
        assertThat(EntityRules.refuseUpdate(
                        topic().build(), topic().enableExpress(true).build(), STANDARD))
                .isNull();
        assertFixed(
                topic().build(),
                topic().enableSubscriptionPartitioning(true).build(),
                ErrorCode.ARGUMENT,
                "EnableSubscriptionPartitioning");
        assertFixed(
                topic().build(),
                topic().enableFilteringMessagesBeforePublishing(true).build(),
                ErrorCode.ARGUMENT,
                "EnableFilteringMessagesBeforePublishing");
        assertFixed(
                subscription().build(),
                subscription().requiresSession(true).build(),
                ErrorCode.ARGUMENT,
                "RequiresSession");
        assertFixed(
                queue().build(),
                queue().enablePartitioning(true).build(),
                ErrorCode.INVALID_OPERATION,
                "Partitioning cannot be changed");
    }

    private static void assertFixed(EntityDescription one, EntityDescription other, ErrorCode code, String words) {
        for (EntityDescription[] step : new EntityDescription[][] {{one, other}, {other, one}}) {
            Rejection refusal = EntityRules.refuseUpdate(step[0], step[1], STANDARD);
            assertThat(refusal).as(words).isNotNull();
            assertThat(refusal.code()).isEqualTo(code);
            assertThat(refusal.description()).contains(words, one.path());
            assertThat(EntityRules.refuseUpdate(step[0], step[0], STANDARD)).isNull();
        }
    }

    @Test
    @DisplayName(
            "QUOTA-9, HTTP 2.7: authorization rules: at most 12, with different names without case, and keys of 1 to"
                    + " 256 characters")
    void accessRules() {
        assertRules(null, rule("a", "k", null), rule("b", "k".repeat(256), "k"));
        assertRules(ErrorCode.ARGUMENT, rule("a", "k", null), rule("A", "k", null));
        assertRules(ErrorCode.ARGUMENT, rule("a", "", null));
        assertRules(ErrorCode.ARGUMENT, rule("a", "k", ""));
        assertRules(ErrorCode.ARGUMENT, rule("a", "k".repeat(257), null));
        assertRules(ErrorCode.ARGUMENT, rule("a", "k\n", null));
        assertRules(ErrorCode.ARGUMENT, rule("a\u0000", "k", null));
        assertRules(ErrorCode.ARGUMENT, rule(" ", "k", null));
        List<AccessRule> many = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            many.add(rule("rule" + i, "k", null));
        }
        assertRules(null, many.toArray(AccessRule[]::new));
        many.add(rule("one more", "k", null));
        assertRules(ErrorCode.QUOTA_EXCEEDED, many.toArray(AccessRule[]::new));
    }

    @Test
    @DisplayName("HTTP 2.7: no refusal contains a key")
    void keysStaySecret() {
        Rejection refusal = refusal(
                queue().accessRules(List.of(rule("a", "secret\n", null))).build(), STANDARD);
        assertThat(refusal).isNotNull();
        assertThat(refusal.description()).doesNotContain("secret");
    }

    @Test
    @DisplayName("ENT-4: a namespace keeps at least one rule with the Manage right")
    void namespaceRules() {
        assertThat(EntityRules.refuseNamespaceRules(List.of(AccessRule.root("k"))))
                .isNull();
        assertThat(EntityRules.refuseNamespaceRules(List.of(rule("a", "k", null))))
                .isNotNull();
        assertThat(EntityRules.refuseNamespaceRules(List.of())).isNotNull();
    }

    private static AccessRule rule(String name, String primary, @Nullable String secondary) {
        return new AccessRule(name, Set.of(AccessRight.SEND), primary, secondary);
    }

    private static void assertRules(@Nullable ErrorCode expected, AccessRule... rules) {
        assertJudged(queue().accessRules(List.of(rules)).build(), STANDARD, expected);
        assertJudged(topic().accessRules(List.of(rules)).build(), STANDARD, expected);
    }

    private static Limits sizeMax(Limits l, long megabytes) {
        return new Limits(
                l.tier(),
                l.maxMessageSizeBytes(),
                megabytes,
                MessageView.NEVER,
                l.maxIdLength(),
                l.maxPropertySizeBytes(),
                l.maxHeaderSizeBytes(),
                l.maxEntities(),
                l.maxPartitionedEntities(),
                l.maxSubscriptions(),
                l.maxSqlFilters(),
                l.maxCorrelationFilters(),
                l.maxConnections(),
                l.maxReceivers(),
                l.maxLocks(),
                l.maxPeekCount(),
                l.maxPeekSizeBytes(),
                l.maxBatchDeleteCount());
    }
}
