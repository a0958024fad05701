package dev.jitney.testing.track1;

import static dev.jitney.testing.track1.Check.fails;
import static dev.jitney.testing.track1.Check.same;
import static dev.jitney.testing.track1.Check.sameElements;
import static dev.jitney.testing.track1.Check.that;

import com.microsoft.azure.servicebus.management.AccessRights;
import com.microsoft.azure.servicebus.management.EntityStatus;
import com.microsoft.azure.servicebus.management.ManagementClient;
import com.microsoft.azure.servicebus.management.MessageCountDetails;
import com.microsoft.azure.servicebus.management.NamespaceInfo;
import com.microsoft.azure.servicebus.management.NamespaceSku;
import com.microsoft.azure.servicebus.management.NamespaceType;
import com.microsoft.azure.servicebus.management.QueueDescription;
import com.microsoft.azure.servicebus.management.QueueRuntimeInfo;
import com.microsoft.azure.servicebus.management.SharedAccessAuthorizationRule;
import com.microsoft.azure.servicebus.primitives.MessagingEntityAlreadyExistsException;
import com.microsoft.azure.servicebus.primitives.MessagingEntityNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks of queues and of the namespace. */
final class QueueChecks {
    private static final int LISTED = 250;
    private static final int PAGE = 100;

    private QueueChecks() {}

    static void addTo(Map<String, NamedCheck> checks) {
        checks.put("ENT-1: a queue created without options has the defaults", QueueChecks::defaults);
        checks.put("ENT-1: every option of a queue is kept", QueueChecks::everyOption);
        checks.put("HTTP 2.4: an update changes, clears and echoes", QueueChecks::update);
        checks.put("HTTP checklist 20 and 54: create twice, exists, delete twice", QueueChecks::lifeCycle);
        checks.put("HTTP checklist 14 and 15: names with slashes, in any case", QueueChecks::names);
        checks.put(
                "HTTP checklist 41: forwarding destinations are returned as absolute addresses",
                QueueChecks::forwarding);
        checks.put("HTTP checklist 61: runtime information of a queue", QueueChecks::runtimeInfo);
        checks.put("HTTP checklist 56: 250 queues are listed completely and once", QueueChecks::list);
        checks.put("HTTP checklist 62: namespace information", QueueChecks::namespace);
    }

    private static void defaults(ManagementClient client) throws Exception {
        for (QueueDescription queue : List.of(client.createQueue("t1-defaults"), client.getQueue("t1-defaults"))) {
            same("t1-defaults", queue.getPath(), "the path");
            same(Duration.ofMinutes(1), queue.getLockDuration(), "LockDuration");
            same(1024L, queue.getMaxSizeInMB(), "MaxSizeInMegabytes");
            same(false, queue.isRequiresDuplicateDetection(), "RequiresDuplicateDetection");
            same(false, queue.isRequiresSession(), "RequiresSession");
            that(queue.getDefaultMessageTimeToLive().toDays() == 10675199L, "the longest time to live");
            that(queue.getAutoDeleteOnIdle().toDays() == 10675199L, "the longest AutoDeleteOnIdle");
            same(false, queue.isEnableDeadLetteringOnMessageExpiration(), "DeadLetteringOnMessageExpiration");
            same(10, queue.getMaxDeliveryCount(), "MaxDeliveryCount");
            same(true, queue.isEnableBatchedOperations(), "EnableBatchedOperations");
            same(EntityStatus.Active, queue.getEntityStatus(), "Status");
            same(null, queue.getForwardTo(), "ForwardTo");
            same(null, queue.getForwardDeadLetteredMessagesTo(), "ForwardDeadLetteredMessagesTo");
            same(false, queue.isEnablePartitioning(), "EnablePartitioning");
            that(
                    queue.getUserMetadata() == null || queue.getUserMetadata().isEmpty(),
                    "no user metadata, but got " + queue.getUserMetadata());
        }
    }

