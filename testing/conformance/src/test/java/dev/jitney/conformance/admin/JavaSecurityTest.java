package dev.jitney.conformance.admin;

import static dev.jitney.conformance.admin.AdminClients.assertFails;
import static dev.jitney.conformance.admin.AdminClients.assertRefused;
import static dev.jitney.conformance.support.Sdk.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.credential.AzureSasCredential;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.exception.HttpResponseException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.models.AccessRights;
import com.azure.messaging.servicebus.administration.models.AuthorizationRule;
import com.azure.messaging.servicebus.administration.models.CreateQueueOptions;
import com.azure.messaging.servicebus.administration.models.QueueProperties;
import com.azure.messaging.servicebus.administration.models.RuleProperties;
import com.azure.messaging.servicebus.administration.models.SharedAccessAuthorizationRule;
import dev.jitney.conformance.support.Sdk;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.testing.amqp.SasToken;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JavaSecurityTest extends AdminTest {

    @AfterEach
    void restoreRules() {
        broker.accessRules(List.of(AccessRule.root(TestBroker.KEY)));
    }

    private static Sdk amqp(String rule, String key) {
        return new Sdk(TestBroker.clientBuilder("Endpoint=sb://localhost:" + broker.amqpPort() + ";SharedAccessKeyName="
                + rule + ";SharedAccessKey=" + key + ";UseDevelopmentEmulator=true"));
    }

    private static AccessRule rule(String name, String primary, String secondary, AccessRight... rights) {
        return new AccessRule(name, EnumSet.copyOf(List.of(rights)), primary, secondary);
    }

    @Test
    @DisplayName("HTTP checklist 4: a wrong key and an unknown rule are not authenticated")
    void wrongKey() {
        assertFails(
                ClientAuthenticationException.class,
                401,
                "SubCode=40103.",
                () -> AdminClients.of(broker, TestBroker.RULE, "wrong").getNamespaceProperties());
        assertFails(
                ClientAuthenticationException.class,
                401,
                "SubCode=40103.",
                () -> AdminClients.of(broker, "nobody", TestBroker.KEY).createQueue("refused"));
        assertThat(admin.getQueueExists("refused")).isFalse();
    }

    @Test
    @DisplayName("HTTP checklist 7: Listen alone reads the namespace and lists rules, and changes nothing")
    void listenOnly() {
        String topic = admin.createTopic(TestBroker.name("topic")).getName();
        admin.createSubscription(topic, "s");
        broker.accessRules(
                List.of(AccessRule.root(TestBroker.KEY), rule("listener", "listen-key", "second", AccessRight.LISTEN)));
        ServiceBusAdministrationClient listener = AdminClients.of(broker, "listener", "listen-key");
        assertThat(listener.getNamespaceProperties().getName()).isNotEmpty();
        assertThat(listener.listRules(topic, "s").stream().map(RuleProperties::getName))
                .containsExactly("$Default");
        String name = TestBroker.name("refused");
        assertFails(ClientAuthenticationException.class, 401, "40100", () -> listener.createQueue(name));
        assertFails(ClientAuthenticationException.class, 401, "40100", () -> listener.getTopic(topic));
        assertFails(ClientAuthenticationException.class, 401, "40100", () -> listener.deleteTopic(topic));
        assertFails(ClientAuthenticationException.class, 401, "40100", () -> listener.createRule(topic, "s", "r"));
        assertFails(
                ClientAuthenticationException.class,
                401,
                "40100",
                () -> listener.listQueues().stream().toList());
        assertThat(admin.getQueueExists(name)).isFalse();
    }

    @Test
    @DisplayName("HTTP checklist 8: the second key works, and still works after the first is changed")
    void rotation() {
        broker.accessRules(List.of(AccessRule.root(TestBroker.KEY), root("ops", "first", "second")));
        ServiceBusAdministrationClient first = AdminClients.of(broker, "ops", "first");
        ServiceBusAdministrationClient second = AdminClients.of(broker, "ops", "second");
        first.createQueue(TestBroker.name("rotation"));
        second.createQueue(TestBroker.name("rotation"));
        broker.accessRules(List.of(AccessRule.root(TestBroker.KEY), root("ops", "third", "second")));
        assertFails(
                ClientAuthenticationException.class,
                401,
                "SubCode=40103.",
                () -> first.createQueue(TestBroker.name("rotation")));
        second.createQueue(TestBroker.name("rotation"));
        AdminClients.of(broker, "ops", "third").createQueue(TestBroker.name("rotation"));
    }

    private static AccessRule root(String name, String primary, String secondary) {
        return rule(name, primary, secondary, AccessRight.values());
    }

    @Test
    @DisplayName("FWD-3: an entity's own key with Manage does not let it forward to another entity")
    void forwardingNeedsBoth() {
        String target = admin.createQueue(TestBroker.name("target")).getName();
        String source = TestBroker.name("source");
        CreateQueueOptions options = new CreateQueueOptions();
        options.getAuthorizationRules()
                .add(new SharedAccessAuthorizationRule(
                        "owner", List.of(AccessRights.MANAGE, AccessRights.SEND, AccessRights.LISTEN)));
        String key = admin.createQueue(source, options)
                .getAuthorizationRules()
                .get(0)
                .getPrimaryKey();
        // The client sends a token with the same key for the destination.
        ServiceBusAdministrationClient owner = AdminClients.of(broker, "owner", key);
        QueueProperties queue = owner.getQueue(source);
        assertThat(owner.updateQueue(queue.setUserMetadata("mine")).getUserMetadata())
                .isEqualTo("mine");
        assertFails(
                ClientAuthenticationException.class,
                401,
                "SubCode=401",
                () -> owner.updateQueue(owner.getQueue(source).setForwardTo(target)));
        assertFails(
                ClientAuthenticationException.class,
                401,
                "SubCode=401",
                () -> owner.updateQueue(owner.getQueue(source).setForwardDeadLetteredMessagesTo(target)));
        assertThat(admin.getQueue(source).getForwardTo()).isNull();
        assertThat(admin.updateQueue(admin.getQueue(source).setForwardTo(target))
                        .getForwardTo())
                .isEqualTo("https://localhost/" + target);
        assertThat(owner.updateQueue(owner.getQueue(source).setForwardTo(null)).getForwardTo())
                .isNull();
    }

    @Test
    @DisplayName(
            "HTTP checklist 10: an entity's rules are returned with both keys, which authorize access to that entity over AMQP")
    void entityRules() throws Exception {
        String name = TestBroker.name("guarded");
        String other = admin.createQueue(TestBroker.name("other")).getName();
        CreateQueueOptions options = new CreateQueueOptions();
        options.getAuthorizationRules().add(new SharedAccessAuthorizationRule("sender", List.of(AccessRights.SEND)));
        options.getAuthorizationRules()
                .add(new SharedAccessAuthorizationRule("listener", List.of(AccessRights.LISTEN)));
        admin.createQueue(name, options);
        List<AuthorizationRule> rules = admin.getQueue(name).getAuthorizationRules();
        AuthorizationRule sender = rules.stream()
                .filter(r -> r.getKeyName().equals("sender"))
                .findFirst()
                .orElseThrow();
        AuthorizationRule listener = rules.stream()
                .filter(r -> r.getKeyName().equals("listener"))
                .findFirst()
                .orElseThrow();
        assertThat(sender.getPrimaryKey()).hasSize(44).isNotEqualTo(sender.getSecondaryKey());
        assertThat(sender.getSecondaryKey()).hasSize(44);
        try (Sdk primary = amqp("sender", sender.getPrimaryKey());
                Sdk secondary = amqp("sender", sender.getSecondaryKey());
                Sdk listening = amqp("listener", listener.getPrimaryKey())) {
            primary.send(name, "one");
            secondary.send(name, "two");
            Sdk.assertFails(ServiceBusFailureReason.UNAUTHORIZED, () -> primary.send(other, "refused"));
            Sdk.assertFails(ServiceBusFailureReason.UNAUTHORIZED, () -> listening.send(name, "refused"));
            assertThat(next(listening.deletingReceiver(name)).getMessageId()).isEqualTo("one");
        }
    }

    @Test
    @DisplayName("Key rotation of an entity's rule by update: the new key opens, the old one does not")
    void entityKeyRotation() throws Exception {
        String name = TestBroker.name("rotated");
        CreateQueueOptions options = new CreateQueueOptions();
        options.getAuthorizationRules().add(new SharedAccessAuthorizationRule("sender", List.of(AccessRights.SEND)));
        admin.createQueue(name, options);
        QueueProperties queue = admin.getQueue(name);
        SharedAccessAuthorizationRule rule =
                (SharedAccessAuthorizationRule) queue.getAuthorizationRules().get(0);
        String old = rule.getPrimaryKey();
        String kept = rule.getSecondaryKey();
        rule.setPrimaryKey("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
        admin.updateQueue(queue);
        try (Sdk before = amqp("sender", old);
                Sdk after = amqp("sender", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
                Sdk second = amqp("sender", kept)) {
            Sdk.assertFails(ServiceBusFailureReason.UNAUTHORIZED, () -> before.send(name, "refused"));
            after.send(name, "m");
            second.send(name, "m");
        }
    }

    @Test
    @DisplayName("HTTP 5.3: Manage without the other rights and two rules of one name are refused")
    void badRules() {
        CreateQueueOptions manageOnly = new CreateQueueOptions();
        manageOnly.getAuthorizationRules().add(new SharedAccessAuthorizationRule("m", List.of(AccessRights.MANAGE)));
        assertRefused("SubCode=40000.", () -> admin.createQueue(TestBroker.name("rules"), manageOnly));
        CreateQueueOptions twice = new CreateQueueOptions();
        for (int i = 0; i < 2; i++) {
            twice.getAuthorizationRules().add(new SharedAccessAuthorizationRule("same", List.of(AccessRights.SEND)));
        }
        assertRefused("SubCode=40000.", () -> admin.createQueue(TestBroker.name("rules"), twice));
        CreateQueueOptions thirteen = new CreateQueueOptions();
        for (int i = 0; i < 13; i++) {
            thirteen.getAuthorizationRules()
                    .add(new SharedAccessAuthorizationRule("r" + i, List.of(AccessRights.SEND)));
        }
        String name = TestBroker.name("rules");
        assertThat(catchThrowableOfType(HttpResponseException.class, () -> admin.createQueue(name, thirteen))
                        .getResponse()
                        .getStatusCode())
                .isIn(400, 403);
        assertThat(admin.getQueueExists(name)).isFalse();
    }

    @Test
    @DisplayName("HTTP 1.5: a ready-made signature for one queue opens only that queue, and only until it expires")
    void readyMadeSignatures() {
        String name = admin.createQueue(TestBroker.name("signed")).getName();
        String other = admin.createQueue(TestBroker.name("other")).getName();
        long now = broker.now().getEpochSecond();
        ServiceBusAdministrationClient signed = signed("https://localhost/" + name, now + 600);
        assertThat(signed.getQueue(name).getName()).isEqualTo(name);
        assertFails(ClientAuthenticationException.class, 401, "SubCode=40104.", () -> signed.getQueue(other));
        assertFails(ClientAuthenticationException.class, 401, "SubCode=40104.", signed::getNamespaceProperties);
        assertFails(
                ClientAuthenticationException.class,
                401,
                "SubCode=40106.",
                () -> signed("https://localhost/", now - 600).getNamespaceProperties());
    }

    private static ServiceBusAdministrationClient signed(String resource, long expiry) {
        String token = SasToken.create(resource, TestBroker.RULE, TestBroker.KEY, expiry);
        return AdminClients.builderOf(broker)
                .endpoint("https://localhost")
                .credential(new AzureSasCredential(token))
                .buildClient();
    }
}
