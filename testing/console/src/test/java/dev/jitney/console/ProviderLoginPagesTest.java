package dev.jitney.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import com.azure.messaging.servicebus.models.DeadLetterOptions;
import dev.jitney.model.QueueDescription;
import dev.jitney.runtime.Namespace;
import dev.jitney.server.JitneyServer;
import dev.jitney.server.identity.LoginSettings;
import dev.jitney.server.identity.OidcSettings;
import dev.jitney.server.identity.RoleMap;
import dev.jitney.server.identity.TestIdentityProvider;
import dev.jitney.server.identity.TestIssuer;
import dev.jitney.testing.process.FreePorts;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the console with users of an identity provider")
class ProviderLoginPagesTest {
    @TempDir
    Path dir;

    @BeforeAll
    static void programs() throws Exception {
        Browser.prepare();
    }

    @TestFactory
    @DisplayName("logs users in with their roles, and out")
    Stream<DynamicTest> roles() throws Exception {
        try (TestIdentityProvider provider = new TestIdentityProvider();
                JitneyServer server = start(provider)) {
            fill(server);
            List<DynamicTest> tests = Browser.tests("login.test.mjs", environment(server, provider))
                    .toList();
            assertThat(provider.logins().ended()).isEqualTo(1);
            return tests.stream();
        }
    }

    @TestFactory
    @DisplayName("ends the session with the tokens")
    Stream<DynamicTest> expiry() throws Exception {
        try (TestIdentityProvider provider = new TestIdentityProvider();
                JitneyServer server = start(provider)) {
            provider.lifeSeconds(25); // the login and the first page have to fit in it, also on a busy machine
            return Browser.tests("login-expiry.test.mjs", environment(server, provider)).toList().stream();
        }
    }

    private static Map<String, String> environment(JitneyServer server, TestIdentityProvider provider) {
        Map<String, String> all = new HashMap<>(ConsoleServer.environment(server));
        all.put("CONSOLE_PROVIDER", provider.issuer().issuer());
        return all;
    }

    private JitneyServer start(TestIdentityProvider provider) throws Exception {
        Map.of("vera", "support", "rita", "readers", "otto", "operators", "adam", "admins", "nobody", "guests")
                .forEach((name, role) -> provider.logins().user(name, role));
        int port = FreePorts.of(1).get(0);
        return JitneyServer.builder()
                .dataDir(dir.resolve("data"))
                .amqpPort(0)
                .httpPort(port)
                .sasKey(ConsoleServer.KEY)
                .identityProvider(new OidcSettings(
                                provider.issuer().issuer(),
                                List.of(TestIssuer.AUDIENCE),
                                null,
                                null,
                                null,
                                0,
                                OidcSettings.NAME_CLAIM,
                                OidcSettings.ROLE_CLAIMS,
                                RoleMap.of(List.of(
                                        "support=Viewer", "readers=Reader", "operators=Operator", "admins=Admin")))
                        .withLogin(new LoginSettings(
                                "console", null, LoginSettings.SCOPES, URI.create("http://localhost:" + port))))
                .build()
                .start();
    }

    /** Makes a queue with three dead letters, and with active messages whose content only some users see. */
    private static void fill(JitneyServer server) throws Exception {
        Namespace namespace = server.broker().namespace(null);
        ConsoleServer.await(
                namespace.createQueue(QueueDescription.named("orders").build()));
        ServiceBusClientBuilder client = new ServiceBusClientBuilder().connectionString(server.connectionString());
        try (ServiceBusSenderClient orders = client.sender().queueName("orders").buildClient();
                ServiceBusReceiverClient receiver = client.receiver()
                        .queueName("orders")
                        .disableAutoComplete()
                        .buildClient()) {
            for (int i = 1; i <= 3; i++) {
                orders.sendMessage(order(i));
            }
            for (int dead = 0; dead < 3; ) { // a call may return only some of the messages
                int before = dead;
                for (ServiceBusReceivedMessage each : receiver.receiveMessages(3 - dead, Duration.ofSeconds(30))) {
                    receiver.deadLetter(each, new DeadLetterOptions().setDeadLetterReason("InvalidAmount"));
                    dead++;
                }
                assertThat(dead).isGreaterThan(before);
            }
            for (int i = 20; i < 30; i++) {
                orders.sendMessage(order(i));
            }
        }
    }

    private static ServiceBusMessage order(int number) {
        ServiceBusMessage message = new ServiceBusMessage(
                        "{\"order\": %d, \"customer\": \"C-%03d\"}".formatted(number, number))
                .setMessageId("order-" + number);
        message.getApplicationProperties().put("region", "eu");
        return message;
    }
}