    private static void everyOption(ManagementClient client) throws Exception {
        QueueDescription wanted = new QueueDescription("t1-options");
        wanted.setLockDuration(Duration.ofSeconds(45));
        wanted.setMaxSizeInMB(2048);
        wanted.setRequiresDuplicateDetection(true);
        wanted.setDuplicationDetectionHistoryTimeWindow(Duration.ofMinutes(7));
        wanted.setRequiresSession(true);
        wanted.setDefaultMessageTimeToLive(Duration.ofHours(48));
        wanted.setAutoDeleteOnIdle(Duration.ofHours(25));
        wanted.setEnableDeadLetteringOnMessageExpiration(true);
        wanted.setMaxDeliveryCount(3);
        wanted.setEnableBatchedOperations(false);
        wanted.setEntityStatus(EntityStatus.ReceiveDisabled);
        wanted.setUserMetadata("<owner> & \u2615");
        wanted.setAuthorizationRules(new ArrayList<>(List.of(new SharedAccessAuthorizationRule(
                "cook", new ArrayList<>(List.of(AccessRights.Listen, AccessRights.Send))))));
        client.createQueue(wanted);
        QueueDescription queue = client.getQueue("t1-options");
        same(wanted.getLockDuration(), queue.getLockDuration(), "LockDuration");
        same(2048L, queue.getMaxSizeInMB(), "MaxSizeInMegabytes");
        same(true, queue.isRequiresDuplicateDetection(), "RequiresDuplicateDetection");
        same(Duration.ofMinutes(7), queue.getDuplicationDetectionHistoryTimeWindow(), "the duplicate window");
        same(true, queue.isRequiresSession(), "RequiresSession");
        same(wanted.getDefaultMessageTimeToLive(), queue.getDefaultMessageTimeToLive(), "DefaultMessageTimeToLive");
        same(wanted.getAutoDeleteOnIdle(), queue.getAutoDeleteOnIdle(), "AutoDeleteOnIdle");
        same(true, queue.isEnableDeadLetteringOnMessageExpiration(), "DeadLetteringOnMessageExpiration");
        same(3, queue.getMaxDeliveryCount(), "MaxDeliveryCount");
        same(false, queue.isEnableBatchedOperations(), "EnableBatchedOperations");
        same(EntityStatus.ReceiveDisabled, queue.getEntityStatus(), "Status");
        same("<owner> & \u2615", queue.getUserMetadata(), "UserMetadata");
        same(1, queue.getAuthorizationRules().size(), "the number of rules");
        SharedAccessAuthorizationRule before =
                (SharedAccessAuthorizationRule) wanted.getAuthorizationRules().get(0);
        SharedAccessAuthorizationRule after =
                (SharedAccessAuthorizationRule) queue.getAuthorizationRules().get(0);
        same(before.getKeyName(), after.getKeyName(), "KeyName");
        same(before.getPrimaryKey(), after.getPrimaryKey(), "PrimaryKey");
        same(before.getSecondaryKey(), after.getSecondaryKey(), "SecondaryKey");
        that(
                after.getRights().size() == 2 && after.getRights().containsAll(before.getRights()),
                "the rights " + before.getRights() + ", but got " + after.getRights());
    }

    private static void update(ManagementClient client) throws Exception {
        QueueDescription queue = client.createQueue("t1-update");
        queue.setLockDuration(Duration.ofSeconds(10));
        queue.setMaxSizeInMB(3072);
        queue.setDefaultMessageTimeToLive(Duration.ofMinutes(5));
        queue.setMaxDeliveryCount(Integer.MAX_VALUE);
        queue.setEntityStatus(EntityStatus.SendDisabled);
        queue.setUserMetadata("changed");
        QueueDescription changed = client.updateQueue(queue);
        same(Duration.ofSeconds(10), changed.getLockDuration(), "LockDuration");
        same(3072L, changed.getMaxSizeInMB(), "MaxSizeInMegabytes");
        same(Duration.ofMinutes(5), changed.getDefaultMessageTimeToLive(), "DefaultMessageTimeToLive");
        same(Integer.MAX_VALUE, changed.getMaxDeliveryCount(), "MaxDeliveryCount");
        same(EntityStatus.SendDisabled, changed.getEntityStatus(), "Status");
        same("changed", changed.getUserMetadata(), "UserMetadata");
        // The client sends back unknown elements of a GET, too (HTTP 7, pitfall 17).
        QueueDescription read = client.getQueue("t1-update");
        client.updateQueue(read);
        same(read, client.getQueue("t1-update"), "the queue after an update with the same description");
        QueueDescription fixed = client.getQueue("t1-update");
        fixed.setRequiresSession(true);
        ErrorChecks.refused("SubCode=40000.", () -> client.updateQueue(fixed));
        same(false, client.getQueue("t1-update").isRequiresSession(), "RequiresSession");
    }

