package dev.jitney.testing.track1;

import static dev.jitney.testing.track1.Check.fails;
import static dev.jitney.testing.track1.Check.same;
import static dev.jitney.testing.track1.Check.that;

import com.microsoft.azure.servicebus.ClientFactory;
import com.microsoft.azure.servicebus.IMessage;
import com.microsoft.azure.servicebus.IMessageReceiver;
import com.microsoft.azure.servicebus.ReceiveMode;
import com.microsoft.azure.servicebus.SubscriptionClient;
import com.microsoft.azure.servicebus.TopicClient;
import com.microsoft.azure.servicebus.management.EntityNameHelper;
import com.microsoft.azure.servicebus.management.ManagementClient;
import com.microsoft.azure.servicebus.primitives.MessagingEntityAlreadyExistsException;
import com.microsoft.azure.servicebus.primitives.MessagingEntityNotFoundException;
import com.microsoft.azure.servicebus.rules.CorrelationFilter;
import com.microsoft.azure.servicebus.rules.FalseFilter;
import com.microsoft.azure.servicebus.rules.RuleDescription;
import com.microsoft.azure.servicebus.rules.SqlFilter;
import com.microsoft.azure.servicebus.rules.SqlRuleAction;
import com.microsoft.azure.servicebus.rules.TrueFilter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Checks of messages in topics and of rules over AMQP, through a WebSocket, because this SDK has no option for another
 * port.
 */
final class PublishChecks extends OverWebSocket {
    private PublishChecks(String connectionString) {
        super(connectionString);
    }

    static void addTo(Map<String, NamedCheck> checks, String connectionString) {
        PublishChecks all = new PublishChecks(connectionString);
        checks.put("RULE-1, MSG-1, RECV-1: every subscription gets the messages of its topic", all::fanOut);
        checks.put("DLQ-34: a copy is dead-lettered and received from the dead-letter queue", all::deadLetters);
        checks.put("SCHED-7, PEEK-1: messages are scheduled, peeked and canceled at the topic", all::schedules);
        checks.put("Wire 62: rules are added, listed and removed over AMQP", all::rules);
    }

    private IMessageReceiver receiver(String path) throws Exception {
        return ClientFactory.createMessageReceiverFromConnectionStringBuilder(to(path), ReceiveMode.PEEKLOCK);
    }

    private static String text(IMessage message) {
        return new String(message.getMessageBody().getBinaryData().get(0), StandardCharsets.UTF_8);
    }

    private void fanOut(ManagementClient client) throws Exception {
        client.createTopic("t1-publish");
        TopicClient topic = new TopicClient(to("t1-publish"));
        for (String name : List.of("a", "b")) {
            client.createSubscription("t1-publish", name);
        }
        topic.sendBatch(List.of(message("1"), message("2")));
        topic.send(message("3"));
        topic.close();
        for (String name : List.of("a", "b")) {
            IMessageReceiver receiver = receiver(EntityNameHelper.formatSubscriptionPath("t1-publish", name));
            for (String id : List.of("1", "2", "3")) {
                IMessage message = next(receiver);
                same(id, message.getMessageId(), "the message id");
                same(id, text(message), "the body");
                receiver.complete(message.getLockToken());
            }
            receiver.close();
            same(
                    0L,
                    client.getSubscriptionRuntimeInfo("t1-publish", name).getMessageCount(),
                    "the number of messages left");
        }
    }

    private void deadLetters(ManagementClient client) throws Exception {
        client.createTopic("t1-dead");
        client.createSubscription("t1-dead", "s");
        TopicClient topic = new TopicClient(to("t1-dead"));
        topic.send(message("bad"));
        topic.close();
        String path = EntityNameHelper.formatSubscriptionPath("t1-dead", "s");
        IMessageReceiver receiver = receiver(path);
        receiver.deadLetter(next(receiver).getLockToken(), "why", "more");
        receiver.close();
        IMessageReceiver dead = receiver(EntityNameHelper.formatDeadLetterPath(path));
        IMessage message = next(dead);
        same("why", message.getProperties().get("DeadLetterReason"), "the reason");
        dead.complete(message.getLockToken());
        dead.close();
    }

    private void schedules(ManagementClient client) throws Exception {
        client.createTopic("t1-scheduled");
        client.createSubscription("t1-scheduled", "s");
        TopicClient topic = new TopicClient(to("t1-scheduled"));
        long number = topic.scheduleMessage(message("m"), Instant.now().plusSeconds(3_600));
        same("m", topic.peek().getMessageId(), "the message peeked at the topic");
        same(
                1L,
                client.getTopicRuntimeInfo("t1-scheduled")
                        .getMessageCountDetails()
                        .getScheduledMessageCount(),
                "ScheduledMessageCount");
        topic.cancelScheduledMessage(number);
        same(null, topic.peek(), "the next message to peek");
        topic.close();
    }

    private void rules(ManagementClient client) throws Exception {
        client.createTopic("t1-rules-amqp");
        client.createSubscription("t1-rules-amqp", "s");
        SubscriptionClient subscription = new SubscriptionClient(
                to(EntityNameHelper.formatSubscriptionPath("t1-rules-amqp", "s")), ReceiveMode.PEEKLOCK);
        CorrelationFilter correlation = new CorrelationFilter();
        correlation.setLabel("l");
        correlation.setProperties(Map.of("n", 1L));
        RuleDescription changing = new RuleDescription("c", new SqlFilter("a = 1"));
        changing.setAction(new SqlRuleAction("SET b = 2"));
        subscription.addRule("a", new TrueFilter());
        subscription.addRule("b", new FalseFilter());
        subscription.addRule(changing);
        subscription.addRule("d", correlation);
        fails(
                MessagingEntityAlreadyExistsException.class,
                false,
                "already exists",
                () -> subscription.addRule("A", new TrueFilter()));
        subscription.removeRule("$Default");
        fails(
                MessagingEntityNotFoundException.class,
                false,
                "could not be found",
                () -> subscription.removeRule("$Default"));
        List<RuleDescription> listed = new ArrayList<>(subscription.getRules());
        listed.sort(Comparator.comparing(RuleDescription::getName));
        same(
                List.of("a", "b", "c", "d"),
                listed.stream().map(RuleDescription::getName).toList(),
                "the rules");
        that(listed.get(0).getFilter() instanceof TrueFilter, "a true filter");
        that(listed.get(1).getFilter() instanceof FalseFilter, "a false filter");
        same("a = 1", ((SqlFilter) listed.get(2).getFilter()).getSqlExpression(), "the expression");
        same("SET b = 2", ((SqlRuleAction) listed.get(2).getAction()).getSqlExpression(), "the action");
        CorrelationFilter found = (CorrelationFilter) listed.get(3).getFilter();
        same("l", found.getLabel(), "the label");
        same(null, found.getMessageId(), "the message id");
        same(Map.of("n", 1L), found.getProperties(), "the properties");
        subscription.close();
    }
}
