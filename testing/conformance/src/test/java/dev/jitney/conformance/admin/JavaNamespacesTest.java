package dev.jitney.conformance.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import dev.jitney.conformance.support.OrdinaryOnly;
import dev.jitney.conformance.support.TestBroker;
import dev.jitney.model.AccessRight;
import dev.jitney.model.AccessRule;
import dev.jitney.model.TierProfile;
import dev.jitney.runtime.Broker;
import dev.jitney.samples.ManageQueues;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The Java SDK in a namespace that was made at run time, over an address that names no namespace. */
@OrdinaryOnly("the namespace and nothing else is of interest")
class JavaNamespacesTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withOnePort();

    private String team;

    @BeforeEach
    void create() throws Exception {
        String key = "key-of-the-team-which-is-long-enough-to-be-good";
        AccessRule rule = new AccessRule("team-root", Set.of(AccessRight.values()), key, null);
        served().createNamespace("team", TierProfile.STANDARD, List.of(rule))
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        team = broker.connectionString()
                .replaceFirst("SharedAccessKeyName=[^;]*", "SharedAccessKeyName=team-root")
                .replaceFirst("SharedAccessKey=[^;]*", "SharedAccessKey=" + key);
    }

    @AfterEach
    void delete() throws Exception {
        if (served().namespaces().size() > 1) {
            served().deleteNamespace("team").toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }

    private static Broker served() {
        return broker.server().broker();
    }

    @Test
    @DisplayName(
            "ENT-1, MSG-1: the key name finds the namespace for administration and messages; its deletion ends both")
    void java() throws Exception {
        ServiceBusAdministrationClient admin = ManageQueues.overPlainHttp(team, broker.amqpPort());
        admin.createQueue("of-team");
        assertThat(served().namespace("team").entity("of-team")).isNotNull();
        assertThat(served().namespace(null).entity("of-team")).isNull();
        try (ServiceBusSenderClient sender = new ServiceBusClientBuilder()
                        .connectionString(team)
                        .sender()
                        .queueName("of-team")
                        .buildClient();
                ServiceBusReceiverClient receiver = new ServiceBusClientBuilder()
                        .connectionString(team)
                        .receiver()
                        .queueName("of-team")
                        .buildClient()) {
            sender.sendMessage(new ServiceBusMessage("for the team"));
            ServiceBusReceivedMessage message = receiver.receiveMessages(1, Duration.ofSeconds(30)).stream()
                    .findFirst()
                    .orElseThrow();
            assertThat(message.getBody()).hasToString("for the team");
            receiver.complete(message);

            served().deleteNamespace("team").toCompletableFuture().get(30, TimeUnit.SECONDS);
            assertThatThrownBy(() -> sender.sendMessage(new ServiceBusMessage("too late")))
                    .isInstanceOf(ServiceBusException.class);
        }
    }
}