    private static void lifeCycle(ManagementClient client) throws Exception {
        same(false, client.queueExists("t1-life"), "exists before creation");
        fails(MessagingEntityNotFoundException.class, false, "", () -> client.getQueue("t1-life"));
        QueueDescription queue = client.createQueue("t1-life");
        same(true, client.queueExists("t1-life"), "exists");
        fails(
                MessagingEntityAlreadyExistsException.class,
                false,
                "SubCode=40900.",
                () -> client.createQueue("t1-life"));
        client.deleteQueue("t1-life");
        same(false, client.queueExists("t1-life"), "exists after deletion");
        fails(MessagingEntityNotFoundException.class, false, "No service", () -> client.deleteQueue("t1-life"));
        fails(MessagingEntityNotFoundException.class, false, "SubCode=40400.", () -> client.updateQueue(queue));
    }

    private static void names(ManagementClient client) throws Exception {
        same("T1/Slash/Name", client.createQueue("T1/Slash/Name").getPath(), "the path");
        same("T1/Slash/Name", client.getQueue("t1/slash/NAME").getPath(), "the path read in another case");
        client.deleteQueue("t1/Slash/Name");
        same(false, client.queueExists("T1/Slash/Name"), "exists after deletion");
    }

    private static void forwarding(ManagementClient client) throws Exception {
        client.createQueue("t1-Target");
        QueueDescription source = new QueueDescription("t1-source");
        source.setForwardTo("t1-Target");
        source.setForwardDeadLetteredMessagesTo("t1-Target");
        client.createQueue(source);
        QueueDescription read = client.getQueue("t1-source");
        that(read.getForwardTo().matches("sb://localhost(:\\d+)?/t1-Target"), "ForwardTo, got " + read.getForwardTo());
        same(read.getForwardTo(), read.getForwardDeadLetteredMessagesTo(), "ForwardDeadLetteredMessagesTo");
        read.setForwardTo(null);
        read.setForwardDeadLetteredMessagesTo(null);
        client.updateQueue(read);
        same(null, client.getQueue("t1-source").getForwardTo(), "ForwardTo after clearing it");
        QueueDescription lost = new QueueDescription("t1-lost");
        lost.setForwardTo("t1-nowhere");
        ErrorChecks.refused("SubCode=40400.", () -> client.createQueue(lost));
    }

    private static void runtimeInfo(ManagementClient client) throws Exception {
        QueueRuntimeInfo info = client.getQueueRuntimeInfo("track1-counted");
        MessageCountDetails counts = info.getMessageCountDetails();
        same(3L, counts.getActiveMessageCount(), "ActiveMessageCount");
        same(1L, counts.getScheduledMessageCount(), "ScheduledMessageCount");
        same(1L, counts.getDeadLetterMessageCount(), "DeadLetterMessageCount");
        same(0L, counts.getTransferMessageCount(), "TransferMessageCount");
        same(0L, counts.getTransferDeadLetterMessageCount(), "TransferDeadLetterMessageCount");
        same(5L, info.getMessageCount(), "MessageCount");
        that(info.getSizeInBytes() > 0, "a size above 0, but got " + info.getSizeInBytes());
        that(info.getAccessedAt().isAfter(info.getCreatedAt().minusSeconds(120)), "AccessedAt " + info.getAccessedAt());
        that(!info.getUpdatedAt().isBefore(info.getCreatedAt()), "UpdatedAt " + info.getUpdatedAt());
    }

    private static void list(ManagementClient client) throws Exception {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < LISTED; i++) {
            expected.add("t1-list-" + i);
            client.createQueue("t1-list-" + i);
        }
        expected.sort(null);
        List<String> listed = new ArrayList<>();
        List<QueueDescription> page;
        int skip = 0;
        do {
            page = client.getQueues(PAGE, skip);
            page.stream().map(QueueDescription::getPath).forEach(listed::add);
            skip += PAGE;
        } while (page.size() == PAGE);
        listed.removeIf(name -> !name.startsWith("t1-list-"));
        sameElements(expected, listed, "the queues");
    }

    private static void namespace(ManagementClient client) throws Exception {
        NamespaceInfo info = client.getNamespaceInfo();
        that(!info.getName().isEmpty(), "a name");
        same(NamespaceSku.Standard, info.getNamespaceSku(), "the tier");
        same(NamespaceType.ServiceBus, info.getNamespaceType(), "the type");
        that(info.getCreatedAt() != null && info.getModifiedAt() != null, "both times");
    }
}
