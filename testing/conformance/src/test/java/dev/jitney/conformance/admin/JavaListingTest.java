package dev.jitney.conformance.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.models.NamespaceProperties;
import com.azure.messaging.servicebus.administration.models.NamespaceType;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SubscriptionProperties;
import com.azure.messaging.servicebus.administration.models.TopicProperties;
import dev.jitney.conformance.support.TestBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaListingTest extends AdminTest {
    private static final int COUNT = 250;

    /** Returns names in ordinal order: q-0, q-1, q-10, q-100 ... */
    private static List<String> names(String prefix) {
        return IntStream.range(0, COUNT).mapToObj(i -> prefix + i).sorted().toList();
    }

    @Test
    @DisplayName("HTTP checklist 55 and 56: 250 queues are listed completely, once, in order, in pages of 100")
    void queues() {
        List<String> expected = names("q-");
        expected.forEach(name -> broker.queue(name, q -> q));
        assertThat(admin.listQueues().stream().map(QueueProperties::getName)).containsExactlyElementsOf(expected);
        List<Integer> pages = new ArrayList<>();
        admin.listQueues()
                .iterableByPage()
                .forEach(page -> pages.add(page.getValue().size()));
        assertThat(pages).containsExactly(100, 100, 50);
    }

    @Test
    @DisplayName("HTTP checklist 56: 250 topics and 250 subscriptions of one topic are listed completely")
    void topicsAndSubscriptions() {
        List<String> topics = names("t-");
        topics.forEach(admin::createTopic);
        assertThat(admin.listTopics().stream().map(TopicProperties::getName)).containsExactlyElementsOf(topics);
        List<String> subscriptions = names("s-");
        subscriptions.forEach(name -> admin.createSubscription("t-0", name));
        assertThat(admin.listSubscriptions("t-0").stream().map(SubscriptionProperties::getSubscriptionName))
                .containsExactlyElementsOf(subscriptions);
        assertThat(admin.listSubscriptions("t-1")).isEmpty();
        assertThat(admin.getTopicRuntimeProperties("t-0").getSubscriptionCount())
                .isEqualTo(COUNT);
    }

    @Test
    @DisplayName("HTTP checklist 56: 120 rules of one subscription are listed completely")
    void rules() {
        String topic = admin.createTopic(TestBroker.name("rules")).getName();
        admin.createSubscription(topic, "s");
        admin.deleteRule(topic, "s", "$Default");
        List<String> rules =
                IntStream.range(0, 120).mapToObj(i -> "r-" + i).sorted().toList();
        rules.forEach(name -> admin.createRule(topic, "s", name));
        assertThat(admin.listRules(topic, "s").stream().map(RuleProperties::getName))
                .containsExactlyElementsOf(rules);
        admin.deleteTopic(topic);
    }

    @Test
    @DisplayName("HTTP checklist 62: the namespace has a name, tier and times")
    void namespace() {
        NamespaceProperties namespace = admin.getNamespaceProperties();
        assertThat(namespace.getName()).isNotEmpty();
        assertThat(namespace.getMessagingSku()).hasToString("Standard");
        assertThat(namespace.getNamespaceType()).isEqualTo(NamespaceType.MESSAGING);
        assertThat(namespace.getAlias()).isNull();
        assertThat(namespace.getCreatedTime()).isNotNull();
        assertThat(namespace.getModifiedTime()).isAfterOrEqualTo(namespace.getCreatedTime());
    }
}
