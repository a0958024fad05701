package dev.jitney.testing.oldsdk;

import static dev.jitney.testing.oldsdk.OldSdk.fails;
import static dev.jitney.testing.oldsdk.OldSdk.same;
import static dev.jitney.testing.oldsdk.OldSdk.that;

import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.CreateRuleOptions;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.SqlRuleFilter;
import java.time.Duration;
import java.util.Map;

/** Checks of the administration client. */
final class AdministrationChecks {

    private AdministrationChecks() {}

    static void addTo(Map<String, OldSdkChecks.NamedCheck> checks) {
        checks.put("ENT-1: options of a queue are kept and updated", AdministrationChecks::options);
        checks.put("HTTP checklist 20 and 54: create twice, exists, delete", AdministrationChecks::lifeCycle);
        checks.put("HTTP checklist 49: a rule is kept", AdministrationChecks::rules);
        checks.put("HTTP checklist 61: runtime properties count messages", AdministrationChecks::runtime);
    }

    private static void options(OldSdk sdk) {
        String name = OldSdk.name();
        sdk.admin()
                .createQueue(
                        name,
                        new CreateQueueOptions()
                                .setLockDuration(Duration.ofSeconds(45))
                                .setMaxDeliveryCount(3)
                                .setUserMetadata("a <b> & c"));
        QueueProperties queue = sdk.admin().getQueue(name);
        same(Duration.ofSeconds(45), queue.getLockDuration(), "LockDuration");
        same(3, queue.getMaxDeliveryCount(), "MaxDeliveryCount");
        same("a <b> & c", queue.getUserMetadata(), "UserMetadata");
        sdk.admin().updateQueue(queue.setLockDuration(Duration.ofSeconds(30)));
        same(Duration.ofSeconds(30), sdk.admin().getQueue(name).getLockDuration(), "LockDuration");
    }

    private static void lifeCycle(OldSdk sdk) {
        String name = sdk.queue();
        fails("409", () -> sdk.admin().createQueue(name));
        that(sdk.admin().getQueueExists(name), "an existing queue");
        sdk.admin().deleteQueue(name);
        that(!sdk.admin().getQueueExists(name), "no queue");
    }

    private static void rules(OldSdk sdk) {
        String topic = sdk.admin().createTopic(OldSdk.name()).getName();
        sdk.admin().createSubscription(topic, "s");
        sdk.admin().createRule(topic, "red", "s", new CreateRuleOptions(new SqlRuleFilter("color = 'red'")));
        SqlRuleFilter filter =
                (SqlRuleFilter) sdk.admin().getRule(topic, "s", "red").getFilter();
        same("color = 'red'", filter.getSqlExpression(), "the filter");
    }

    private static void runtime(OldSdk sdk) {
        String queue = sdk.queue();
        sdk.send(queue, "1", "2");
        same(2, sdk.admin().getQueueRuntimeProperties(queue).getActiveMessageCount(), "ActiveMessageCount");
    }
}
