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
import dev.jitney.samples.ManageQueues;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of the Java SDK with a namespace that was created at run time, over an address without a namespace. */
@OrdinaryOnly("the test is about the namespace")
class JavaNamespacesTest {
    @RegisterExtension
    static final TestBroker broker = TestBroker.withOnePort();

    @RegisterExtension
    final TeamNamespace team = new TeamNamespace(broker);

    @Test
    @DisplayName(
            "ENT-1, MSG-1: the key name finds the namespace for administration and messages; its deletion ends both")
    void java() throws Exception {
        ServiceBusAdministrationClient admin = ManageQueues.overPlainHttp(team.connectionString(), broker.amqpPort());
        admin.createQueue("of-team");
        assertThat(team.served().namespace("team").entity("of-team")).isNotNull();
        assertThat(team.served().namespace(null).entity("of-team")).isNull();
        try (ServiceBusSenderClient sender = new ServiceBusClientBuilder()
                        .connectionString(team.connectionString())
                        .sender()
                        .queueName("of-team")
                        .buildClient();
                ServiceBusReceiverClient receiver = new ServiceBusClientBuilder()
                        .connectionString(team.connectionString())
                        .receiver()
                        .queueName("of-team")
                        .buildClient()) {
            sender.sendMessage(new ServiceBusMessage("for the team"));
            ServiceBusReceivedMessage message = receiver.receiveMessages(1, Duration.ofSeconds(30)).stream()
                    .findFirst()
                    .orElseThrow();
            assertThat(message.getBody()).hasToString("for the team");
            receiver.complete(message);

            team.delete();
            assertThatThrownBy(() -> sender.sendMessage(new ServiceBusMessage("too late")))
                    .isInstanceOf(ServiceBusException.class);
        }
    }
}
