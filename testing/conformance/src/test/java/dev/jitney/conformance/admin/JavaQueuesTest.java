package dev.jitney.conformance.admin;

import static dev.jitney.conformance.admin.AdminClients.MAX;
import static dev.jitney.conformance.admin.AdminClients.assertFails;
import static dev.jitney.conformance.admin.AdminClients.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.exception.ResourceExistsException;
import com.azure.core.exception.ResourceNotFoundException;
import com.azure.messaging.servicebus.administration.models.AccessRights;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.EntityStatus;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.SharedAccessAuthorizationRule;
import dev.jitney.conformance.support.TestBroker;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JavaQueuesTest extends AdminTest {

    @Test
    @DisplayName("ENT-1, HTTP 2.7: a queue created without options has the defaults")
    void defaults() {
        String name = TestBroker.name("defaults");
        for (QueueProperties queue : List.of(admin.createQueue(name), admin.getQueue(name))) {
            assertThat(queue.getName()).isEqualTo(name);
            assertThat(queue.getLockDuration()).isEqualTo(Duration.ofMinutes(1));
            assertThat(queue.getMaxSizeInMegabytes()).isEqualTo(1024);
            assertThat(queue.isDuplicateDetectionRequired()).isFalse();
            assertThat(queue.isSessionRequired()).isFalse();
            assertThat(queue.getDefaultMessageTimeToLive()).isEqualTo(MAX);
            assertThat(queue.getAutoDeleteOnIdle()).isEqualTo(MAX);
            assertThat(queue.isDeadLetteringOnMessageExpiration()).isFalse();
            // The default of the client, which it always sends. The default of the service is ten minutes.
            assertThat(queue.getDuplicateDetectionHistoryTimeWindow()).isEqualTo(Duration.ofMinutes(1));
            assertThat(queue.getMaxDeliveryCount()).isEqualTo(10);
            assertThat(queue.isBatchedOperationsEnabled()).isTrue();
            assertThat(queue.getAuthorizationRules()).isEmpty();
            assertThat(queue.getStatus()).isEqualTo(EntityStatus.ACTIVE);
            assertThat(queue.getForwardTo()).isNull();
            assertThat(queue.getForwardDeadLetteredMessagesTo()).isNull();
            assertThat(queue.getUserMetadata()).isNull();
            assertThat(queue.isPartitioningEnabled()).isFalse();
            assertThat(queue.getMaxMessageSizeInKilobytes()).isEqualTo(256);
        }
    }

    @Test
    @DisplayName("ENT-1: every option given at creation is kept")
    void everyOption() {
        String name = TestBroker.name("options");
        CreateQueueOptions options = new CreateQueueOptions()
                .setLockDuration(Duration.ofSeconds(45))
                .setMaxSizeInMegabytes(3072)
                .setDuplicateDetectionRequired(true)
                .setDuplicateDetectionHistoryTimeWindow(Duration.ofMinutes(7))
                .setSessionRequired(true)
                .setDefaultMessageTimeToLive(Duration.ofHours(49).plusMillis(500))
                .setAutoDeleteOnIdle(Duration.ofDays(3))
                .setDeadLetteringOnMessageExpiration(true)
                .setMaxDeliveryCount(3)
                .setBatchedOperationsEnabled(false)
                .setStatus(EntityStatus.SEND_DISABLED)
                .setUserMetadata("owner: <kitchen> & co");
        options.getAuthorizationRules()
                .add(new SharedAccessAuthorizationRule("cook", List.of(AccessRights.LISTEN, AccessRights.SEND)));
        for (QueueProperties queue : List.of(admin.createQueue(name, options), admin.getQueue(name))) {
            assertThat(queue.getLockDuration()).isEqualTo(Duration.ofSeconds(45));
            assertThat(queue.getMaxSizeInMegabytes()).isEqualTo(3072);
            assertThat(queue.isDuplicateDetectionRequired()).isTrue();
            assertThat(queue.getDuplicateDetectionHistoryTimeWindow()).isEqualTo(Duration.ofMinutes(7));
            assertThat(queue.isSessionRequired()).isTrue();
            assertThat(queue.getDefaultMessageTimeToLive())
                    .isEqualTo(Duration.ofHours(49).plusMillis(500));
            assertThat(queue.getAutoDeleteOnIdle()).isEqualTo(Duration.ofDays(3));
            assertThat(queue.isDeadLetteringOnMessageExpiration()).isTrue();
            assertThat(queue.getMaxDeliveryCount()).isEqualTo(3);
            assertThat(queue.isBatchedOperationsEnabled()).isFalse();
            assertThat(queue.getStatus()).isEqualTo(EntityStatus.SEND_DISABLED);
            assertThat(queue.getUserMetadata()).isEqualTo("owner: <kitchen> & co");
            assertThat(queue.getAuthorizationRules()).singleElement().satisfies(rule -> {
                assertThat(rule.getKeyName()).isEqualTo("cook");
                assertThat(rule.getAccessRights()).containsExactlyInAnyOrder(AccessRights.LISTEN, AccessRights.SEND);
                assertThat(rule.getClaimType()).isEqualTo("SharedAccessKey");
            });
        }
    }

    @Test
    @DisplayName("HTTP 2.4: every mutable property can be updated, and cleared again")
    void update() {
        String name = TestBroker.name("update");
        String target = admin.createQueue(TestBroker.name("target")).getName();
        QueueProperties queue = admin.createQueue(name);
        queue.setLockDuration(Duration.ofSeconds(5))
                .setMaxSizeInMegabytes(2048)
                .setDefaultMessageTimeToLive(Duration.ofSeconds(1))
                .setAutoDeleteOnIdle(Duration.ofMinutes(5))
                .setDeadLetteringOnMessageExpiration(true)
                .setDuplicateDetectionHistoryTimeWindow(Duration.ofMinutes(3))
                .setMaxDeliveryCount(Integer.MAX_VALUE)
                .setBatchedOperationsEnabled(false)
                .setStatus(EntityStatus.RECEIVE_DISABLED)
                .setForwardDeadLetteredMessagesTo(target)
                .setUserMetadata("changed");
        queue.getAuthorizationRules().add(new SharedAccessAuthorizationRule("late", List.of(AccessRights.LISTEN)));
        for (QueueProperties now : List.of(admin.updateQueue(queue), admin.getQueue(name))) {
            assertThat(now.getLockDuration()).isEqualTo(Duration.ofSeconds(5));
            assertThat(now.getMaxSizeInMegabytes()).isEqualTo(2048);
            assertThat(now.getDefaultMessageTimeToLive()).isEqualTo(Duration.ofSeconds(1));
            assertThat(now.getAutoDeleteOnIdle()).isEqualTo(Duration.ofMinutes(5));
            assertThat(now.isDeadLetteringOnMessageExpiration()).isTrue();
            assertThat(now.getDuplicateDetectionHistoryTimeWindow()).isEqualTo(Duration.ofMinutes(3));
            assertThat(now.getMaxDeliveryCount()).isEqualTo(Integer.MAX_VALUE);
            assertThat(now.isBatchedOperationsEnabled()).isFalse();
            assertThat(now.getStatus()).isEqualTo(EntityStatus.RECEIVE_DISABLED);
            assertThat(now.getForwardDeadLetteredMessagesTo()).isEqualTo("https://localhost/" + target);
            assertThat(now.getUserMetadata()).isEqualTo("changed");
            assertThat(now.getAuthorizationRules()).hasSize(1);
        }
        QueueProperties changed = admin.getQueue(name);
        changed.setUserMetadata(null).setForwardDeadLetteredMessagesTo(null).setStatus(EntityStatus.ACTIVE);
        changed.getAuthorizationRules().clear();
        QueueProperties cleared = admin.updateQueue(changed);
        assertThat(cleared.getUserMetadata()).isNull();
        assertThat(cleared.getForwardDeadLetteredMessagesTo()).isNull();
        assertThat(cleared.getAuthorizationRules()).isEmpty();
        assertThat(cleared.getStatus()).isEqualTo(EntityStatus.ACTIVE);
        assertThat(cleared.getMaxDeliveryCount()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    @DisplayName("HTTP checklist 28: updating a queue with an unchanged description has no effect")
    void updateWithWhatWasRead() {
        String name = TestBroker.name("echo");
        CreateQueueOptions options = new CreateQueueOptions()
                .setUserMetadata("m")
                .setDefaultMessageTimeToLive(Duration.ofDays(2))
                .setMaxDeliveryCount(4);
        options.getAuthorizationRules().add(new SharedAccessAuthorizationRule("r", List.of(AccessRights.SEND)));
        admin.createQueue(name, options);
        QueueProperties before = admin.getQueue(name);
        admin.updateQueue(before);
        assertThat(admin.getQueue(name))
                .usingRecursiveComparison()
                .ignoringFields("description.updatedAt", "description.accessedAt")
                .isEqualTo(before);
    }

    @Test
    @DisplayName("ENT-3, HTTP checklist 20 and 54: exists, create twice, delete, delete twice")
    void lifeCycle() {
        String name = TestBroker.name("life");
        assertThat(admin.getQueueExists(name)).isFalse();
        assertFails(ResourceNotFoundException.class, 200, "", () -> admin.getQueue(name));
        admin.createQueue(name);
        assertThat(admin.getQueueExists(name)).isTrue();
        assertFails(ResourceExistsException.class, 409, "SubCode=40900.", () -> admin.createQueue(name));
        assertFails(ResourceExistsException.class, 409, "SubCode=40900.", () -> admin.createTopic(name));
        QueueProperties queue = admin.getQueue(name);
        admin.deleteQueue(name);
        assertThat(admin.getQueueExists(name)).isFalse();
        assertFails(ResourceNotFoundException.class, 404, "No service is hosted", () -> admin.deleteQueue(name));
        assertFails(ResourceNotFoundException.class, 404, "SubCode=40400.", () -> admin.updateQueue(queue));
    }

    @Test
    @DisplayName("HTTP checklist 15: names are compared without case and keep the case of their creation")
    void caseOfNames() {
        String name = TestBroker.name("Mixed-Case");
        admin.createQueue(name);
        assertThat(admin.getQueue(name.toUpperCase(java.util.Locale.ROOT)).getName())
                .isEqualTo(name);
        assertFails(
                ResourceExistsException.class,
                409,
                "SubCode=40900.",
                () -> admin.createQueue(name.toLowerCase(java.util.Locale.ROOT)));
    }

    @Test
    @DisplayName("HTTP checklist 14: a name may contain slashes")
    void slashes() {
        String name = TestBroker.name("kitchen/orders");
        assertThat(admin.createQueue(name).getName()).isEqualTo(name);
        assertThat(admin.getQueue(name).getName()).isEqualTo(name);
        assertThat(admin.updateQueue(admin.getQueue(name).setUserMetadata("m")).getUserMetadata())
                .isEqualTo("m");
        assertThat(admin.listQueues().stream().map(QueueProperties::getName)).contains(name);
        admin.deleteQueue(name);
        assertThat(admin.getQueueExists(name)).isFalse();
    }

    @Test
    @DisplayName("HTTP 2.9: a forwarding destination is echoed as an absolute address; it has to exist")
    void forwarding() {
        String target = admin.createQueue(TestBroker.name("Target")).getName();
        String name = TestBroker.name("source");
        QueueProperties queue = admin.createQueue(
                name, new CreateQueueOptions().setForwardTo(target).setForwardDeadLetteredMessagesTo(target));
        assertThat(queue.getForwardTo()).isEqualTo("https://localhost/" + target);
        assertThat(queue.getForwardDeadLetteredMessagesTo()).isEqualTo("https://localhost/" + target);
        assertThat(admin.updateQueue(admin.getQueue(name)).getForwardTo()).isEqualTo("https://localhost/" + target);
        assertThat(admin.updateQueue(admin.getQueue(name).setForwardTo(null)).getForwardTo())
                .isNull();
        assertThat(admin.updateQueue(admin.getQueue(name).setForwardTo("HTTPS://LOCALHOST/" + target))
                        .getForwardTo())
                .isEqualTo("https://localhost/" + target);
        String missing = TestBroker.name("missing");
        assertRefused(
                "SubCode=40400.",
                () -> admin.createQueue(TestBroker.name("source"), new CreateQueueOptions().setForwardTo(missing)));
        assertRefused(
                "SubCode=40400.", () -> admin.updateQueue(admin.getQueue(name).setForwardTo(missing)));
        assertRefused(
                "SubCode=40000.", () -> admin.updateQueue(admin.getQueue(name).setForwardTo(name)));
        assertRefused(
                "SubCode=40000.",
                () -> admin.createQueue(
                        TestBroker.name("source"),
                        new CreateQueueOptions().setForwardTo(target).setSessionRequired(true)));
    }

    @Test
    @DisplayName("PART-18, HTTP checklist 34: a partitioned queue reports sixteen times its size, and keeps it")
    void partitioned() {
        String name = TestBroker.name("partitioned");
        QueueProperties queue = admin.createQueue(
                name, new CreateQueueOptions().setPartitioningEnabled(true).setMaxSizeInMegabytes(1024));
        assertThat(queue.isPartitioningEnabled()).isTrue();
        assertThat(queue.getMaxSizeInMegabytes()).isEqualTo(16384);
        assertThat(admin.updateQueue(admin.getQueue(name)).getMaxSizeInMegabytes())
                .isEqualTo(16384);
    }

    @Test
    @DisplayName("HTTP checklist 36: user metadata of 1024 characters round-trips, one more is refused")
    void userMetadata() {
        String name = TestBroker.name("metadata");
        String text = "<&>\"' ☕ 𝄞 ".repeat(200).substring(0, 1024);
        assertThat(admin.createQueue(name, new CreateQueueOptions().setUserMetadata(text))
                        .getUserMetadata())
                .isEqualTo(text);
        assertThat(admin.getQueue(name).getUserMetadata()).isEqualTo(text);
        assertRefused(
                "SubCode=40000.", () -> admin.updateQueue(admin.getQueue(name).setUserMetadata(text + "x")));
        assertThat(admin.getQueue(name).getUserMetadata()).isEqualTo(text);
    }

    static Stream<Arguments> outOfRange() {
        return Stream.of(
                refused(
                        "LockDuration PT5M0.001S",
                        q -> q.setLockDuration(Duration.ofMinutes(5).plusMillis(1))),
                refused("LockDuration PT4S", q -> q.setLockDuration(Duration.ofSeconds(4))),
                refused("MaxSizeInMegabytes 1500", q -> q.setMaxSizeInMegabytes(1500)),
                refused("MaxSizeInMegabytes 16384", q -> q.setMaxSizeInMegabytes(16384)),
                refused("MaxDeliveryCount 0", q -> q.setMaxDeliveryCount(0)),
                refused("AutoDeleteOnIdle PT4M59S", q -> q.setAutoDeleteOnIdle(Duration.ofSeconds(299))),
                refused(
                        "DefaultMessageTimeToLive PT0.999S",
                        q -> q.setDefaultMessageTimeToLive(Duration.ofMillis(999))),
                refused(
                        "DuplicateDetectionHistoryTimeWindow PT19S",
                        q -> q.setDuplicateDetectionRequired(true)
                                .setDuplicateDetectionHistoryTimeWindow(Duration.ofSeconds(19))),
                refused(
                        "DuplicateDetectionHistoryTimeWindow P8D",
                        q -> q.setDuplicateDetectionRequired(true)
                                .setDuplicateDetectionHistoryTimeWindow(Duration.ofDays(8))),
                refused("MaxMessageSizeInKilobytes 1023", q -> q.setMaxMessageSizeInKilobytes(1023)));
    }

    private static Arguments refused(String what, UnaryOperator<CreateQueueOptions> options) {
        return Arguments.of(what, options);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("outOfRange")
    @DisplayName("ENT-1, HTTP 5.2: a value out of range is refused and nothing is created")
    void ranges(String what, UnaryOperator<CreateQueueOptions> options) {
        String name = TestBroker.name("range");
        assertRefused("SubCode=40000.", () -> admin.createQueue(name, options.apply(new CreateQueueOptions())));
        assertThat(admin.getQueueExists(name)).as(what).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a?b", "a#b", "a*b", "a@b", "/a", "a//b"})
    @DisplayName("HTTP checklist 40: a name with other characters is refused")
    void badNames(String name) {
        assertRefused("SubCode=40000.", () -> admin.createQueue(name));
    }

    @Test
    @DisplayName("HTTP checklist 40: a name of 260 characters is taken, one of 261 refused")
    void longNames() {
        String longest = TestBroker.name("l") + "-" + "x".repeat(300);
        assertThat(admin.createQueue(longest.substring(0, 260)).getName()).hasSize(260);
        assertRefused("SubCode=40000.", () -> admin.createQueue(longest.substring(0, 261)));
    }

    @Test
    @DisplayName("HTTP checklist 38: a longer duration than the maximum becomes the maximum")
    void longestDuration() {
        Duration beyond = Duration.parse("P106751991167300DT15H30M7S");
        QueueProperties queue = admin.createQueue(
                TestBroker.name("max"),
                new CreateQueueOptions().setDefaultMessageTimeToLive(beyond).setAutoDeleteOnIdle(beyond));
        assertThat(queue.getDefaultMessageTimeToLive()).isEqualTo(MAX);
        assertThat(queue.getAutoDeleteOnIdle()).isEqualTo(MAX);
    }

    @Test
    @DisplayName("HTTP checklist 39: the message size of STANDARD may be echoed")
    void messageSize() {
        assertThat(admin.createQueue(
                                TestBroker.name("size"), new CreateQueueOptions().setMaxMessageSizeInKilobytes(256))
                        .getMaxMessageSizeInKilobytes())
                .isEqualTo(256);
    }
}
